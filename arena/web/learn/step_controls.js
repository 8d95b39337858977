// Steps through a search: buttons, slider, keys and play.
import { h, icon, iconButton, setEnabled } from "../dom.js";

/**
 * `onGo` is called with a number of steps; `next` and `over` return those after the next cutoff and
 * after the node at work.
 * @typedef {{
 *   onGo: (steps: number) => void,
 *   cutoff: (direction: 1 | -1) => number,
 *   over: () => number,
 *   signal: AbortSignal,
 * }} StepOptions
 */

const SPEEDS = [
  ["1500", "slow"],
  ["700", "medium"],
  ["250", "fast"],
  ["50", "very fast"],
  ["16", "fastest"],
]; // milliseconds a step
const FASTEST = 16;
const RUN = 20; // seconds in which the fastest play shows a search, in steps of more than one
const PAGE = 20; // pages of a search

/** The controls. Keys work on the whole page, except in fields. */
export class StepControls {
  #options;
  #steps = 0;
  #length = 0;
  /** @type {number | null} */
  #timer = null;
  #slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": "Step",
    oninput: ({ target }) => this.#jump(/** @type {HTMLInputElement} */ (target).valueAsNumber),
  });
  #buttons = {
    first: iconButton("first", "Start", () => this.#jump(0)),
    previous: iconButton("previous", "Previous step", () => this.#step(-1)),
    play: iconButton("play", "Play", () => this.#togglePlay()),
    next: iconButton("next", "Next step", () => this.#step(1)),
    last: iconButton("last", "End", () => this.#jump(this.#length)),
  };
  #over = h("button", { type: "button", onclick: () => this.#jump(this.#options.over()) });
  #cutoff = h("button", { type: "button", onclick: () => this.#jump(this.#options.cutoff(1)) });
  #counter = h("output", { class: "counter" });
  #speed = h(
    "select",
    { "aria-label": "Speed", onchange: () => this.#timer !== null && this.play() },
    SPEEDS.map(([value, name]) => h("option", { value, selected: value === "700" }, name)),
  );

  /** @param {StepOptions} options */
  constructor(options) {
    this.#options = options;
    this.#over.append("Skip subtree");
    this.#over.title = "Go to the value that the node at work returns";
    this.#cutoff.append("Next cutoff");
    const steps = h("div", { class: "steps" }, Object.values(this.#buttons));
    const more = h("div", { class: "more-steps" }, this.#over, this.#cutoff, this.#speed);
    this.element = h(
      "div",
      { class: "replay", role: "group", "aria-label": "Steps" },
      h("div", { class: "slider" }, this.#slider, this.#counter),
      h("div", { class: "step-buttons" }, steps, more),
    );
    document.addEventListener("keydown", event => this.#keyDown(event), { signal: options.signal });
    options.signal.addEventListener("abort", () => this.stop());
  }

  /** Whether the search is played. */
  get isPlaying() {
    return this.#timer !== null;
  }

  /**
   * Show a number of steps of all.
   * @param {number} steps
   * @param {number} length
   * @param {string} text that describes the step
   */
  update(steps, length, text) {
    this.#steps = steps;
    this.#length = length;
    this.#slider.max = String(length);
    this.#slider.value = String(steps);
    this.#slider.setAttribute("aria-valuetext", text);
    this.#counter.textContent = `${steps.toLocaleString("en")} / ${length.toLocaleString("en")}`;
    const { first, previous, next, last } = this.#buttons;
    for (const button of [first, previous]) setEnabled(button, steps > 0);
    for (const button of [next, last, this.#over]) setEnabled(button, steps < length);
    setEnabled(this.#cutoff, this.#options.cutoff(1) !== steps);
    if (steps === length) this.stop();
  }

  stop() {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
    this.#labelPlay("Play", "play");
  }

  /** @param {number} steps */
  #jump(steps) {
    this.stop();
    this.#options.onGo(Math.min(this.#length, Math.max(0, steps)));
  }

  /** @param {number} by */
  #step(by) {
    this.#jump(this.#steps + by);
  }

  #togglePlay() {
    if (this.#timer !== null) {
      this.stop();
      return;
    }
    if (this.#steps === this.#length) this.#options.onGo(0);
    this.play();
  }

  /** Go on by itself, at the chosen speed. */
  play() {
    clearInterval(this.#timer ?? undefined);
    const delay = Number(this.#speed.value);
    const by = delay === FASTEST ? Math.ceil((this.#length * FASTEST) / (1000 * RUN)) : 1;
    const step = () => this.#options.onGo(Math.min(this.#length, this.#steps + by));
    this.#timer = setInterval(step, delay);
    this.#labelPlay("Pause", "pause");
  }

  /**
   * @param {string} label
   * @param {"play" | "pause"} name
   */
  #labelPlay(label, name) {
    const { play } = this.#buttons;
    play.ariaLabel = label;
    play.title = label;
    play.replaceChildren(icon(name));
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (
      target.closest(
        "[role=grid], input:not([type=range], [role=switch]), select, textarea, dialog",
      )
    )
      return;
    if (event.key === " " && target.closest("button, a, summary, input")) return;
    const page = Math.max(5, Math.round(this.#length / PAGE));
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      PageUp: () => this.#step(-page),
      PageDown: () => this.#step(page),
      Home: () => this.#jump(0),
      End: () => this.#jump(this.#length),
      " ": () => this.#togglePlay(),
      n: () => this.#jump(this.#options.cutoff(1)),
      p: () => this.#jump(this.#options.cutoff(-1)),
      s: () => this.#jump(this.#options.over()),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
