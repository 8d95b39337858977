// Take-Stones: rules and notation.

/** @import { Setup } from "/types.js" */

const MAX_DRAWN = 5000; // stones

/** @param {Setup} setup */
export const isDrawable = ({ stones }) => stones <= MAX_DRAWN;

/**
 * Return the legal moves, ascending. The moves so far are not checked.
 * @param {Setup} setup
 * @param {number[]} moves
 */
export function legalMoves({ stones }, moves) {
  const last = moves.at(-1);
  /** @type {number[]} */
  const legal = [];
  if (last === undefined) {
    for (let stone = 1; 2 * stone < stones; stone += 2) legal.push(stone);
    return legal;
  }
  const taken = new Set(moves);
  for (let stone = 1; 2 * stone <= last; stone++) if (last % stone === 0) legal.push(stone);
  for (let stone = 2 * last; stone <= stones; stone += last) legal.push(stone);
  return legal.filter(stone => !taken.has(stone));
}

/** @param {number} move */
export const formatMove = move => String(move);

/** @param {string} text */
export function parseMove(text) {
  if (!/^\s*\d{1,9}\s*$/.test(text)) {
    throw new Error(`A move is the number of a stone, such as 12, not “${text.trim()}”.`);
  }
  return Number(text);
}

/**
 * Describe how a legal move relates to the last one.
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number} move
 */
export function describeMove({ stones }, moves, move) {
  const last = moves.at(-1);
  if (last === undefined) return `odd and below ${stones / 2}`;
  return `${move < last ? "factor" : "multiple"} of ${last}`;
}

/**
 * Name the moves that the rules allow.
 * @param {Setup} setup
 * @param {number[]} moves
 */
export function describeTurn({ stones }, moves) {
  const last = moves.at(-1);
  if (last === undefined) return `an odd stone below ${stones / 2}`;
  return last === 1 ? "any stone" : `a factor or a multiple of ${last}`;
}

/**
 * Say why there is no move.
 * @param {Setup} _setup
 * @param {number[]} moves
 */
export function describeEnd(_setup, moves) {
  const last = moves.at(-1);
  return last === 1 ? "no stone is left" : `no factor or multiple of ${last} is left`;
}

/**
 * Name the rule that forbids a move, as a sentence.
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number} move
 */
export function explainIllegal({ stones }, moves, move) {
  const last = moves.at(-1);
  if (move < 1 || move > stones) return `There is no stone ${move}.`;
  if (moves.includes(move)) return `${move} is already taken.`;
  if (last !== undefined) return `${move} is neither a factor nor a multiple of ${last}.`;
  return `The first stone must be odd and below ${stones / 2}, which ${move} is not.`;
}

/**
 * Return the command that searches the position.
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number} depth plies, 0 for the end of the game
 */
export const commandLine = ({ stones }, moves, depth) =>
  ["python -m core.take_stones", stones, moves.length, ...moves, depth].join(" ");

// The rules in sentences, and the board on which they are learnt
/** @type {import("/types.js").Lesson} */
export const lesson = {
  setup: { stones: 12 },
  match: { stones: 40 },
  summary:
    "Take stones in turn: each must be a factor or a multiple of the one before, and who cannot move loses.",
  rules: [
    "The stones have the numbers from 1 on. Two players take them in turn.",
    "Player 1 begins with an odd stone below half of the number of stones.",
    "From then on each move takes a factor or a multiple of the stone taken last.",
    "A player who cannot move loses.",
  ],
};
