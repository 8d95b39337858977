// The state of a watched match as the arena has sent it, and its updates.

import { loadGameModule } from "../boards/game_modules.js";
import { describeTime } from "../format.js";

/** @import { MatchInfo, MatchResult, MoveUpdate, Player, TimeControlInfo, ArenaInfo, GameModule, MatchSnapshot } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const HOUR_MS = 3_600_000;

/** A match: its facts, moves, times and result. */
export class MatchState {
  /** @type {number[]} */
  moves = [];
  /**
   * The charged time of each move.
   * @type {number[]}
   */
  chargedMs = [];
  /**
   * When the player to move began to think, by performance.now().
   * @type {number | null}
   */
  turnStartedAt = null;
  /**
   * The winners under perfect play of the positions after 0, 1, 2 ... moves, as far as they are
   * known; null without a solver.
   * @type {number[] | null}
   */
  winners = null;
  /** @type {MatchResult | null} */
  result = null;
  /** @type {string | null} why there are no more updates of an unfinished match */
  problem = null;

  /** @param {MatchInfo} facts */
  constructor(facts) {
    this.facts = facts;
  }

  /**
   * Replace all moves from a ply on.
   * @param {MoveUpdate} update
   */
  apply({ ply, moves, charged_ms, since_ms }) {
    this.moves.splice(ply, Infinity, ...moves);
    this.chargedMs.splice(ply, Infinity, ...charged_ms);
    this.turnStartedAt = since_ms === null ? null : performance.now() - since_ms;
    if (this.winners) this.winners.length = Math.min(this.winners.length, ply + 1);
  }

  /** @param {{ ply: number, winners: number[] }} update */
  applyWinners({ ply, winners }) {
    this.winners ??= [];
    if (ply <= this.winners.length) this.winners.splice(ply, Infinity, ...winners);
  }

  /** @param {MatchResult} result */
  finish(result) {
    this.result = result;
    this.turnStartedAt = null;
  }

  /**
   * End an unfinished match without a result.
   * @param {string} problem
   */
  lose(problem) {
    this.problem = problem;
    this.turnStartedAt = null;
  }

  get isOver() {
    return this.result !== null;
  }

  get isLive() {
    return !this.isOver && this.problem === null;
  }

  /** @returns {Player} */
  playerToMove(ply = this.moves.length) {
    return ply % 2 ? 2 : 1;
  }

  /**
   * Return the name of a player.
   * @param {Player} player
   */
  playerName(player) {
    return this.facts.players[player - 1];
  }

  /**
   * Return the time that a player has left after `ply` moves, in milliseconds. In the last position
   * of a live match it is running.
   * @param {Player} player
   */
  remainingMs(player, ply = this.moves.length) {
    const { base_ms, increment_ms, per_move } = controlOf(this.facts, player);
    let remaining = base_ms;
    if (!per_move) {
      for (let at = this.facts.opening; at < ply; at++) {
        if (this.playerToMove(at) === player) remaining += increment_ms - this.chargedMs[at];
      }
    }
    if (ply === this.moves.length && player === this.playerToMove(ply)) {
      if (this.result?.fault) remaining -= this.result.fault[1];
      else if (!this.isOver && this.turnStartedAt !== null) {
        remaining -= performance.now() - this.turnStartedAt;
      }
    }
    return Math.max(0, remaining);
  }

  /** The plies of all blunders: moves that gave up a winning position. */
  get blunders() {
    const winners = this.winners ?? [];
    const blunders = [];
    for (let ply = this.facts.opening; ply + 1 < winners.length; ply++) {
      const player = this.playerToMove(ply);
      if (winners[ply] === player && winners[ply + 1] !== player) blunders.push(ply);
    }
    return blunders;
  }
}

/**
 * Format a time as a clock shows it: 1:02:05, 12:05, 9.3.
 * @param {number} ms
 */
export function clockText(ms) {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  /** @param {number} number */
  const padded = number => String(number).padStart(2, "0");
  const seconds = Math.floor(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = padded(seconds % 60);
  return hours ? `${hours}:${padded(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/**
 * The time control of a player.
 * @param {MatchInfo} facts
 * @param {Player} player
 */
export const controlOf = ({ control, control2 }, player) =>
  player === 2 && control2 ? control2 : control;

/**
 * Whether a match is played without a clock: with an hour or more for each move.
 * @param {TimeControlInfo} control
 */
export const isUntimed = control => control.per_move && control.base_ms >= HOUR_MS;

/**
 * Format the time controls of a match: one, or both if they differ; an empty text without a clock.
 * @param {MatchInfo} facts
 */
export function controlsText({ control, control2 }) {
  const controls = control2 ? [control, control2] : [control];
  if (controls.every(isUntimed)) return "";
  return controls.map(({ text }) => describeTime(text)).join(" vs ");
}

// Help during matches between people

/**
 * Whether hints and who is winning may be shown: in a live match between people only if both have
 * agreed, also to spectators.
 * @param {MatchState} match
 * @param {ArenaInfo | null} arena
 */
export function mayHelp({ isLive, facts }, arena) {
  const isBetweenPeople = facts.casual && !facts.players.some(name => arena?.offers[name]);
  return !isLive || !isBetweenPeople || facts.hints === true;
}

// The updates of the match

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
