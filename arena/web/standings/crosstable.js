// The crosstable: the score of each bot against each other bot.
import { h, isolated } from "../dom.js";
import { pointsText } from "../format.js";

/** @import { Leaderboard, HeadToHead } from "../types.js" */

/** @typedef {[won: number, drawn: number, lost: number]} Results */

/**
 * The results of a row's bot against a column's, as player 1 and as player 2.
 * @typedef {{
 *   row: number,
 *   column: number,
 *   first: Results,
 *   second: Results,
 *   forfeits: number,
 * }} Pair
 */

const MAX_BOTS = 100; // the arena sends no results of others
const DENSE = 16; // bots from which on the table is set smaller
const HEATS = 4; // steps of colour
// Templates: copying them is faster than creating ten thousand cells.
const EMPTY = h("td", { class: "none" }, "·");
const DIAGONAL = h("td", { class: "itself" });
const FORFEIT_MARK = h("b", { class: "forfeits-mark" }, "!");

/** A table that is updated cell by cell, so that a hundred bots stay fast. */
export class Crosstable {
  #table = h("table", { class: "cross" });
  /** @type {HTMLElement[]} */
  #columnHeads = [];
  /** @type {{ head: HTMLElement, cells: HTMLElement[] }[]} */
  #rows = [];
  /** @type {Map<string, Pair>} the pairs shown, by row and column */
  #pairs = new Map();
  /** @type {string[]} */
  #bots = [];

  /** @param {string} title */
  constructor(title) {
    const frame = {
      class: "wide card cross-frame",
      role: "region",
      tabindex: 0,
      "aria-label": `Crosstable of ${title}: points of each bot against each other`,
    };
    this.element = h(
      "div",
      {},
      h("h3", {}, "Crosstable"),
      createLegend(),
      h("div", frame, this.#table),
    );
    this.#table.addEventListener("pointerover", ({ target }) => {
      this.#point(target instanceof Element ? target.closest("td") : null);
    });
    this.#table.addEventListener("pointerleave", () => this.#point(null));
  }

  /** @param {Leaderboard} standings */
  update({ bots: all, meetings }) {
    const bots = all.slice(0, MAX_BOTS);
    if (bots.length !== this.#bots.length) this.#build(bots.length);
    this.#table.classList.toggle(
      "with-draws",
      bots.some(({ draws }) => draws),
    );
    this.#bots = bots.map(({ bot }) => bot);
    for (const [rank, bot] of this.#bots.entries()) this.#setName(bot, rank);
    const old = this.#pairs;
    const pairs = meetings.flatMap(bothPairs);
    this.#pairs = new Map(pairs.map(pair => [`${pair.row} ${pair.column}`, pair]));
    for (const [key, pair] of this.#pairs) {
      if (!isSame(pair, old.get(key))) showPair(this.#cell(pair), pair);
    }
    for (const [key, pair] of old) if (!this.#pairs.has(key)) showPair(this.#cell(pair), null);
  }

  /** @param {Pair} pair */
  #cell({ row, column }) {
    return this.#rows[row].cells[column];
  }

  /** @param {number} size */
  #build(size) {
    this.#pairs.clear();
    this.#table.classList.toggle("dense", size >= DENSE);
    const ranks = Array.from({ length: size }, (_, rank) => rank);
    this.#columnHeads = ranks.map(createColumnHead);
    this.#rows = ranks.map(row => ({
      head: createRowHead(row),
      cells: ranks.map(
        column => /** @type {HTMLElement} */ ((row === column ? DIAGONAL : EMPTY).cloneNode(true)),
      ),
    }));
    const corner = h("th", { scope: "col", class: "name" }, "Bot");
    const rows = this.#rows.map(({ head, cells }) => h("tr", {}, head, cells));
    this.#table.replaceChildren(
      h("thead", {}, h("tr", {}, corner, this.#columnHeads)),
      h("tbody", {}, rows),
    );
  }

  /**
   * @param {string} bot
   * @param {number} rank
   */
  #setName(bot, rank) {
    for (const head of [this.#rows[rank].head, this.#columnHeads[rank]]) {
      if (head.title === bot || !head.lastChild) continue;
      head.title = bot;
      head.lastChild.textContent = bot;
    }
  }

  /**
   * Highlight the column under the pointer, and describe the cell in its tooltip.
   * @param {HTMLTableCellElement | null} cell
   */
  #point(cell) {
    this.#table.querySelector(".pointed")?.classList.remove("pointed");
    if (!cell) return;
    const tableRow = /** @type {HTMLTableRowElement} */ (cell.parentNode);
    const row = tableRow.rowIndex - 1;
    const column = cell.cellIndex - 1;
    const pair = this.#pairs.get(`${row} ${column}`);
    this.#columnHeads[column].classList.add("pointed");
    if (pair) cell.title = describe(this.#bots[row], this.#bots[column], pair);
    else cell.removeAttribute("title");
  }
}

