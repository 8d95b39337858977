// Stepping through a match: buttons, a slider, keys, and by itself.
import { h, s } from "/dom.js";

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
};
const SPEEDS = [["2000", "slow"], ["1000", "1 a second"], ["400", "fast"], ["120", "very fast"]]; // milliseconds a move

const icon = name => s("svg", { viewBox: "0 0 24 24", class: `icon ${name}`, "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

export class Replay {
  #ongo;
  #onlive;
  #state = { ply: 0, last: 0, isLive: false, isFollowing: false, blunders: [] };
  #timer = null;
  #buttons;
  #slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Move",
    oninput: () => this.#leap(Number(this.#slider.value)) });
  #speed = h("select", { "aria-label": "Speed", onchange: () => this.#timer && this.#start() },
    SPEEDS.map(([ms, name]) => h("option", { value: ms, selected: ms === "1000" }, name)));
  #live = h("button", { type: "button", class: "live", onclick: () => this.#onlive() }, "Live");
  #blunders;

  /** `above` is an element over the slider, `ongo(ply)` is told where to go, `onlive()` to follow the newest move. */
  constructor({ above, ongo, onlive, signal }) {
    this.#ongo = ongo;
    this.#onlive = onlive;
    const button = (name, label, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, icon(name));
    this.#buttons = {
      first: button("first", "First position", () => this.#leap(0)),
      previous: button("previous", "Previous move", () => this.#step(-1)),
      play: button("play", "Play", () => this.#toggle()),
      next: button("next", "Next move", () => this.#step(1)),
      last: button("last", "Last position", () => this.#leap(this.#state.last)),
    };
    this.#blunders = [-1, 1].map(way => h("button", { type: "button", class: "blunder-button", onclick: () => this.#leap(this.#blunder(way)) },
      way < 0 ? [icon("previous"), "??"] : ["??", icon("next")],
      h("span", { class: "hidden-text" }, way < 0 ? " previous blunder" : " next blunder")));
    this.element = h("div", { class: "replay", role: "group", "aria-label": "Replay" }, above, this.#slider,
      h("div", { class: "steps" }, Object.values(this.#buttons)),
      h("div", { class: "more-steps" }, this.#blunders, this.#speed, this.#live));
    document.addEventListener("keydown", event => this.#press(event), { signal });
    signal.addEventListener("abort", () => this.#stop());
  }

  /** Where the match is; `words` say it, `blunders` are plies, null where they are not to be shown. */
  show({ ply, last, isLive, isFollowing, blunders, words }) {
    this.#state = { ply, last, isLive, isFollowing, blunders: blunders ?? [] };
    this.#slider.max = last;
    this.#slider.value = ply;
    this.#slider.setAttribute("aria-valuetext", words);
    for (const name of ["first", "previous"]) this.#enable(this.#buttons[name], ply > 0);
    for (const name of ["next", "last"]) this.#enable(this.#buttons[name], ply < last);
    this.#enable(this.#buttons.play, last > 0 && !(isLive && isFollowing));
    this.#live.hidden = !isLive;
    this.#live.setAttribute("aria-pressed", isFollowing);
    this.#blunders.forEach((button, at) => {
      button.hidden = !blunders;
      this.#enable(button, this.#blunder(at ? 1 : -1) !== null);
    });
    if (this.#timer && ply === last) this.#stop();
  }

  // aria-disabled rather than disabled: the focus would be lost at either end.
  #enable(button, isEnabled) {
    button.setAttribute("aria-disabled", !isEnabled);
  }

  #leap(ply) {
    this.#stop();
    if (ply !== null) this.#ongo(ply);
  }

  #step(by) {
    this.#leap(Math.min(this.#state.last, Math.max(0, this.#state.ply + by)));
  }

  /** The position after the next blunder in a direction, null if there is none. */
  #blunder(way) {
    const { ply, blunders } = this.#state;
    const after = blunders.map(at => at + 1);
    return (way > 0 ? after.find(at => at > ply) : after.findLast(at => at < ply)) ?? null;
  }

  #toggle() {
    if (this.#timer) this.#stop();
    else if (!this.#state.isLive || !this.#state.isFollowing) {
      if (this.#state.ply === this.#state.last) this.#ongo(0);
      this.#start();
    }
  }

  #start() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#ongo(Math.min(this.#state.last, this.#state.ply + 1)), Number(this.#speed.value));
    this.#name("Pause", "pause");
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#name("Play", "play");
  }

  #name(label, name) {
    this.#buttons.play.ariaLabel = this.#buttons.play.title = label;
    this.#buttons.play.replaceChildren(icon(name));
  }

  #press(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    const act = {
      ArrowLeft: () => this.#step(-1), ArrowRight: () => this.#step(1),
      Home: () => this.#leap(0), End: () => this.#leap(this.#state.last), " ": () => this.#toggle(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
