// The stones that matter for the next move, large enough for a finger.
import { h } from "/dom.js";
import { describeMove } from "./rules.js";

/** @import { Marks, Setup } from "/types.js" */
/** @typedef {{ moves: number[], legal: number[], marks: Marks, isInteractive: boolean }} View */

/** The latest moves, and the legal stones as buttons, the winning ones first. */
export class RelevantStones {
  #setup;
  #onMove;
  #taken = h("div", { class: "few-stones", role: "group", "aria-label": "Latest stones" });
  #legal = h("div", { class: "few-stones", role: "group", "aria-label": "Legal stones" });

  /**
   * @param {Setup} setup
   * @param {(move: number) => void} [onMove]
   */
  constructor(setup, onMove = () => {}) {
    this.#setup = setup;
    this.#onMove = onMove;
    const parts = [h("p", { class: "hint" }, "Latest moves"), this.#taken];
    const choices = [h("p", { class: "hint" }, "Legal stones"), this.#legal];
    this.element = h("div", { class: "relevant" }, parts, choices);
  }

  /**
   * @param {View} view
   * @param {number} count of the latest moves
   */
  show({ moves, legal, marks, isInteractive }, count) {
    const hasFocus = this.#legal.contains(document.activeElement);
    const first = Math.max(0, moves.length - count);
    this.#taken.replaceChildren(...moves.slice(first).map((stone, at) => taken(stone, first + at)));
    const isMarked = (/** @type {number} */ stone) => Number(marks.has(stone));
    const sorted = [...legal].sort((one, two) => isMarked(two) - isMarked(one) || one - two);
    const buttons = sorted.map(stone => {
      const relation = describeMove(this.#setup, moves, stone);
      return this.#button(stone, relation, marks.get(stone), isInteractive);
    });
    this.#legal.replaceChildren(...buttons);
    if (hasFocus) buttons[0]?.focus();
  }

  /**
   * @param {number} stone
   * @param {string} relation
   * @param {"winning" | "hint" | undefined} mark
   * @param {boolean} isInteractive
   */
  #button(stone, relation, mark, isInteractive) {
    const meaning = mark && (mark === "hint" ? "a hint" : "wins");
    const properties = {
      type: "button",
      class: ["stone", "legal", relation.split(" ")[0], mark].filter(Boolean).join(" "),
      "aria-label": [`stone ${stone}`, relation, meaning].filter(Boolean).join(", "),
      "aria-disabled": isInteractive ? null : "true",
      onclick: () => isInteractive && this.#onMove(stone),
    };
    return h("button", properties, stone);
  }
}

/**
 * @param {number} stone
 * @param {number} ply at which it was taken, from 0 on
 */
function taken(stone, ply) {
  const label = `stone ${stone}, move ${ply + 1}`;
  const side = ply % 2 ? "two" : "one";
  const data = { ply: String(ply + 1) };
  return h("span", { class: `stone taken ${side}`, role: "img", "aria-label": label, data }, stone);
}
