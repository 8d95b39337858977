// A live match on a card of the lobby.

import { moveText } from "../boards/game_modules.js";
import { count, h, setText } from "../dom.js";
import { endingText, gameText, playerName } from "../format.js";
import { clockText, controlOf, isUntimed } from "../match/match_state.js";

/** @import { MatchState } from "../match/match_state.js" */
/** @import { ArenaInfo, GameModule, MatchResult, Player } from "../types.js" */

const LATEST = 5; // moves of a game without a thumbnail
const PLAYERS = /** @type {const} */ ([1, 2]);

/** A card, drawn when it is on screen and its match has changed. */
export class LiveCard {
  isVisible = false;
  isDirty = true;
  /** @type {GameModule | null | undefined} null if the game has none, undefined while it loads */
  module;
  #canvas = h("canvas", { "aria-hidden": "true" });
  #latestMoves = h("p", { class: "latest-moves", "aria-hidden": "true" });
  #stage = h("div", { class: "stage" }, this.#canvas);
  #clocks = PLAYERS.map(() => h("span", { class: "time-left" }));
  #note = h("span");

  /**
   * @param {MatchState} match
   * @param {ArenaInfo | null} arena
   */
  constructor(match, arena) {
    this.match = match;
    const { facts } = match;
    const game = gameText(arena, facts);
    const link = h("a", { class: "cover", href: `#/match/${facts.match}` }, [
      playerName(facts, 1),
      hidden(" against "),
      playerName(facts, 2),
      hidden(`, ${game}`),
    ]);
    const details = [h("span", {}, game), this.#note];
    const clocks = h("div", { class: "times-left" }, this.#clocks);
    const description = h("p", { class: "faint" }, details);
    this.element = h("li", { class: "live-card" }, this.#stage, link, clocks, description);
    this.draw();
  }

  /**
   * Show the result.
   * @param {MatchResult} result
   */
  finish(result) {
    this.match.finish(result);
    this.element.classList.add("over");
    const { winner } = result;
    const text = winner ? [playerName(this.match.facts, winner), "won"] : endingText(result);
    this.#stage.append(h("div", { class: `ended by-${winner}` }, text));
  }

  draw() {
    this.isDirty = false;
    const { moves, result } = this.match;
    this.#drawPosition();
    for (const [at, clock] of this.#clocks.entries()) {
      clock.classList.toggle("running", !result && at === moves.length % 2);
    }
    setText(this.#note, [` · ${count(moves.length, "move")}`, ...this.#latest].join(" · "));
    this.updateClocks();
  }

  /** Draw the thumbnail; a game whose thumbnail fails is shown as one without a module. */
  #drawPosition() {
    const { moves, facts } = this.match;
    try {
      this.module?.drawThumbnail(this.#canvas, facts.setup, moves);
    } catch (error) {
      console.error(`The thumbnail of ${facts.game} cannot be drawn:`, error);
      this.module = null;
    }
    if (this.module === null) this.#listLatestMoves();
  }

  /** Show the latest moves, for a game without a thumbnail. */
  #listLatestMoves() {
    const { moves } = this.match;
    const first = Math.max(0, moves.length - LATEST);
    const latest = moves.slice(first).map((move, at) => {
      const player = this.match.playerToMove(first + at);
      return h("span", { class: `player-${player}` }, move);
    });
    this.#latestMoves.replaceChildren(...latest);
    this.#canvas.replaceWith(this.#latestMoves);
  }

  /** The termination or the last move, if there is one. */
  get #latest() {
    const { moves, result } = this.match;
    if (result) return [endingText(result)];
    const last = moves.at(-1);
    return last === undefined ? [] : [`last ${moveText(this.module ?? null, last)}`];
  }

  updateClocks() {
    for (const player of PLAYERS) {
      if (!isUntimed(controlOf(this.match.facts, player))) this.#updateClock(player);
    }
  }

  /** @param {Player} player */
  #updateClock(player) {
    setText(this.#clocks[player - 1], clockText(this.match.remainingMs(player)));
  }
}

/** @param {string} text */
const hidden = text => h("span", { class: "hidden-text" }, text);