const createLegend = () =>
  h(
    "p",
    { class: "legend faint" },
    "Points of the bot in the row and of its opponent: above as ",
    h("span", { class: "player-1" }, "player 1"),
    ", below as ",
    h("span", { class: "player-2" }, "player 2"),
    "; ",
    FORFEIT_MARK.cloneNode(true),
    " with forfeits; ",
    h("span", {}, "losing ", h("span", { class: "ramp", "aria-hidden": "true" }), " winning"),
  );

/** @param {number} rank */
const createColumnHead = rank =>
  h(
    "th",
    { scope: "col" },
    h("span", { "aria-hidden": "true" }, rank + 1),
    h("span", { class: "hidden-text" }),
  );

/** @param {number} rank */
const createRowHead = rank =>
  h("th", { scope: "row", class: "name" }, h("span", { class: "place" }, rank + 1), isolated(""));

/**
 * Return a meeting from the view of each of its bots.
 * @param {HeadToHead} meeting
 * @returns {[Pair, Pair]}
 */
function bothPairs([one, other, [won, lost], [wonSecond, lostSecond], forfeits, draws]) {
  /** @type {Results} */
  const first = [won, draws[0], lost];
  /** @type {Results} */
  const second = [wonSecond, draws[1], lostSecond];
  return [
    { row: one, column: other, first, second, forfeits },
    { row: other, column: one, first: reversed(second), second: reversed(first), forfeits },
  ];
}

/**
 * @param {Results} results
 * @returns {Results}
 */
const reversed = ([won, drawn, lost]) => [lost, drawn, won];

/** @param {Results} results */
const pointsOf = ([won, drawn]) => won + drawn / 2;

/**
 * "1½–½": the points of both bots.
 * @param {Results} results
 */
const scoreText = results =>
  `${pointsText(pointsOf(results))}–${pointsText(pointsOf(reversed(results)))}`;

/** @param {Pair} pair */
const keyOf = ({ first, second, forfeits }) => [...first, ...second, forfeits].join();

/**
 * @param {Pair} one
 * @param {Pair | undefined} other
 */
const isSame = (one, other) => other !== undefined && keyOf(one) === keyOf(other);

/**
 * @param {HTMLElement} cell
 * @param {Pair | null} pair
 */
function showPair(cell, pair) {
  cell.className = pair ? heatClass(pair) : "none";
  cell.textContent = pair ? `${scoreText(pair.first)}\n${scoreText(pair.second)}` : "·";
  if (pair?.forfeits) cell.append(FORFEIT_MARK.cloneNode(true));
}

/** @param {Pair} pair */
function heatClass({ first, second }) {
  const points = pointsOf(first) + pointsOf(second);
  const played = points + pointsOf(reversed(first)) + pointsOf(reversed(second));
  const heat = Math.ceil(2 * HEATS * Math.abs(points / played - 0.5));
  return heat ? `${2 * points > played ? "above" : "below"} heat-${heat}` : "";
}

/**
 * @param {string} bot
 * @param {string} opponent
 * @param {Pair} pair
 */
function describe(bot, opponent, { first, second, forfeits }) {
  /**
   * @param {Results} results
   * @param {number} side
   */
  const text = ([won, drawn, lost], side) =>
    `${won} won${drawn ? `, ${drawn} drawn` : ""} and ${lost} lost as player ${side}`;
  const scores = `${bot} against ${opponent}: ${text(first, 1)}, ${text(second, 2)}`;
  return forfeits ? `${scores}; forfeits: ${forfeits}` : scores;
}
