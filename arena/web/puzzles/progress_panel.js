// The progress of the person, beside the puzzles.

import { h, setText } from "../dom.js";
import { forgetProgress, loadProgress } from "./progress.js";

/** The number of puzzles solved, and a button that forgets them. */
export class ProgressPanel {
  #text = h("p", {}, "");
  #forget = h("button", { type: "button", onclick: () => this.#confirm() });

  constructor() {
    const note = h("p", { class: "hint" }, "Your results stay in this browser.");
    const label = { class: "card puzzle-progress", "aria-label": "Progress" };
    this.element = h("section", label, h("h2", {}, "Progress"), this.#text, note, this.#forget);
    this.#forget.addEventListener("blur", () => this.#reset());
    this.update();
  }

  /** Show the stored progress. */
  update() {
    const { results, streak, best } = loadProgress();
    /** @param {string} kind */
    const number = kind => Object.values(results).filter(result => result === kind).length;
    const counts = `Solved ${number("solved")}, with a hint ${number("helped")}, failed ${number("failed")}.`;
    setText(this.#text, `${counts} Streak\u00a0${streak}, best\u00a0${best}.`);
    this.#forget.hidden = !Object.keys(results).length;
    this.#reset();
  }

  /** Forget with the second click: the first asks for a confirmation, until the focus moves. */
  #confirm() {
    const { dataset } = this.#forget;
    if (!dataset.confirm) {
      dataset.confirm = "yes";
      setText(this.#forget, "Really forget all results?");
      return;
    }
    forgetProgress();
    this.update();
  }

  #reset() {
    delete this.#forget.dataset.confirm;
    setText(this.#forget, "Forget my results");
  }
}
