// Who has what from whom: a row and a column for each bot.
import { h, nameOf } from "/dom.js";

const DENSE = 16; // bots from which on the table is set smaller
const HEATS = 4; // steps of colour
// To be copied: that is quicker than to make ten thousand of them.
const NONE = h("td", { class: "none" }, "·"), ITSELF = h("td", { class: "itself" }), MARK = h("b", { class: "forfeits-mark" }, "!");

/** A table that is changed cell by cell, so that a hundred bots stay quick. */
export class Crosstable {
  #table = h("table", { class: "cross" });
  #heads = []; // of the columns
  #rows = []; // of each: its head, its cells
  #told = new Map(); // what stands where, by row and column
  #bots = [];

  constructor(title) {
    const label = `Won and lost in ${title}, each bot against each`;
    this.element = h("div", {},
      h("h3", {}, "Who has what from whom"),
      h("p", { class: "legend faint" }, "Won–lost by the bot of the row, above as ",
        h("span", { class: "player-1" }, "player 1"), " and below as ", h("span", { class: "player-2" }, "player 2"),
        "; ", MARK.cloneNode(true), " with forfeits; ",
        h("span", {}, "losing ", h("span", { class: "ramp", "aria-hidden": "true" }), " winning")),
      h("div", { class: "wide card cross-frame", role: "region", tabindex: 0, "aria-label": label }, this.#table));
    this.#table.addEventListener("pointerover", ({ target }) => this.#point(target.closest("td")));
    this.#table.addEventListener("pointerleave", () => this.#point(null));
  }

  show({ bots, meetings }) {
    if (bots.length !== this.#bots.length) this.#build(bots.length);
    this.#bots = bots.map(({ bot }) => bot);
    this.#bots.forEach((bot, place) => this.#name(bot, place));
    const old = this.#told;
    this.#told = new Map(meetings.flatMap(bothSides).map(met => [`${met.one} ${met.other}`, met]));
    for (const [key, met] of this.#told) if (!same(met, old.get(key))) fill(this.#cell(met), met);
    for (const [key, met] of old) if (!this.#told.has(key)) fill(this.#cell(met), null);
  }

  #cell({ one, other }) {
    return this.#rows[one].cells[other];
  }

  #build(size) {
    this.#told.clear();
    this.#table.classList.toggle("dense", size >= DENSE);
    const places = Array.from({ length: size }, (_, place) => place);
    this.#heads = places.map(place => h("th", { scope: "col" }, h("span", { "aria-hidden": "true" }, String(place + 1)), h("span", { class: "hidden-text" })));
    this.#rows = places.map(row => ({
      head: h("th", { scope: "row", class: "name" }, h("span", { class: "place" }, String(row + 1)), nameOf("")),
      cells: places.map(column => (row === column ? ITSELF : NONE).cloneNode(true)),
    }));
    this.#table.replaceChildren(
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "name" }, "Bot"), this.#heads)),
      h("tbody", {}, this.#rows.map(({ head, cells }) => h("tr", {}, head, cells))));
  }

  #name(bot, place) {
    const { head } = this.#rows[place];
    if (head.title === bot) return;
    head.title = this.#heads[place].title = bot;
    head.lastChild.textContent = this.#heads[place].lastChild.textContent = bot;
  }

  /** Mark the column that is pointed at, and say in words what is in the cell. */
  #point(cell) {
    this.#table.querySelector(".pointed")?.classList.remove("pointed");
    if (!cell) return;
    const row = cell.parentNode.rowIndex - 1, column = cell.cellIndex - 1, met = this.#told.get(`${row} ${column}`);
    this.#heads[column].classList.add("pointed");
    if (met) cell.title = sentence(this.#bots[row], this.#bots[column], met);
    else cell.removeAttribute("title");
  }
}

/** What two bots have from each other, as seen by each: it is told once, as [one, other, ...]. */
function bothSides([one, other, first, second, forfeits]) {
  const turned = score => [score[1], score[0]];
  return [{ one, other, first, second, forfeits }, { one: other, other: one, first: turned(second), second: turned(first), forfeits }];
}

const numbers = ({ first, second, forfeits }) => [...first, ...second, forfeits];
const same = (one, other) => other !== undefined && numbers(one).join() === numbers(other).join();

function fill(cell, met) {
  cell.className = met ? heatOf(met) : "none";
  cell.textContent = met ? `${met.first.join("–")}\n${met.second.join("–")}` : "·";
  if (met?.forfeits) cell.append(MARK.cloneNode(true));
}

function heatOf({ first, second }) {
  const won = first[0] + second[0], played = won + first[1] + second[1];
  const heat = Math.ceil(2 * HEATS * Math.abs(won / played - 0.5));
  return heat ? `${2 * won > played ? "above" : "below"} heat-${heat}` : "";
}

function sentence(bot, other, { first, second, forfeits }) {
  const score = ([won, lost], side) => `${won} won and ${lost} lost as player ${side}`;
  return `${bot} against ${other}: ${score(first, 1)}, ${score(second, 2)}` + (forfeits ? `; forfeits: ${forfeits}` : "");
}
