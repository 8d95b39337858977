// The scale on which ratings and their intervals are drawn.
import { s } from "../dom.js";
import { eloText } from "../format.js";

/** @import { LeaderboardRow } from "../types.js" */

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
