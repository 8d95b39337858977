// The controls of a replay: buttons, slider, keys and automatic play.
import { h, icon, iconButton, setEnabled } from "../dom.js";

/**
 * `graph` is placed above the slider, `onSelect` is called with a ply, `onLive` to follow the match.
 * @typedef {{
 *   graph: HTMLElement,
 *   onSelect: (ply: number) => void,
 *   onLive: () => void,
 *   signal: AbortSignal,
 * }} ReplayOptions
 */

/**
 * The position in the match; `text` describes it, `blunders` are plies, null if they are hidden.
 * @typedef {{
 *   ply: number,
 *   last: number,
 *   text: string,
 *   blunders: number[] | null,
 *   isLive: boolean,
 *   isFollowing: boolean,
 * }} ReplayState
 */

/** @type {[milliseconds: number, name: string][]} of a move */
const SPEEDS = [
  [1000, "×1"],
  [400, "×2.5"],
  [120, "×8"],
  [2000, "×½"],
];

/** Steps through a match. Keys work on the whole page, except in fields. */
export class ReplayControls {
  #onSelect;
  /** @type {ReplayState} */
  #state = { ply: 0, last: 0, text: "", blunders: null, isLive: false, isFollowing: false };
  /** @type {number | null} */
  #timer = null;
  #buttons = {
    first: iconButton("first", "First position", () => this.#jump(0)),
    previous: iconButton("previous", "Previous move", () => this.#step(-1)),
    play: iconButton("play", "Play", () => this.#togglePlay()),
    next: iconButton("next", "Next move", () => this.#step(1)),
    last: iconButton("last", "Last position", () => this.#jump(this.#state.last)),
  };
  #slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": "Move",
    oninput: ({ target }) => this.#jump(/** @type {HTMLInputElement} */ (target).valueAsNumber),
  });
  #chosenSpeed = 0; // its index
  #speed = h("button", { type: "button", hidden: true, onclick: () => this.#changeSpeed() });
  #live;
  #previousBlunder;
  #nextBlunder;

  /** @param {ReplayOptions} options */
  constructor({ graph, onSelect, onLive, signal }) {
    this.#onSelect = onSelect;
    this.#live = h("button", { type: "button", class: "live", onclick: () => onLive() }, "Live");
    this.#previousBlunder = this.#createBlunderButton(-1);
    this.#nextBlunder = this.#createBlunderButton(1);
    const { first, previous, play, next, last } = this.#buttons;
    const blunders = [this.#previousBlunder, this.#nextBlunder];
    const buttons = [first, previous, play, this.#speed, next, last, blunders, this.#live];
    this.element = h(
      "div",
      { class: "replay", role: "group", "aria-label": "Replay", "data-dock": "" },
      [graph, this.#slider, h("div", { class: "steps" }, buttons)],
    );
    document.addEventListener("keydown", event => this.#keyDown(event), { signal });
    signal.addEventListener("abort", () => this.#stop());
  }

  /** @param {1 | -1} direction */
  #createBlunderButton(direction) {
    const isNext = direction === 1;
    const symbols = isNext ? ["??", icon("next")] : [icon("previous"), "??"];
    const label = h("span", { class: "hidden-text" }, ` ${isNext ? "next" : "previous"} blunder`);
    const onclick = () => this.#jump(this.#findBlunder(direction));
    const title = `${isNext ? "Next" : "Previous"} move that gave up a winning position`;
    const properties = { type: "button", class: "blunder-button", title, onclick };
    return h("button", properties, symbols, label);
  }

  /** @param {ReplayState} state */
  update(state) {
    this.#state = state;
    const { ply, last, text, blunders, isLive, isFollowing } = state;
    this.#slider.max = String(last);
    this.#slider.value = String(ply);
    this.#slider.setAttribute("aria-valuetext", text);
    const { first, previous, play, next, last: end } = this.#buttons;
    for (const button of [first, previous]) setEnabled(button, ply > 0);
    for (const button of [next, end]) setEnabled(button, ply < last);
    setEnabled(play, last > 0 && !(isLive && isFollowing));
    this.#live.hidden = !isLive || isFollowing;
    for (const button of [this.#previousBlunder, this.#nextBlunder]) button.hidden = !blunders;
    setEnabled(this.#previousBlunder, this.#findBlunder(-1) !== null);
    setEnabled(this.#nextBlunder, this.#findBlunder(1) !== null);
    if (this.#timer && ply === last) this.#stop();
  }

  /** @param {number | null} ply */
  #jump(ply) {
    this.#stop();
    if (ply !== null) this.#onSelect(ply);
  }

  /** @param {1 | -1} direction */
  #step(direction) {
    const { ply, last } = this.#state;
    this.#jump(Math.min(last, Math.max(0, ply + direction)));
  }

  /**
   * Return the position after the next blunder in a direction, null if there is none.
   * @param {1 | -1} direction
   */
  #findBlunder(direction) {
    const { ply, blunders } = this.#state;
    const after = (blunders ?? []).map(at => at + 1);
    const found = direction > 0 ? after.find(at => at > ply) : after.findLast(at => at < ply);
    return found ?? null;
  }

  #togglePlay() {
    const { ply, last, isLive, isFollowing } = this.#state;
    if (this.#timer) this.#stop();
    else if (!isLive || !isFollowing) {
      if (ply === last) this.#onSelect(0);
      this.#start();
    }
  }

  #start() {
    clearInterval(this.#timer ?? undefined);
    const step = () => this.#onSelect(Math.min(this.#state.last, this.#state.ply + 1));
    const [delay, name] = SPEEDS[this.#chosenSpeed];
    this.#timer = setInterval(step, delay);
    this.#labelPlay("Pause", "pause");
    this.#speed.hidden = false;
    this.#speed.textContent = name;
    this.#speed.ariaLabel = `Speed ${name}`;
  }

  /** Play at the next speed. */
  #changeSpeed() {
    this.#chosenSpeed = (this.#chosenSpeed + 1) % SPEEDS.length;
    this.#start();
  }

  #stop() {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
    this.#labelPlay("Play", "play");
    this.#speed.hidden = true;
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
    if (target.closest("input, select, textarea, dialog")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      Home: () => this.#jump(0),
      End: () => this.#jump(this.#state.last),
      " ": () => this.#togglePlay(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
