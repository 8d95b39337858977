// How a person who looks elsewhere learns of the own turn: a quiet sound, and the title of the tab.
import { h } from "../dom.js";
import { icon } from "../icon_buttons.js";
import { load, save } from "../storage.js";

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
