// The board of Take-Stones: the stones as a grid.

import { availableHeight, Grid, onResize } from "/boards/grid.js";
import { h, loadStyleSheet, s, setStyle } from "/dom.js";
import { arrange, commonLength } from "./layout.js";
import { describeMove, legalMoves } from "./rules.js";

export * from "./rules.js";
export { drawThumbnail } from "./thumbnail.js";

/** @import { BoardOptions, BoardView, Marks, Setup } from "/types.js" */
/** @typedef {[x: number, y: number]} Point */

const LINES = 7; // the latest moves that are joined by lines

await loadStyleSheet(new URL("board.css", import.meta.url).href);

/**
 * The board: its cells show the stones, and lines join the latest moves.
 *
 * A position is changed cell by cell, as there may be thousands.
 */
export class Board {
  #setup;
  #grid;
  #lines;
  #drawing;
  /** @type {number[]} */
  #moves = [];
  /** @type {number[]} */
  #legal = [];
  /** @type {Marks} */
  #marks = new Map();
  /** @type {Map<number, number>} the number of the move that took each stone */
  #plies = new Map();
  /** @type {string[]} the content of each cell */
  #keys = [];
  #columns = 1;
  #pitch = 1; // pixels from one stone to the next
  #rowPitch = 1;
  #radius = 1;

