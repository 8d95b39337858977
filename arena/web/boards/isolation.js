// Isolation: its rules, and the 8 by 8 squares.
import { colours } from "/colours.js";
import { h, s } from "/dom.js";
import { Grid, roomBelow, sharpen, whenResized } from "/grid.js";

const SIDE = 8;
const CORNERS = [0, 63]; // where player 1 and player 2 begin
const ALONG = { "0,1": "row", "1,0": "column", "1,1": "diagonal", "1,-1": "diagonal" };
const DIRECTIONS = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

export const isDrawable = () => true;

/** Where the pieces of player 1 and player 2 stand and which squares are filled. */
function position(moves) {
  const pieces = [...CORNERS], filled = new Set();
  moves.forEach((square, at) => {
    filled.add(pieces[at % 2]);
    pieces[at % 2] = square;
  });
  return { pieces, filled, player: moves.length % 2 };
}

/** The squares that may be gone to, ascending. */
export function legalMoves(setup, moves) {
  const { pieces, filled, player } = position(moves);
  const from = pieces[player], other = pieces[1 - player];
  const found = [];
  for (const [down, right] of DIRECTIONS) {
    let row = Math.floor(from / SIDE) + down, column = from % SIDE + right;
    for (; row >= 0 && row < SIDE && column >= 0 && column < SIDE; row += down, column += right) {
      const square = SIDE * row + column;
      if (square === other || filled.has(square)) break;
      found.push(square);
    }
  }
  return found.sort((one, two) => one - two);
}

export const moveName = square => `(${Math.floor(square / SIDE) + 1} ${square % SIDE + 1})`;

export function parseMove(text) {
  const found = /^\s*\(?\s*([1-8])[\s,]+([1-8])\s*\)?\s*$/.exec(text);
  if (!found) throw new Error(`A move is a row and a column from 1 to 8, such as 3 5, not “${text.trim()}”.`);
  return SIDE * (found[1] - 1) + (found[2] - 1);
}

/** Along which line a legal move goes, in words. */
export function relation(setup, moves, move) {
  const { pieces, player } = position(moves);
  const from = pieces[player];
  const down = Math.floor(move / SIDE) - Math.floor(from / SIDE), right = move % SIDE - from % SIDE;
  const sign = down < 0 || (down === 0 && right < 0) ? -1 : 1;
  return `along the ${ALONG[[Math.sign(down) * sign, Math.sign(right) * sign]]}`;
}

/** The command that searches the position, with the board as its input. */
export function commandLine(setup, moves) {
  const { pieces, filled, player } = position(moves);
  const symbol = square => square === pieces[0] ? "x" : square === pieces[1] ? "o" : filled.has(square) ? "*" : "-";
  const rows = Array.from({ length: SIDE }, (_, row) => Array.from({ length: SIDE }, (_, column) => symbol(SIDE * row + column)).join(" "));
  return [`python -m core.isolation answer ${"xo"[player]} 10 4 <<END`, ...rows, "END"].join("\n");
}

export class Board {
  #grid;
  #line;
  #moves = [];

  constructor(setup, { onmove } = {}) {
    this.#grid = new Grid({ label: "8 by 8 squares", className: "squares",
      cellName: "square", count: SIDE * SIDE, onmove });
    this.#grid.lay(SIDE);
    this.#line = s("path");
    const rim = name => h("div", { class: `rim ${name}`, "aria-hidden": "true" },
      Array.from({ length: SIDE }, (_, at) => h("span", {}, at + 1)));
    this.element = h("div", { class: "board" }, h("div", { class: "board-frame with-rim" }, rim("columns"), rim("rows"),
      this.#grid.element, s("svg", { class: "chain", viewBox: `0 0 ${SIDE} ${SIDE}`, "aria-hidden": "true" }, this.#line)));
    this.show({ moves: [] });
    whenResized(this.element, width => {
      const size = Math.floor(Math.min(width - 28, roomBelow() - 20, 720) / SIDE);
      this.element.style.setProperty("--square", `${size}px`);
    });
  }

  /** Show the position after `ply` of `moves`; `marks` are by move "winning" or "hint". */
  show({ moves, ply = moves.length, isInteractive = false, marks = new Map() }) {
    this.#moves = moves.slice(0, ply);
    const now = position(this.#moves), legal = legalMoves({}, this.#moves);
    this.#grid.cells.forEach((cell, square) => this.#paint(cell, square, now, legal.includes(square), marks.get(square)));
    this.#draw(this.#moves);
    this.#grid.offer(legal, isInteractive, now.pieces[now.player]);
  }

  #paint(cell, square, { pieces, filled }, isLegal, mark) {
    const moves = this.#moves;
    const piece = pieces.indexOf(square);
    let name = "square", label = `row ${Math.floor(square / SIDE) + 1} column ${square % SIDE + 1}, `;
    if (piece >= 0) {
      name += ` piece ${["one", "two"][piece]}${moves.length % 2 === piece ? " turn" : ""}`;
      label += `player ${piece + 1}, ${"xo"[piece]}`;
    } else if (filled.has(square)) [name, label] = [`${name} filled`, `${label}filled`];
    else if (isLegal) [name, label] = [`${name} legal`, `${label}free, legal: ${relation({}, moves, square)}`];
    else label += "free";
    if (piece >= 0 && square === moves.at(-1)) [name, label] = [`${name} last`, `${label}, the last move`];
    if (isLegal && mark) [name, label] = [`${name} ${mark}`, `${label}, ${mark === "hint" ? "a hint" : "wins"}`];
    if (cell.ariaLabel === label && cell.className === name) return;
    cell.className = name;
    cell.ariaLabel = label;
    cell.textContent = piece >= 0 ? "xo"[piece] : "";
  }

  #draw(moves) {
    const at = moves.length - 1;
    this.#line.setAttribute("d", at < 0 ? "" : path(moves[at - 2] ?? CORNERS[at % 2], moves[at]));
    this.#line.setAttribute("class", at % 2 ? "two" : "one");
  }
}

/** A line from the centre of a square to the rim of the piece on another. */
function path(from, to) {
  const [x1, y1, x2, y2] = [from % SIDE, Math.floor(from / SIDE), to % SIDE, Math.floor(to / SIDE)].map(at => at + 0.5);
  const short = 1 - 0.46 / Math.hypot(x2 - x1, y2 - y1);
  return `M${x1} ${y1}L${x1 + (x2 - x1) * short} ${y1 + (y2 - y1) * short}`;
}

/** Draw a small picture of the position. */
export function drawThumbnail(canvas, setup, moves) {
  const { context, width, height } = sharpen(canvas);
  const palette = colours();
  const { pieces, filled } = position(moves);
  const pitch = Math.min(width, height) / SIDE, size = pitch - 1;
  const left = (width - SIDE * pitch) / 2, top = (height - SIDE * pitch) / 2;
  const corner = square => [left + square % SIDE * pitch, top + Math.floor(square / SIDE) * pitch];
  context.clearRect(0, 0, width, height);
  for (let square = 0; square < SIDE * SIDE; square++) {
    context.fillStyle = filled.has(square) ? palette.faint : palette.shade;
    context.fillRect(...corner(square), size, size);
  }
  pieces.forEach((square, player) => {
    const [x, y] = corner(square);
    context.fillStyle = player ? palette.two : palette.one;
    context.beginPath();
    if (player) context.roundRect(x + size * 0.1, y + size * 0.1, size * 0.8, size * 0.8, size * 0.2);
    else context.arc(x + size / 2, y + size / 2, size * 0.42, 0, 7);
    context.fill();
  });
}
