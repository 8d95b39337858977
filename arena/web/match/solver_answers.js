// What the solver says about the position on the board.

/** @import { MatchState } from "./match_state.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Analysis, Matching } from "../types.js" */

/** @typedef {{ analyse: Analysis, find_matching: Matching }} Answers by the questions */

const DELAY = 250; // milliseconds without a step before the solver is asked

/**
 * Asks one question about one position after another.
 * @template {keyof Answers} Q
 */
export class SolverAnswers {
  #question;
  #connection;
  #onChange;
  /** @type {string | null} the position, as its moves */
  #key = null;
  /** @type {Answers[Q] | null} */
  #answer = null;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {Q} question
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   * @param {() => void} onChange called when an answer is known
   */
  constructor(question, connection, signal, onChange) {
    this.#question = question;
    this.#connection = connection;
    this.#onChange = onChange;
    signal.addEventListener("abort", () => {
      this.#key = null;
      clearTimeout(this.#timer);
    });
  }

  /**
   * Return the answer after `ply` moves, null until it is known, and ask for it if it is not.
   * @param {MatchState} match
   * @param {number} ply
   */
  find(match, ply) {
    const moves = match.moves.slice(0, ply);
    const key = moves.join();
    if (this.#key !== key) {
      this.#key = key;
      this.#answer = null;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(key, match, moves), DELAY);
    }
    return this.#answer;
  }

  /**
   * @param {string} key
   * @param {MatchState} match
   * @param {number[]} moves
   */
  async #ask(key, { facts: { game, setup } }, moves) {
    try {
      const answer = await this.#connection.ask(this.#question, { game, setup, moves });
      if (this.#key !== key) return;
      this.#answer = /** @type {any} */ (answer);
      this.#onChange();
    } catch {
      if (this.#key === key) this.#key = null; // asks again at the next step
    }
  }
}