  /**
   * @param {Setup} setup
   * @param {BoardOptions} [options]
   */
  constructor(setup, { onMove } = {}) {
    this.#setup = setup;
    this.#grid = createGrid(setup.stones, onMove);
    this.#lines = Array.from({ length: LINES }, (_, age) =>
      s("path", { "stroke-opacity": 0.95 * 0.8 ** age }),
    );
    const properties = { class: "chain", "aria-hidden": "true" };
    this.#drawing = s("svg", properties, [...this.#lines].reverse());
    const frame = h("div", { class: "board-frame" }, this.#grid.element, this.#drawing);
    this.element = h("div", { class: "board" }, frame);
    for (let stone = 1; stone <= setup.stones; stone++) this.#showStone(stone, false);
    this.#resize(Math.min(innerWidth - 24, 800));
    onResize(this.element, width => this.#resize(width));
  }

  /**
   * Show the position after `ply` of `moves`.
   * @param {BoardView} view
   */
  show({ moves: all, ply = all.length, isInteractive = false, marks = new Map() }) {
    const moves = all.slice(0, ply);
    const legal = legalMoves(this.#setup, moves);
    const common = commonLength(this.#moves, moves);
    const unchanged = Math.max(0, common - 1);
    const changed = new Set([
      ...[...this.#legal, ...legal],
      ...[...this.#marks.keys(), ...marks.keys()],
      ...[...this.#moves.slice(unchanged), ...moves.slice(unchanged)],
    ]);
    for (const stone of this.#moves.slice(common)) this.#plies.delete(stone);
    for (let at = common; at < moves.length; at++) this.#plies.set(moves[at], at + 1);
    this.#moves = moves;
    this.#legal = legal;
    this.#marks = marks;
    const isLegal = new Set(legal);
    for (const stone of changed) this.#showStone(stone, isLegal.has(stone));
    this.#drawLines();
    this.#grid.setLegalMoves(legal, isInteractive, isInteractive ? legal[0] : moves.at(-1));
  }

  /**
   * @param {number} stone
   * @param {boolean} isLegal
   */
  #showStone(stone, isLegal) {
    const cell = this.#grid.cells[stone - 1];
    if (!cell) return; // an illegal move may be any number
    const ply = this.#plies.get(stone);
    const { classes, labels } = ply ? this.#takenStone(ply) : this.#freeStone(stone, isLegal);
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
    if (ply === this.#moves.length) {
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
    const relation = describeMove(this.#setup, this.#moves, stone);
    const classes = ["legal", relation.split(" ")[0]];
    const labels = ["free", `legal: ${relation}`];
    const mark = this.#marks.get(stone);
    if (mark) {
      classes.push(mark);
      labels.push(mark === "hint" ? "a hint" : "wins");
    }
    return { classes, labels };
  }

  /** @param {number} width */
  #resize(width) {
    const height = availableHeight();
    const { columns, pitch } = arrange(this.#setup.stones, width, height);
    const rows = Math.ceil(this.#setup.stones / columns);
    this.#columns = columns;
    this.#pitch = Math.floor(pitch);
    // Rows of tiny stones are easier to read with space between them.
    const spaced = this.#pitch < 30 ? 1.25 * this.#pitch : 0;
    this.#rowPitch = Math.floor(Math.max(this.#pitch, Math.min(spaced, height / rows)));
    const gap = Math.max(1, Math.round(this.#pitch * 0.09) - 1);
    this.#radius = (this.#pitch - gap) / 2;
    this.#grid.layOut(columns);
    const gridHeight = (rows - 1) * this.#rowPitch + this.#pitch - gap;
    this.#setSizes(gap, columns * this.#pitch - gap, gridHeight);
    this.#drawLines();
  }

  /**
   * @param {number} gap
   * @param {number} width
   * @param {number} height
   */
  #setSizes(gap, width, height) {
    const { element } = this.#grid;
    const size = this.#pitch - gap;
    const digits = String(this.#setup.stones - 1).length;
    setStyle(element, {
      width: `${width}px`,
      "--size": `${size}px`,
      "--gap": `${gap}px`,
      "--row-gap": `${this.#rowPitch - size}px`,
      "--digits": `${([0, 0.42, 0.42, 0.45][digits] ?? 1.6 / digits) * size}px`,
    });
    element.classList.toggle("small", this.#pitch < 46);
    element.classList.toggle("tiny", this.#pitch < 30);
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    setStyle(this.#drawing, { "stroke-width": `${Math.max(1.5, this.#pitch * 0.045)}px` });
  }

  #drawLines() {
    this.#lines.forEach((line, age) => {
      const at = this.#moves.length - 1 - age;
      const ends = at > 0 ? [this.#centre(this.#moves[at - 1]), this.#centre(this.#moves[at])] : [];
      line.setAttribute("d", at > 0 ? curve(ends[0], ends[1], this.#radius) : "");
      line.setAttribute("class", at % 2 ? "two" : "one");
    });
  }

  /**
   * @param {number} stone
   * @returns {Point}
   */
  #centre(stone) {
    const column = (stone - 1) % this.#columns;
    const row = Math.floor((stone - 1) / this.#columns);
    return [column * this.#pitch + this.#radius, row * this.#rowPitch + this.#radius];
  }
}

/**
 * @param {number} stones
 * @param {((move: number) => void) | undefined} onMove
 */
function createGrid(stones, onMove) {
  const label = `${stones} stones, row by row`;
  const names = { className: "stones", cellName: "stone" };
  const grid = new Grid({ label, ...names, count: stones, first: 1, onMove });
  grid.cells.forEach((cell, index) => {
    cell.textContent = String(index + 1);
    if (index >= 999) cell.dataset.long = "";
  });
  return grid;
}

/**
 * Return a curve from the edge of one stone to that of another: curves in one row do not overlap.
 * @param {Point} from
 * @param {Point} to
 * @param {number} radius
 */
function curve([x1, y1], [x2, y2], radius) {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(0.18 * length, 3 * radius) * 1.2;
  const cx = (x1 + x2) / 2 + (dy / length) * bend;
  const cy = (y1 + y2) / 2 - (dx / length) * bend;
  /** @param {Point} centre */
  const edge = ([x, y]) => {
    const distance = Math.hypot(cx - x, cy - y) || 1;
    return point([x + ((cx - x) / distance) * radius, y + ((cy - y) / distance) * radius]);
  };
  return `M${edge([x1, y1])}Q${point([cx, cy])} ${edge([x2, y2])}`;
}

/** @param {Point} point */
const point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
