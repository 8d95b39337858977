// The winning moves of the position on the board, from the solver.

/** @import { MatchState } from "./match_state.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Marks } from "../types.js" */

const DELAY = 250; // milliseconds without a step before the solver is asked

/** Asks the solver for the winning moves of one position after another. */
export class WinningMoves {
  #connection;
  #onChange;
  /** @type {string | null} the position, as its moves */
  #key = null;
  /** @type {Marks} */
  #marks = new Map();
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   * @param {() => void} onChange called when the winning moves are known
   */
  constructor(connection, signal, onChange) {
    this.#connection = connection;
    this.#onChange = onChange;
    signal.addEventListener("abort", () => {
      this.#key = null;
      clearTimeout(this.#timer);
    });
  }

  /**
   * Return the winning moves after `ply` moves as far as they are known, and ask for them if not.
   * @param {MatchState} match
   * @param {number} ply
   */
  marks(match, ply) {
    const moves = match.moves.slice(0, ply);
    const key = moves.join();
    if (this.#key !== key) {
      this.#key = key;
      this.#marks = new Map();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(key, match, moves), DELAY);
    }
    return this.#marks;
  }

  /**
   * @param {string} key
   * @param {MatchState} match
   * @param {number[]} moves
   */
  async #ask(key, { facts: { game, setup } }, moves) {
    try {
      const { winning_moves } = await this.#connection.ask("analyse", { game, setup, moves });
      if (this.#key !== key) return;
      this.#marks = new Map((winning_moves ?? []).map(move => [move, "winning"]));
      this.#onChange();
    } catch {
      this.#key = null; // asks again at the next step
    }
  }
}
