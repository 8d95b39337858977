// The board of Isolation: 8 by 8 squares.

import { availableHeight, Grid, onResize } from "/boards/grid.js";
import { h, loadStyleSheet, s, setStyle } from "/dom.js";
import { CORNERS, coordinates, describeMove, legalMoves, positionAfter, SIDE } from "./rules.js";

export * from "./rules.js";
export { drawThumbnail } from "./thumbnail.js";

/** @import { BoardOptions, BoardView, Setup } from "/types.js" */
/** @import { Position } from "./rules.js" */

await loadStyleSheet(new URL("board.css", import.meta.url).href);

/** The board: its cells show the squares, and a line shows the last move. */
export class Board {
  #grid;
  #line = s("path");
  /** @type {number[]} */
  #moves = [];

  /**
   * @param {Setup} _setup
   * @param {BoardOptions} [options]
   */
  constructor(_setup, { onMove } = {}) {
    const names = { label: "8 by 8 squares", className: "squares", cellName: "square" };
    this.#grid = new Grid({ ...names, count: SIDE * SIDE, onMove });
    this.#grid.layOut(SIDE);
    const properties = { class: "chain", viewBox: `0 0 ${SIDE} ${SIDE}`, "aria-hidden": "true" };
    const drawing = s("svg", properties, this.#line);
    const parts = [numbers("columns"), numbers("rows"), this.#grid.element, drawing];
    this.element = h("div", { class: "board" }, h("div", { class: "board-frame with-rim" }, parts));
    this.show({ moves: [] });
    onResize(this.element, width => {
      const size = Math.floor(Math.min(width - 28, availableHeight() - 20, 720) / SIDE);
      setStyle(this.element, { "--square": `${size}px` });
    });
  }

  /**
   * Show the position after `ply` of `moves`.
   * @param {BoardView} view
   */
  show({ moves, ply = moves.length, isInteractive = false, marks = new Map() }) {
    this.#moves = moves.slice(0, ply);
    const position = positionAfter(this.#moves);
    const legal = legalMoves({}, this.#moves);
    this.#grid.cells.forEach((cell, square) => {
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
    this.#grid.setLegalMoves(legal, isInteractive, position.pieces[position.turn]);
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
    const labels = ["free", `legal: ${describeMove({}, this.#moves, square)}`];
    if (!mark) return { classes: ["legal"], labels };
    return { classes: ["legal", mark], labels: [...labels, mark === "hint" ? "a hint" : "wins"] };
  }

  #drawLine() {
    const moves = this.#moves;
    const at = moves.length - 1;
    const from = moves[at - 2] ?? CORNERS[at % 2];
    this.#line.setAttribute("d", at < 0 ? "" : line(from, moves[at]));
    this.#line.setAttribute("class", at % 2 ? "two" : "one");
  }
}

/** @param {"columns" | "rows"} name */
const numbers = name =>
  h(
    "div",
    { class: `rim ${name}`, "aria-hidden": "true" },
    Array.from({ length: SIDE }, (_, at) => h("span", {}, at + 1)),
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
