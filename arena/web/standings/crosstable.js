// The crosstable: the score of each bot against each other bot.

import { h, isolated, setStyle, setText } from "../dom.js";
import { pointsText, rankTexts } from "../format.js";
import { botAddress, matchesAddress } from "../links.js";

/** @import { Leaderboard, LeaderboardRow, HeadToHead } from "../types.js" */

/** @typedef {[won: number, drawn: number, lost: number]} Results */

/**
 * The results of a row's bot against a column's, as player 1 and as player 2.
 * @typedef {{
 *   row: number,
 *   column: number,
 *   bot: string,
 *   opponent: string,
 *   first: Results,
 *   second: Results,
 *   forfeits: number,
 * }} Pair
 */

const MAX_BOTS = 100; // the arena sends no results of others
const DENSE = 16; // bots from which on the table is set smaller
const FITTED = 45; // bots up to which all columns fit on a desktop
const SHORT = 4; // characters of a score that fits then
const HEATS = 4; // steps of colour
// Templates: copying them is faster than creating ten thousand cells.
const EMPTY = h("td", { class: "none" }, "·");
const DIAGONAL = h("td", { class: "itself" });
// There may be ten thousand: the Tab key passes over them to the lists of each bot.
const LINK = h("a", { tabindex: -1 });
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
  #size = 0;
  #game;
  #frame;

  /**
   * @param {string} game
   * @param {string} title
   */
  constructor(game, title) {
    this.#game = game;
    const frame = {
      class: "wide card cross-frame",
      role: "region",
      tabindex: 0,
      "aria-label": `Head to head in ${title}: points of each bot against each other`,
    };
    this.#frame = h("div", frame, this.#table);
    this.element = h("div", {}, h("h3", {}, "Head to head"), createLegend(), this.#frame);
    this.#table.addEventListener("pointerover", ({ target }) => {
      this.#point(target instanceof Element ? target.closest("td") : null);
    });
    this.#table.addEventListener("pointerleave", () => this.#point(null));
  }

  /** @param {Leaderboard} standings */
  update({ bots: all, meetings }) {
    const bots = all.slice(0, MAX_BOTS);
    if (bots.length !== this.#size) this.#build(bots.length);
    this.#table.classList.toggle(
      "with-draws",
      bots.some(({ draws }) => draws),
    );
    const ranks = rankTexts(bots);
    for (const [row, { bot }] of bots.entries()) this.#setName(row, bot, ranks[row]);
    const old = this.#pairs;
    const pairs = meetings.flatMap(meeting => bothPairs(bots, meeting));
    const isShort = pairs.every(({ first }) => scoreText(first).length <= SHORT);
    const isFitted = bots.length >= DENSE && bots.length <= FITTED && isShort;
    this.#frame.classList.toggle("fitted", isFitted);
    this.#frame.classList.toggle("unprintable", bots.length > FITTED);
    this.#pairs = new Map(pairs.map(pair => [`${pair.row} ${pair.column}`, pair]));
    for (const [key, pair] of this.#pairs) {
      if (!isSame(pair, old.get(key))) this.#showPair(pair);
    }
    for (const [key, pair] of old) if (!this.#pairs.has(key)) this.#clear(pair);
  }

  /** @param {Pair} pair */
  #cell({ row, column }) {
    return this.#rows[row].cells[column];
  }

  /**
   * Show the scores of a pair, which lead to its matches.
   * @param {Pair} pair
   */
  #showPair(pair) {
    const { bot, opponent, first, second, forfeits } = pair;
    const cell = this.#cell(pair);
    cell.className = heatClass(pair);
    const link = /** @type {HTMLAnchorElement} */ (LINK.cloneNode());
    link.href = matchesAddress({ bot, opponent, game: this.#game });
    link.textContent = `${scoreText(first)}\n${scoreText(second)}`;
    cell.replaceChildren(link);
    if (forfeits) cell.append(FORFEIT_MARK.cloneNode(true));
  }

  /** @param {Pair} pair */
  #clear(pair) {
    const cell = this.#cell(pair);
    cell.className = EMPTY.className;
    cell.textContent = EMPTY.textContent;
  }

  /** @param {number} size */
  #build(size) {
    this.#size = size;
    setStyle(this.#frame, { "--bots": String(size) });
    this.#pairs.clear();
    this.#table.classList.toggle("dense", size >= DENSE);
    const ranks = Array.from({ length: size }, (_, rank) => rank);
    this.#columnHeads = ranks.map(() => createColumnHead());
    this.#rows = ranks.map(row => ({
      head: createRowHead(),
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
   * @param {number} row
   * @param {string} bot
   * @param {string} rank
   */
  #setName(row, bot, rank) {
    for (const head of [this.#rows[row].head, this.#columnHeads[row]]) {
      head.title = bot;
      const [place, link] = head.children;
      setText(place, rank);
      setText(link.children[0], bot);
      link.setAttribute("href", botAddress(bot));
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
    if (pair) cell.title = describe(pair);
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

const createColumnHead = () =>
  h(
    "th",
    { scope: "col" },
    h("span", { class: "place" }),
    h("a", { tabindex: -1 }, h("bdi", { class: "vertical" })), // the heads of the rows lead there
  );

const createRowHead = () =>
  h("th", { scope: "row", class: "name" }, h("span", { class: "place" }), h("a", {}, isolated("")));

/**
 * Return a meeting from the view of each of its bots.
 * @param {LeaderboardRow[]} bots
 * @param {HeadToHead} meeting
 * @returns {[Pair, Pair]}
 */
function bothPairs(bots, [one, other, [won, lost], [wonSecond, lostSecond], forfeits, draws]) {
  const [{ bot }, { bot: opponent }] = [bots[one], bots[other]];
  /** @type {Results} */
  const first = [won, draws[0], lost];
  /** @type {Results} */
  const second = [wonSecond, draws[1], lostSecond];
  return [
    { row: one, column: other, bot, opponent, first, second, forfeits },
    {
      row: other,
      column: one,
      bot: opponent,
      opponent: bot,
      first: reversed(second),
      second: reversed(first),
      forfeits,
    },
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
const keyOf = ({ bot, opponent, first, second, forfeits }) =>
  [bot, opponent, ...first, ...second, forfeits].join();

/**
 * @param {Pair} one
 * @param {Pair | undefined} other
 */
const isSame = (one, other) => other !== undefined && keyOf(one) === keyOf(other);

/** @param {Pair} pair */
function heatClass({ first, second }) {
  const points = pointsOf(first) + pointsOf(second);
  const played = points + pointsOf(reversed(first)) + pointsOf(reversed(second));
  const heat = Math.ceil(2 * HEATS * Math.abs(points / played - 0.5));
  return heat ? `${2 * points > played ? "above" : "below"} heat-${heat}` : "";
}

/** @param {Pair} pair */
function describe({ bot, opponent, first, second, forfeits }) {
  /**
   * @param {Results} results
   * @param {number} side
   */
  const text = ([won, drawn, lost], side) =>
    `${won} won${drawn ? `, ${drawn} drawn` : ""} and ${lost} lost as player ${side}`;
  const scores = `${bot} against ${opponent}: ${text(first, 1)}, ${text(second, 2)}`;
  return forfeits ? `${scores}; forfeits: ${forfeits}` : scores;
}
