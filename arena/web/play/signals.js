// What a player is told beside the board: the own turn while looking elsewhere, by a quiet sound and
// the title of the tab, and the absence of the opponent.
import { h, icon, isolated } from "../dom.js";
import { load, save } from "../storage.js";
import { player } from "./player_connection.js";

const KEY = "turn-signal";
const VOLUME = 0.06; // of 1
const DURATION = 0.18; // seconds

/** A button that switches both off or on, remembered by the browser. */
export class TurnSignal {
  #onChange;
  #isOn = load(KEY) !== "off";
  /** @type {AudioContext | null} */
  #audio = null;
  element = h("button", {
    type: "button",
    class: "quiet turn-signal",
    onclick: () => this.#toggle(),
  });

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#label();
  }

  #toggle() {
    this.#isOn = !this.#isOn;
    save(KEY, this.#isOn ? "on" : "off");
    this.#label();
    this.#onChange();
  }

  #label() {
    const { element } = this;
    element.title = "Tell me when it is my turn: a quiet sound, and the title of the tab";
    element.ariaLabel = "Sound and title tell of my turn";
    element.ariaPressed = String(this.#isOn);
    element.replaceChildren(icon(this.#isOn ? "bell" : "silent"));
  }

  /**
   * Show in the title whose turn it is.
   * @param {string} title
   * @param {boolean} isTurn
   */
  showTitle(title, isTurn) {
    document.title = `${isTurn && this.#isOn ? "Your move: " : ""}${title}`;
  }

  /** Play the sound; a browser that allows none stays silent. */
  play() {
    if (!this.#isOn || !globalThis.AudioContext) return;
    if (navigator.userActivation?.hasBeenActive === false) return; // no sound before a gesture
    this.#audio ??= new AudioContext();
    const { destination, currentTime: now } = this.#audio;
    const tone = new OscillatorNode(this.#audio, { frequency: 660 });
    const gain = new GainNode(this.#audio, { gain: VOLUME });
    gain.gain.setTargetAtTime(0, now + DURATION / 3, DURATION / 4);
    tone.connect(gain).connect(destination);
    tone.start();
    tone.stop(now + DURATION);
  }

  close() {
    this.#audio?.close();
  }
}

// What a player reads and can do while the opponent is disconnected

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
