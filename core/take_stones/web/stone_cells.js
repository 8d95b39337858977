// The stones of a position as the cells of a grid: what each looks like, how it is read out, and how
// the cells are arranged.

import { partnersOf } from "/boards/graph_layout.js";
import { Grid } from "/boards/grid.js";
import { h } from "/dom.js";
import { describeMove, legalMoves } from "./rules.js";

/** @import { BoardView, Marks, Matching, Setup } from "/types.js" */

/** The cells; a position is changed cell by cell, as there may be thousands. */
export class StoneCells {
  #setup;
  /** @type {number[]} */
  moves = [];
  /** @type {number[]} */
  legal = [];
  /** @type {Marks} */
  marks = new Map();
  isInteractive = false;
  /** @type {Map<number, number>} the number of the move that took each stone */
  #plies = new Map();
  /** @type {Matching | null} */
  #matching = null;
  /** @type {Map<number, number>} the partner of each stone in the matching */
  partners = new Map();
  /** @type {string[]} the content of each cell */
  #keys = [];

  /**
   * @param {Setup} setup
   * @param {string} label
   * @param {((move: number) => void) | undefined} onMove
   */
  constructor(setup, label, onMove) {
    this.#setup = setup;
    const names = { className: "stones", cellName: "stone" };
    this.grid = new Grid({ label, ...names, count: setup.stones, first: 1, onMove });
    this.grid.cells.forEach((cell, index) => {
      cell.textContent = String(index + 1);
      if (index >= 999) cell.dataset.long = "";
    });
    for (let stone = 1; stone <= setup.stones; stone++) this.#show(stone, false);
  }

  /** The stone that wins by the matching, null without one. */
  get answer() {
    return this.#matching?.answer ?? null;
  }

  /**
   * Show the position after `ply` of `moves`; labels name the partners in a matching.
   * @param {BoardView} view
   */
  show({
    moves: all,
    ply = all.length,
    isInteractive = false,
    marks = new Map(),
    matching = null,
  }) {
    const moves = all.slice(0, ply);
    const legal = legalMoves(this.#setup, moves);
    const common = commonLength(this.moves, moves);
    const unchanged = Math.max(0, common - 1);
    const partners = partnersOf(matching?.pairs ?? []);
    const changed = new Set([
      ...[...this.legal, ...legal],
      ...[...this.marks.keys(), ...marks.keys()],
      ...[...this.moves.slice(unchanged), ...moves.slice(unchanged)],
      ...(matching === this.#matching ? [] : [...this.partners.keys(), ...partners.keys()]),
    ]);
    for (const stone of this.moves.slice(common)) this.#plies.delete(stone);
    for (let at = common; at < moves.length; at++) this.#plies.set(moves[at], at + 1);
    this.moves = moves;
    this.legal = legal;
    this.marks = marks;
    this.#matching = matching;
    this.partners = partners;
    this.isInteractive = isInteractive;
    const isLegal = new Set(legal);
    for (const stone of changed) this.#show(stone, isLegal.has(stone));
    this.grid.setLegalMoves(legal, isInteractive, isInteractive ? legal[0] : moves.at(-1));
  }

  /** @param {number} stone */
  isTaken(stone) {
    return this.#plies.has(stone);
  }

  /**
   * @param {number} stone
   * @param {boolean} isLegal
   */
  #show(stone, isLegal) {
    const cell = this.grid.cells[stone - 1];
    if (!cell) return; // an illegal move may be any number
    const ply = this.#plies.get(stone);
    const { classes, labels } = ply ? this.#takenStone(ply) : this.#freeStone(stone, isLegal);
    const partner = this.partners.get(stone);
    if (partner !== undefined) labels.push(`partner ${partner}`);
    const className = ["stone", ...classes].join(" ");
    const label = `stone ${stone}, ${labels.join(", ")}`;
    if (this.#keys[stone] === className + label) return;
    this.#keys[stone] = className + label;
    cell.className = className;
    cell.ariaLabel = label;
    cell.dataset.ply = String(ply ?? "");
  }

  /** @param {number} ply */
  #takenStone(ply) {
    const isFirst = ply % 2 === 1;
    const classes = ["taken", isFirst ? "one" : "two"];
    const labels = [`taken by player ${isFirst ? 1 : 2} as move ${ply}`];
    if (ply === this.moves.length) {
      classes.push("last");
      labels.push("the last");
    }
    return { classes, labels };
  }

  /**
   * @param {number} stone
   * @param {boolean} isLegal
   */
  #freeStone(stone, isLegal) {
    if (!isLegal) return { classes: [], labels: ["free"] };
    const relation = describeMove(this.#setup, this.moves, stone);
    const classes = ["legal", relation.split(" ")[0]];
    const labels = ["free", `legal: ${relation}`];
    const mark = this.marks.get(stone);
    if (mark) {
      classes.push(mark);
      labels.push(mark === "hint" ? "a hint" : "wins");
    }
    if (stone === this.answer) classes.push("reply");
    return { classes, labels };
  }
}

// The arrangement of the stones in rows

/** @typedef {{ columns: number, pitch: number }} Layout */

/**
 * Return the number of columns in which the stones read best, and the size of a cell in pixels.
 * @param {number} stones
 * @param {number} width
 * @param {number} height
 * @returns {Layout}
 */
export function arrange(stones, width, height, { largest = 104, smallest = 18 } = {}) {
  let best = { columns: 1, pitch: 0, score: -1 };
  for (let columns = 1; columns <= Math.min(stones, 60); columns++) {
    // In many rows a stone is only easy to find if each row begins at a round number.
    if (stones > 30 && columns % (columns > 30 ? 10 : 5)) continue;
    const rows = Math.ceil(stones / columns);
    const pitch = Math.min(largest, width / columns, Math.max(height / rows, smallest));
    const filled = stones / (rows * columns);
    const visible = Math.min(1, height / (rows * pitch)) ** 0.3;
    const shape = (1 - 0.02 * Math.min(rows, 10)) * (columns < rows ? 0.85 : 1);
    const score = pitch * filled * visible * shape;
    if (score > best.score) best = { columns, pitch, score };
  }
  return best;
}

/**
 * Return the length of the common beginning of two lists of moves.
 * @param {number[]} one
 * @param {number[]} other
 */
export function commonLength(one, other) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

// The stones that matter for the next move, large enough for a finger

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
