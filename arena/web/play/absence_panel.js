// What a player reads and can do while the opponent is disconnected.
import { h, isolated } from "../dom.js";
import { player } from "./player_connection.js";

const SECOND = 1000; // milliseconds between two updates

/** "Bert left, waiting 0:30", then buttons that claim the win or call the match off. */
export class AbsencePanel {
  #match;
  #status = h("span", { role: "status" });
  #countdown = h("span", { role: "timer" });
  #buttons;
  #opponent;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {number} match
   * @param {string} opponent
   * @param {AbortSignal} signal
   */
  constructor(match, opponent, signal) {
    this.#match = match;
    this.#opponent = opponent;
    /** @type {["win" | "none", string][]} */
    const results = [
      ["win", "Claim the win"],
      ["none", "Call the match off"],
    ];
    const buttons = results.map(([result, text]) =>
      h("button", { type: "button", onclick: () => player.claim(match, result) }, text),
    );
    this.#buttons = h("span", { class: "buttons" }, buttons);
    this.element = h("div", { class: "request", hidden: true }, [
      h("p", {}, this.#status, this.#countdown),
      this.#buttons,
    ]);
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  /** Show the absence of the opponent, or nothing; repeated each second of an absence. */
  update() {
    clearTimeout(this.#timer);
    const absence = player.absences.get(this.#match);
    this.element.hidden = !absence;
    if (!absence) {
      this.#status.replaceChildren();
      return;
    }
    if (!this.#status.hasChildNodes()) this.#status.append(isolated(this.#opponent), " left");
    const now = performance.now();
    const isWaiting = now < absence.claimAt;
    this.#buttons.hidden = isWaiting;
    this.#countdown.textContent = isWaiting
      ? `, waiting ${countdown(absence.claimAt - now)}`
      : `, you win in ${countdown(absence.endAt - now)}`;
    this.#timer = setTimeout(() => this.update(), SECOND);
  }
}

/**
 * "0:30"
 * @param {number} milliseconds
 */
function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / SECOND));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
