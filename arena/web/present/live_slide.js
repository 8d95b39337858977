// The slide with a live match: its board, its players and how it ends.
import { createBoard } from "../boards/create_board.js";
import { loadGameModule } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { gameText, resultSentence } from "../format.js";
import { isFollowed } from "../links.js";
import { MatchState } from "../match/match_state.js";
import { PlayerPanels } from "../match/player_panels.js";

/** @import { Ratings } from "./slides.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Board, LobbyUpdate, MatchResult } from "../types.js" */

const RESULT_SHOWN = 5000; // milliseconds for which a finished match stays

/** Follows one live match to its end, then the best of the others. */
export class LiveSlide {
  element = h("section", { class: "slide live-slide", "aria-label": "Live match" });
  /** @type {Map<number, MatchState>} all live matches, in the order in which they began */
  #matches = new Map();
  /** @type {Map<number, MatchResult>} the latest results, by match */
  #results = new Map();
  /** @type {Ratings | null} null before they arrive: then no match is the best */
  #ratings = null;
  /** @type {MatchState | null} the match that is shown */
  #match = null;
  /** @type {Board | null} */
  #board = null;
  /** @type {PlayerPanels | null} */
  #panels = null;
  #ending = h("p", { class: "ending" });
  #endedAt = Infinity;
  #connection;
  #signal;

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  get isEmpty() {
    return !this.#match;
  }

  /** @param {Ratings} ratings */
  rate(ratings) {
    this.#ratings = ratings;
    this.tick();
  }

  /**
   * Return the rating of the weaker player, which is high where both are strong; the matches of
   * followed bots come before all others.
   * @param {MatchState} match
   */
  #quality({ facts: { game, players } }) {
    if (players.some(isFollowed)) return Infinity;
    const quality = Math.min(...players.map(name => this.#ratings?.of(game, name) ?? NaN));
    return Number.isNaN(quality) ? -Infinity : quality;
  }

  /** The live match whose weaker player is the strongest, the first of equal ones. */
  get #best() {
    /** @type {MatchState | null} */
    let best = null;
    for (const match of this.#matches.values()) {
      if (!best || this.#quality(match) > this.#quality(best)) best = match;
    }
    return best;
  }

  /** @param {LobbyUpdate} update */
  update({ full, started = [], moves = [], over = [], results }) {
    if (full) this.#matches.clear();
    if (results) this.#results = new Map(results.map(({ result }) => [result.match, result]));
    for (const facts of started) this.#matches.set(facts.match, new MatchState(facts));
    for (const update of moves) this.#matches.get(update.match)?.apply(update);
    for (const id of over) this.#matches.delete(id);
    // After a reconnection all live matches are sent anew, the shown one among them.
    this.#match = this.#matches.get(this.#match?.facts.match ?? -1) ?? this.#match;
    this.tick();
    this.#show();
  }

  /** Leave a match that has ended some seconds ago. */
  tick() {
    if (this.#match && !this.#matches.has(this.#match.facts.match)) this.#end(this.#match);
    const isLeft = performance.now() - this.#endedAt > RESULT_SHOWN;
    if (this.#match && !isLeft) return;
    const next = this.#ratings && this.#best;
    if (next) this.#open(next);
    else this.#match = null;
  }

  /** @param {MatchState} match */
  #end(match) {
    if (this.#endedAt === Infinity) this.#endedAt = performance.now();
    const result = this.#results.get(match.facts.match);
    if (!result || match.isOver) return;
    match.finish(result);
    this.#ending.replaceChildren(...resultSentence(match.facts, result));
    this.#show();
  }

  /** @param {MatchState} match */
  async #open(match) {
    const { arena } = this.#connection;
    const { facts } = match;
    this.#match = match;
    this.#endedAt = Infinity;
    this.#board = null;
    this.#ending.replaceChildren();
    const module = await loadGameModule(facts.game, arena);
    if (this.#signal.aborted || this.#match?.facts.match !== facts.match) return;
    const { game, setup } = facts;
    this.#board = createBoard(module, {
      game,
      setup,
      connection: this.#connection,
      signal: this.#signal,
      onMove: () => {},
    });
    this.#panels = new PlayerPanels(match, null);
    this.element.replaceChildren(
      h("div", { class: "live-board" }, this.#board.element),
      h(
        "div",
        { class: "live-side", "data-dock": "" },
        this.#panels.element,
        h("p", { class: "faint" }, gameText(arena, facts)),
        this.#ending,
      ),
    );
    this.#show();
  }

  #show() {
    if (!this.#match || !this.#board) return;
    const { moves } = this.#match;
    this.#board.show({ moves });
    this.#panels?.update(this.#match, moves.length);
  }
}
