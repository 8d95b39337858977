// The two players of a match with their clocks.

import { h, setText } from "../dom.js";
import { playerResult } from "../format.js";
import { botLink } from "../links.js";
import { clockText, controlOf, isUntimed } from "./match_state.js";

/** @import { MatchState } from "./match_state.js" */
/** @import { MatchInfo, Player, TimeControlInfo } from "../types.js" */

const TENTHS = 10_000; // milliseconds below which a clock shows tenths of a second
const WARNING = 300_000; // milliseconds that show the clock of a match that has almost none
const MAX_DELAY = 2 ** 31 - 1; // milliseconds of a timer

/**
 * Return the time below which a clock warns, in milliseconds.
 * @param {TimeControlInfo} control
 */
const lowTime = ({ base_ms }) => Math.min(10_000, base_ms / 5);

/**
 * Whether the clock is shown; who has an hour for a move sees it only if it runs out.
 * @param {TimeControlInfo} control
 * @param {number} remaining milliseconds
 */
const isClockShown = (control, remaining) => !isUntimed(control) || remaining <= WARNING;

/** Both panels. A running clock updates itself as long as the panels are on the page. */
export class PlayerPanels {
  #match;
  #ply = 0;
  #panels;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {MatchState} match
   * @param {Player | null} side that of the person who plays
   */
  constructor(match, side) {
    this.#match = match;
    const players = /** @type {const} */ ([1, 2]);
    this.#panels = players.map(player => new PlayerPanel(player, match.facts, player === side));
    const elements = this.#panels.map(panel => panel.element);
    const isTimed = players.some(player => !isUntimed(controlOf(match.facts, player)));
    this.element = h("div", { class: `players${isTimed ? "" : " untimed"}` }, elements);
  }

  /**
   * @param {MatchState} match
   * @param {number} ply
   */
  update(match, ply) {
    this.#match = match;
    this.#ply = ply;
    this.#tick();
  }

  #tick() {
    clearTimeout(this.#timer);
    const match = this.#match;
    const ply = this.#ply;
    const isLatest = ply === match.moves.length;
    const isRunning = isLatest && !match.isOver && match.turnStartedAt !== null;
    for (const panel of this.#panels) panel.update(match, ply, isRunning);
    const player = match.playerToMove(ply);
    if (!isRunning || !this.element.isConnected) return;
    const remaining = match.remainingMs(player, ply);
    if (remaining <= 0) return;
    const delay = remaining < TENTHS ? 50 : (remaining % 1000) + 5;
    const isShown = isClockShown(controlOf(match.facts, player), remaining);
    const hidden = Math.min(remaining - WARNING, MAX_DELAY);
    this.#timer = setTimeout(() => this.#tick(), isShown ? delay : hidden);
  }
}

/** The name of a player, the clock, and whether the player has won or is to move. */
class PlayerPanel {
  #player;
  #clock = h("span", { class: "clock" });
  #outcome = h("span", { class: "outcome" });
  #turn = h("span", { class: "hidden-text" });

  /**
   * @param {Player} player
   * @param {MatchInfo} facts
   * @param {boolean} isYou
   */
  constructor(player, facts, isYou) {
    this.#player = player;
    const link = botLink(facts.players[player - 1]);
    const label = h("span", { class: "hidden-text" }, `Player ${player}: `);
    const badge = isYou && h("span", { class: "badge" }, "you");
    this.element = h(
      "div",
      { class: "player" },
      h("span", { class: `player-${player}` }, label, link),
      [badge, this.#outcome, this.#turn, this.#clock],
    );
  }

  /**
   * @param {MatchState} match
   * @param {number} ply
   * @param {boolean} isRunning
   */
  update(match, ply, isRunning) {
    const control = controlOf(match.facts, this.#player);
    const isTurn = match.playerToMove(ply) === this.#player;
    const isEnd = match.isOver && ply === match.moves.length;
    const remaining = match.remainingMs(this.#player, ply);
    const { classList } = this.element;
    classList.toggle("on", isTurn && !isEnd);
    classList.toggle("running", isTurn && isRunning);
    classList.toggle("low", isTurn && isRunning && remaining < lowTime(control));
    this.#clock.hidden = !isClockShown(control, remaining);
    if (!this.#clock.hidden) setText(this.#clock, clockText(remaining));
    const outcome = playerResult(match.result, this.#player);
    setText(this.#outcome, outcome);
    classList.toggle("drawn", outcome === "draw");
    setText(this.#turn, isTurn && !isEnd ? ", to move" : "");
  }
}
