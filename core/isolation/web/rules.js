// Isolation: rules and notation.

/** @import { Setup } from "/types.js" */
/** @typedef {{ pieces: [number, number], filled: Set<number>, turn: 0 | 1 }} Position */

export const SIDE = 8;
/** Where the pieces of player 1 and player 2 begin. */
export const CORNERS = [0, 63];

const DIRECTIONS = [
  [-1, -1],
  [-1, 0],
  [-1, 1],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 0],
  [1, 1],
];

export const isDrawable = () => true;

/**
 * Return the row and the column of a square, from 0 on.
 * @param {number} square
 */
export const coordinates = square => [Math.floor(square / SIDE), square % SIDE];

/**
 * Return the squares of both pieces, the filled squares, and whose turn it is.
 * @param {number[]} moves
 * @returns {Position}
 */
export function positionAfter(moves) {
  /** @type {[number, number]} */
  const pieces = [CORNERS[0], CORNERS[1]];
  /** @type {Set<number>} */
  const filled = new Set();
  moves.forEach((square, at) => {
    filled.add(pieces[at % 2]);
    pieces[at % 2] = square;
  });
  return { pieces, filled, turn: moves.length % 2 ? 1 : 0 };
}

/**
 * Return the legal moves as squares, ascending.
 * @param {Setup} _setup
 * @param {number[]} moves
 */
export function legalMoves(_setup, moves) {
  const { pieces, filled, turn } = positionAfter(moves);
  const [fromRow, fromColumn] = coordinates(pieces[turn]);
  /** @type {number[]} */
  const legal = [];
  for (const [down, right] of DIRECTIONS) {
    let row = fromRow + down;
    let column = fromColumn + right;
    while (row >= 0 && row < SIDE && column >= 0 && column < SIDE) {
      const square = SIDE * row + column;
      if (square === pieces[1 - turn] || filled.has(square)) break;
      legal.push(square);
      row += down;
      column += right;
    }
  }
  return legal.sort((one, other) => one - other);
}

/** @param {number} square */
export const formatMove = square =>
  `(${coordinates(square)
    .map(at => at + 1)
    .join(" ")})`;

/** @param {string} text */
export function parseMove(text) {
  const found = /^\s*\(?\s*([1-8])[\s,]+([1-8])\s*\)?\s*$/.exec(text);
  if (!found) {
    const given = text.trim();
    throw new Error(`A move is a row and a column from 1 to 8, such as 3 5, not “${given}”.`);
  }
  return SIDE * (Number(found[1]) - 1) + (Number(found[2]) - 1);
}

/**
 * Name the line of a legal move.
 * @param {Setup} _setup
 * @param {number[]} moves
 * @param {number} move
 */
export function describeMove(_setup, moves, move) {
  const { pieces, turn } = positionAfter(moves);
  const [fromRow, fromColumn] = coordinates(pieces[turn]);
  const [row, column] = coordinates(move);
  if (row === fromRow) return "along the row";
  return column === fromColumn ? "along the column" : "along the diagonal";
}

/**
 * Return the command that searches the position, with the board as its input.
 * @param {Setup} _setup
 * @param {number[]} moves
 */
export function commandLine(_setup, moves) {
  const { pieces, filled, turn } = positionAfter(moves);
  /** @param {number} square */
  const symbol = square => {
    const piece = pieces.indexOf(square);
    if (piece >= 0) return "xo"[piece];
    return filled.has(square) ? "*" : "-";
  };
  const rows = Array.from({ length: SIDE }, (_, row) =>
    Array.from({ length: SIDE }, (_, column) => symbol(SIDE * row + column)).join(" "),
  );
  const command = `python -m core.isolation answer ${"xo"[turn]} 10 4 <<END`;
  return [command, ...rows, "END"].join("\n");
}
