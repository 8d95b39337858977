// The board of Isolation: a square of squares.

import { Grid } from "/boards/grid.js";
import { onResize } from "/boards/room.js";
import { h, loadStyleSheet, s, setStyle } from "/dom.js";
import {
  coordinates,
  corners,
  describeMove,
  legalMoves,
  positionAfter,
  sideOf,
  squareAt,
} from "./rules.js";

export * from "./rules.js";
export { drawThumbnail } from "./thumbnail.js";

/** @import { BoardOptions, BoardView, Setup } from "/types.js" */
/** @import { Position } from "./rules.js" */

await loadStyleSheet(new URL("board.css", import.meta.url).href);

/** The board: its cells show the squares, and a line shows the last move. */
export class Board {
  #setup;
  #side;
  #grid;
  #line = s("path");
  /** @type {number[]} */
  #moves = [];

  /**
   * @param {Setup} setup
   * @param {BoardOptions} [options]
   */
  constructor(setup, { onMove = () => {} } = {}) {
    const side = sideOf(setup);
    this.#setup = setup;
    this.#side = side;
    const label = `${side} by ${side} squares`;
    this.#grid = new Grid({
      ...{ label, className: "squares", cellName: "square", count: side * side },
      onMove: index => onMove(this.#squareOf(index)),
    });
    this.#grid.layOut(side);
    const properties = { class: "chain", viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" };
    const drawing = s("svg", properties, this.#line);
    const rims = [numbers("columns", side), numbers("rows", side)];
    const frame = h("div", { class: "board-frame with-rim" }, rims, this.#grid.element, drawing);
    this.element = h("div", { class: "board" }, frame);
    setStyle(this.element, { "--side": String(side) });
    this.show({ moves: [] });
    // About its size: what surrounds it hardly moves afterwards.
    this.#resize(innerWidth - 24, innerHeight / 2);
    onResize(this.element, (width, height) => this.#resize(width, height));
  }

  /**
   * @param {number} width in pixels
   * @param {number} height
   */
  #resize(width, height) {
    const size = Math.floor(Math.min(width - 28, height - 28, 720) / this.#side);
    setStyle(this.element, { "--square": `${size}px` });
  }

  /**
   * Show the position after `ply` of `moves`.
   * @param {BoardView} view
   */
  show({ moves, ply = moves.length, isInteractive = false, marks = new Map() }) {
    this.#moves = moves.slice(0, ply);
    const position = positionAfter(this.#setup, this.#moves);
    const legal = legalMoves(this.#setup, this.#moves);
    this.#grid.cells.forEach((cell, index) => {
      const square = this.#squareOf(index);
      const isLegal = legal.includes(square);
      const { classes, labels } = this.#describe(square, position, isLegal, marks.get(square));
      const className = ["square", ...classes].join(" ");
      const [row, column] = coordinates(square);
      const label = `row ${row + 1} column ${column + 1}, ${labels.join(", ")}`;
      if (cell.ariaLabel === label && cell.className === className) return;
      cell.className = className;
      cell.ariaLabel = label;
      cell.textContent = "xo"[position.pieces.indexOf(square)] ?? "";
    });
    this.#drawLine();
    const [chosen, ...cells] = [position.pieces[position.turn], ...legal].map(square =>
      this.#indexOf(square),
    );
    this.#grid.setLegalMoves(cells, isInteractive, chosen);
  }

  /**
   * Return the square of a cell.
   * @param {number} index
   */
  #squareOf(index) {
    return squareAt(Math.floor(index / this.#side), index % this.#side);
  }

  /**
   * Return the cell of a square.
   * @param {number} square
   */
  #indexOf(square) {
    const [row, column] = coordinates(square);
    return this.#side * row + column;
  }

  /**
   * @param {number} square
   * @param {Position} position
   * @param {boolean} isLegal
   * @param {"winning" | "hint" | undefined} mark
   */
  #describe(square, { pieces, filled, turn }, isLegal, mark) {
    const piece = pieces.indexOf(square);
    if (piece >= 0) {
      const isLast = square === this.#moves.at(-1);
      const classes = ["piece", ["one", "two"][piece]];
      if (turn === piece) classes.push("turn");
      if (isLast) classes.push("last");
      const labels = [`player ${piece + 1}`, "xo"[piece]];
      return { classes, labels: isLast ? [...labels, "the last move"] : labels };
    }
    if (filled.has(square)) return { classes: ["filled"], labels: ["filled"] };
    if (!isLegal) return { classes: [], labels: ["free"] };
    const labels = ["free", `legal: ${describeMove(this.#setup, this.#moves, square)}`];
    if (!mark) return { classes: ["legal"], labels };
    return { classes: ["legal", mark], labels: [...labels, mark === "hint" ? "a hint" : "wins"] };
  }

  #drawLine() {
    const moves = this.#moves;
    const at = moves.length - 1;
    const from = moves[at - 2] ?? corners(this.#setup)[at % 2];
    this.#line.setAttribute("d", at < 0 ? "" : line(from, moves[at]));
    this.#line.setAttribute("class", at % 2 ? "two" : "one");
  }
}

/**
 * @param {"columns" | "rows"} name
 * @param {number} count
 */
const numbers = (name, count) =>
  h(
    "div",
    { class: `rim ${name}`, "aria-hidden": "true" },
    Array.from({ length: count }, (_, at) => h("span", {}, at + 1)),
  );

/**
 * Return a line from the centre of a square to the edge of the piece on another.
 * @param {number} from
 * @param {number} to
 */
function line(from, to) {
  const [y1, x1] = coordinates(from).map(at => at + 0.5);
  const [y2, x2] = coordinates(to).map(at => at + 0.5);
  const share = 1 - 0.46 / Math.hypot(x2 - x1, y2 - y1);
  return `M${x1} ${y1}L${x1 + (x2 - x1) * share} ${y1 + (y2 - y1) * share}`;
}
