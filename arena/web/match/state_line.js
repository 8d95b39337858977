// The line over the board.
import { h, setText } from "../dom.js";
import { stateText, thinkingText } from "./state_text.js";

/** @import { MatchState } from "./match_state.js" */
/** @import { GameModule, Player } from "../types.js" */

const SECOND = 1000; // milliseconds between updates of how long the opponent takes

/**
 * One line: whose turn it is or how the match has ended, then what can be done about it.
 *
 * A message takes the place of the state until the position changes.
 */
export class StateLine {
  #side;
  #module;
  /** @type {MatchState | null} */
  #match = null;
  #message = "";
  #position = ""; // in which the message was said
  #words = h("span");
  #clock = h("span", { "aria-hidden": "true" }); // or it would be announced each second
  #text = h("p", { role: "status" }, this.#words, this.#clock);
  actions = h("span", { class: "buttons" });

  /**
   * @param {Player | null} side
   * @param {GameModule | null} module
   * @param {AbortSignal} signal
   */
  constructor(side, module, signal) {
    this.#side = side;
    this.#module = module;
    this.element = h("div", { class: "state-line" }, this.#text, this.actions);
    const timer = side && setInterval(() => this.#show(), SECOND);
    signal.addEventListener("abort", () => clearInterval(timer ?? undefined));
  }

  /** What the line says, without the clock. */
  get words() {
    return this.#words.textContent;
  }

  /** @param {MatchState} match */
  update(match) {
    this.#match = match;
    if (positionOf(match) !== this.#position) this.#message = "";
    this.#show();
  }

  /**
   * Say something about the position, or nothing any more.
   * @param {string} message
   */
  say(message, isProblem = false) {
    this.#message = message;
    this.#position = this.#match ? positionOf(this.#match) : "";
    this.#text.classList.toggle("problem", isProblem && message !== "");
    this.#show();
  }

  #show() {
    const match = this.#match;
    if (!match) return;
    const isOwn = match.isLive && match.playerToMove() === this.#side;
    const { classList } = this.element;
    classList.toggle("is-live", match.isLive);
    classList.toggle("own", isOwn);
    classList.toggle("won", Boolean(match.result?.winner) && match.result?.winner === this.#side);
    setText(this.#clock, this.#message ? "" : thinkingText(match, this.#side));
    if (this.#message) {
      setText(this.#words, this.#message);
      return;
    }
    this.#text.classList.remove("problem");
    const parts = h("p", {}, stateText(match, this.#side, this.#module));
    // The same text is not announced again.
    if (this.#words.textContent !== parts.textContent) {
      this.#words.replaceChildren(...parts.childNodes);
    }
  }
}

/** @param {MatchState} match */
const positionOf = match => `${match.isLive} ${match.moves}`;
