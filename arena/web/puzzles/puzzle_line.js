// The line of a puzzle: what the opponent answers, until the win is clear.

import { outcomeText } from "../format.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { PuzzleInfo } from "../types.js" */

/**
 * What follows a winning move: the opponent's reply, null at the end of the game, and why the line
 * ends, null if it goes on.
 * @typedef {{ reply: number | null, ending: string | null }} Continuation
 */

const DEPTH = 4; // plies of the search that chooses replies
const MOST_CHOICES = 3; // of the person in one line

/** The position in which the person has to find a winning move, and the way to the next one. */
export class PuzzleLine {
  #connection;
  #position;
  #choices = 1;
  /** @type {number[]} */
  moves;
  /** @type {number[]} */
  legal;
  /** @type {number[]} */
  winning;

  /**
   * @param {SpectatorConnection} connection
   * @param {PuzzleInfo} puzzle
   */
  constructor(connection, { game, setup, moves, legal_moves: legal, winning_moves: winning }) {
    this.#connection = connection;
    this.#position = { game, setup };
    this.moves = moves;
    this.legal = legal;
    this.winning = winning;
  }

  /** @param {number} move */
  wins(move) {
    return this.winning.includes(move);
  }

  /**
   * Return a move that wins for the opponent after a losing move, null if the game is over then.
   * @param {number} move
   */
  async refutation(move) {
    const { winning_moves: found } = await this.#analyse([...this.moves, move], null);
    return found?.[0] ?? null;
  }

  /**
   * Play a winning move and the opponent's reply.
   * @param {number} move
   * @returns {Promise<Continuation>}
   */
  async play(move) {
    const moves = [...this.moves, move];
    const { legal_moves: answers, search } = await this.#analyse(moves, DEPTH);
    if (!answers.length) return { reply: null, ending: await this.#outcome(moves) };
    const reply = search?.move ?? answers[0];
    const next = [...moves, reply];
    const { legal_moves: legal, winning_moves: winning } = await this.#analyse(next, null);
    if (!legal.length) return { reply, ending: await this.#outcome(next) };
    this.moves = next;
    this.legal = legal;
    this.winning = winning ?? legal;
    this.#choices++;
    return { reply, ending: this.#ending };
  }

  get #ending() {
    if (this.winning.length === this.legal.length) return "Every move wins now.";
    return this.#choices > MOST_CHOICES ? "The rest is won with perfect play, too." : null;
  }

  /**
   * @param {number[]} moves
   * @param {number | null} depth
   */
  #analyse(moves, depth) {
    return this.#connection.ask("analyse", { ...this.#position, moves, depth });
  }

  /** @param {number[]} moves */
  async #outcome(moves) {
    const { outcome } = await this.#connection.ask("find_position", { ...this.#position, moves });
    return outcome && outcomeText(outcome);
  }
}
