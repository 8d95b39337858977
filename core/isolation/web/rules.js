// Isolation: rules and notation.

/** @import { Setup } from "/types.js" */

/** @typedef {{ pieces: [number, number], filled: Set<number>, turn: 0 | 1 }} Position */

const LARGEST = 8; // rows and columns, by which the squares of all boards are numbered

/**
 * Return the number of rows, and of columns. Setups of old matches do not have it.
 * @param {Setup} setup
 */
export const sideOf = ({ size = LARGEST }) => size;

/**
 * Return where the pieces of player 1 and player 2 begin.
 * @param {Setup} setup
 */
export const corners = setup => [0, squareAt(sideOf(setup) - 1, sideOf(setup) - 1)];

const SECONDS = 60; // for the search of the command: more than the page takes to the same depth

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
export const coordinates = square => [Math.floor(square / LARGEST), square % LARGEST];

/**
 * @param {number} row
 * @param {number} column
 */
export const squareAt = (row, column) => LARGEST * row + column;

/**
 * Return the squares of both pieces, the filled squares, and whose turn it is.
 * @param {Setup} setup
 * @param {number[]} moves
 * @returns {Position}
 */
export function positionAfter(setup, moves) {
  const [one, two] = corners(setup);
  /** @type {[number, number]} */
  const pieces = [one, two];
  /** @type {Set<number>} */
  const filled = new Set();
  moves.forEach((square, at) => {
    filled.add(pieces[at % 2]);
    pieces[at % 2] = square;
  });
  return { pieces, filled, turn: moves.length % 2 ? 1 : 0 };
}

export const describeTurn = () => "along a row, a column or a diagonal";

export const describeEnd = () => "no free square can be reached";

/**
 * Return the legal moves as squares, ascending.
 * @param {Setup} setup
 * @param {number[]} moves
 */
export function legalMoves(setup, moves) {
  const side = sideOf(setup);
  const { pieces, filled, turn } = positionAfter(setup, moves);
  const [fromRow, fromColumn] = coordinates(pieces[turn]);
  /** @type {number[]} */
  const legal = [];
  for (const [down, right] of DIRECTIONS) {
    let row = fromRow + down;
    let column = fromColumn + right;
    while (row >= 0 && row < side && column >= 0 && column < side) {
      const square = squareAt(row, column);
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
  return squareAt(Number(found[1]) - 1, Number(found[2]) - 1);
}

/**
 * Name the line of a legal move.
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number} move
 */
export function describeMove(setup, moves, move) {
  const { pieces, turn } = positionAfter(setup, moves);
  const [fromRow, fromColumn] = coordinates(pieces[turn]);
  const [row, column] = coordinates(move);
  if (row === fromRow) return "along the row";
  return column === fromColumn ? "along the column" : "along the diagonal";
}

/**
 * Name the rule that forbids a move, as a sentence.
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number} move
 */
export function explainIllegal(setup, moves, move) {
  const { pieces, filled, turn } = positionAfter(setup, moves);
  const [to, from] = [move, pieces[turn]].map(formatMove);
  if (pieces.includes(move)) return `There is a piece on ${to}.`;
  if (filled.has(move)) return `${to} is filled: a piece has left it.`;
  const [[row, column], [fromRow, fromColumn]] = [move, pieces[turn]].map(coordinates);
  const [down, right] = [Math.abs(row - fromRow), Math.abs(column - fromColumn)];
  if (down && right && down !== right) return `${to} is on no row, column or diagonal of ${from}.`;
  return `The way from ${from} to ${to} is not free.`;
}

/**
 * Return the command that searches the position, with the board as its input.
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number} depth plies, 0 for the end of the game
 */
export function commandLine(setup, moves, depth) {
  const side = sideOf(setup);
  const { pieces, filled, turn } = positionAfter(setup, moves);
  /** @param {number} square */
  const symbol = square => {
    const piece = pieces.indexOf(square);
    if (piece >= 0) return "xo"[piece];
    return filled.has(square) ? "*" : "-";
  };
  const rows = Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, column) => symbol(squareAt(row, column))).join(" "),
  );
  const command = `python -m core.isolation answer ${"xo"[turn]} ${SECONDS} ${depth} <<END`;
  return [command, ...rows, "END"].join("\n");
}

// The rules in sentences, and the board on which they are learnt
/** @type {import("/types.js").Lesson} */
export const lesson = {
  setup: { size: 5 },
  match: { size: 6 },
  summary:
    "Move your piece as a queen in chess: the square that it leaves is filled, and who cannot move loses.",
  rules: [
    "The pieces x and o begin in opposite corners.",
    "A piece moves as a queen in chess: along a row, a column or a diagonal, any number of squares.",
    "The square that it leaves is filled. No piece moves through a filled square or the other piece.",
    "A player whose piece cannot move loses.",
  ],
};
