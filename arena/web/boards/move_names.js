// The names of the moves of a match of a game without a board, which only the arena knows.

/** @import { PositionInfo } from "../types.js" */

/** Names of moves by their place in the match, as far as the arena has told them. */
export class MoveNames {
  #write;
  /** @type {Map<string, string>} by place and move */
  #names = new Map();

  /** @param {(move: number) => string} write writes a move that no name is known of */
  constructor(write) {
    this.#write = write;
  }

  /**
   * Whether all moves have a name.
   * @param {number[]} moves
   */
  has(moves) {
    return moves.every((move, at) => this.#names.has(key(at, move)));
  }

  /**
   * Keep the names of moves, and of the legal moves of the position after `ply` of them.
   * @param {number[]} moves
   * @param {number} ply
   * @param {PositionInfo} position
   */
  learn(moves, ply, { played_names: played, legal_moves: legal, legal_names: names }) {
    for (const [at, move] of legal.entries()) this.#names.set(key(ply, move), names[at]);
    for (const [at, move] of moves.entries()) this.#names.set(key(at, move), played[at]);
  }

  /**
   * Return the name of a move, also of one that the arena has told none of.
   * @param {number} at the number of moves before it
   * @param {number} move
   */
  text(at, move) {
    return this.#names.get(key(at, move)) ?? this.#write(move);
  }
}

/**
 * @param {number} at
 * @param {number} move
 */
const key = (at, move) => `${at} ${move}`;
