// The updates of the watched match.
import { loadGameModule } from "../boards/game_modules.js";
import { MatchState } from "./match_state.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { GameModule, MatchSnapshot } from "../types.js" */

/**
 * A screen that shows a match.
 * @typedef {{
 *   replace(match: MatchState): void,
 *   update(isNews?: boolean): void,
 *   lose(message: string): void,
 * }} Screen
 */

/**
 * `open` makes the screen when the match is known, `reject` reports why there is none.
 * @typedef {{
 *   connection: SpectatorConnection,
 *   id: number,
 *   signal: AbortSignal,
 *   open: (match: MatchState, module: GameModule | null) => Screen,
 *   reject: (message: string) => void,
 * }} FeedOptions
 */

/** Keeps the state of a watched match, and updates the screen that shows it. */
export class MatchFeed {
  #options;
  /** @type {MatchState | null} */
  #match = null;
  /** @type {Screen | null} */
  #screen = null;

  /** @param {FeedOptions} options */
  constructor(options) {
    this.#options = options;
    const { connection, id, signal } = options;
    connection.on("match", update => this.#receiveMatch(update), signal);
    connection.on(
      "moves",
      ({ moves }) => this.#apply(moves.match, match => match.apply(moves)),
      signal,
    );
    connection.on(
      "winners",
      update => this.#apply(update.match, match => match.applyWinners(update), false),
      signal,
    );
    connection.on(
      "result",
      ({ result }) => this.#apply(result.match, match => match.finish(result)),
      signal,
    );
    connection.on("error", ({ message }) => this.#receiveError(message), signal);
    connection.watch(id);
  }

  /** @param {MatchSnapshot} update */
  async #receiveMatch({ facts, moves, winners, result }) {
    const { connection, id, signal, open } = this.#options;
    if (facts.match !== id) return;
    const isFirst = !this.#match;
    const match = new MatchState(facts);
    match.apply(moves);
    if (winners) match.applyWinners({ ply: 0, winners });
    match.result = result;
    this.#match = match;
    this.#screen?.replace(match);
    if (!isFirst) return;
    const module = await loadGameModule(facts.game, connection.arena);
    if (signal.aborted) return;
    // The match may have been sent again while the module was loading.
    this.#screen = open(this.#match, module);
  }

  /**
   * @param {number} id
   * @param {(match: MatchState) => void} change
   */
  #apply(id, change, isNews = true) {
    if (id !== this.#options.id || !this.#match) return;
    change(this.#match);
    this.#screen?.update(isNews);
  }

  /** @param {string} message */
  #receiveError(message) {
    if (this.#match) this.#screen?.lose(message);
    else this.#options.reject(message);
  }
}
