// The columns and rows of the standings, with ratings and their intervals on a scale.

import { h, s, setText } from "../dom.js";
import { eloText, marginText, percentText } from "../format.js";
import { botLink } from "../links.js";

/** @import { LeaderboardRow } from "../types.js" */
/** @import { Column } from "../sorting.js" */

const WIDTH = 280; // pixels
const MARGIN = 22; // pixels on each side
const TICKS = 7; // at most

/** A scale shared by all rows of a table, so that their intervals can be compared. */
export class RatingScale {
  #low;
  #high;
  /** @type {number[]} */
  #ticks = [];

  /** @param {LeaderboardRow[]} bots */
  constructor(bots) {
    const ends = bots.flatMap(({ elo, margin }) =>
      elo === null || margin === null ? [] : [elo - margin, elo + margin],
    );
    this.#low = Math.min(0, ...ends);
    this.#high = Math.max(10, ...ends);
    const step = tickStep(this.#high - this.#low);
    for (let tick = Math.ceil(this.#low / step) * step; tick <= this.#high; tick += step) {
      this.#ticks.push(tick);
    }
    /** Equal for equal scales. */
    this.key = [this.#low, this.#high].join();
  }

  /** @param {number} elo */
  #x(elo) {
    return MARGIN + ((WIDTH - 2 * MARGIN) * (elo - this.#low)) / (this.#high - this.#low);
  }

  /** Draw the ticks. */
  drawAxis() {
    const properties = {
      viewBox: `0 0 ${WIDTH} 32`,
      role: "img",
      "aria-label": "Ratings with 95 % confidence intervals",
    };
    const texts = this.#ticks.map(tick => s("text", { x: this.#x(tick), y: 20 }, eloText(tick)));
    return s("svg", properties, texts);
  }

  /**
   * Draw the rating of a bot with its confidence interval.
   * @param {LeaderboardRow} bot
   */
  drawInterval({ elo, margin }) {
    const rules = this.#ticks.map(tick =>
      s("path", { class: tick ? "rule" : "zero", d: `M${this.#x(tick)} 0v32` }),
    );
    const properties = { viewBox: `0 0 ${WIDTH} 32`, "aria-hidden": "true" };
    if (elo === null || margin === null) return s("svg", properties, rules);
    const line = `M${this.#x(elo - margin)} 16H${this.#x(elo + margin)}`;
    const interval = s("path", { class: "span", d: line });
    const dot = s("circle", { class: "dot", cx: this.#x(elo), cy: 16, r: 5 });
    return s("svg", properties, rules, interval, dot);
  }
}

/**
 * Return the smallest step of 1, 2 or 5 times a power of ten that needs few ticks for a range.
 * @param {number} range
 */
function tickStep(range) {
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) if (range <= digit * power * (TICKS - 1)) return digit * power;
  }
}

// The columns of the standings, by which they can be sorted

/** @typedef {LeaderboardRow & { rank: string }} RankedRow */

/** @type {Record<string, Column<LeaderboardRow>>} */
export const COLUMNS = {
  "#": { isAscending: true },
  Bot: { text: ({ bot }) => bot, isAscending: true, className: "name" },
  Elo: { best: ({ elo }) => elo },
  "±": { best: ({ margin }) => margin && -margin, isAscending: true },
  Won: { best: ({ wins }) => wins },
  Drawn: { best: ({ draws }) => draws },
  Lost: { best: ({ losses }) => -losses, isAscending: true },
  Pairs: { best: ({ pairs: [won, tied] }) => won + tied / 2 },
  Accuracy: { best: ({ accuracy }) => accuracy },
  Forfeits: { best: ({ forfeits }) => -forfeits, isAscending: true },
};

// The rows

/** The row of a bot, with its confidence interval as a drawing. */
export class Row {
  #cells = Array.from({ length: 9 }, () => h("td"));
  #plot = h("td", { class: "plot" });
  #drawn = "";

  /** @param {string} bot */
  constructor(bot) {
    const [rank, elo, margin, ...others] = this.#cells;
    const name = h("th", { scope: "row", class: "name" }, botLink(bot));
    this.element = h("tr", {}, rank, name, elo, margin, this.#plot, others);
  }

  /**
   * @param {RankedRow} bot
   * @param {RatingScale} scale
   */
  update(bot, scale) {
    const { rank, elo, margin, wins, draws, losses, pairs, forfeits, accuracy } = bot;
    const ratings = [rank, eloText(elo), marginText(margin)];
    const results = [wins, draws, losses, pairs.join("–")];
    const texts = [...ratings, ...results, percentText(accuracy), forfeits || "."];
    for (const [at, text] of texts.entries()) setText(this.#cells[at], String(text));
    const drawn = [scale.key, elo, margin].join();
    if (this.#drawn === drawn) return;
    this.#drawn = drawn;
    this.#plot.replaceChildren(scale.drawInterval(bot));
  }
}
