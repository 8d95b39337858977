// The stones of a position as the cells of a grid: what each looks like and how it is read out.
import { Grid } from "/boards/grid.js";
import { partnersOf } from "/boards/partners.js";
import { commonLength } from "./layout.js";
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
