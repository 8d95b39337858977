// The results of the person in puzzles, which stay in this browser.

import { h, setText } from "../dom.js";
import { load, remove, save } from "../storage.js";

/** @typedef {"solved" | "helped" | "failed"} PuzzleResult */
/** @typedef {{ results: Record<string, PuzzleResult>, streak: number, best: number }} Progress */

const KEY = "puzzles";
const MOST = 2000; // results, of which the oldest are dropped
const RESULTS = ["solved", "helped", "failed"];

/**
 * Return the stored progress; what is no progress, as of a later version, counts as none.
 * @returns {Progress}
 */
export function loadProgress() {
  try {
    const { results, streak, best } = JSON.parse(load(KEY) ?? "");
    const entries = Object.entries(results).filter(([, result]) => RESULTS.includes(result));
    if (![streak, best].every(Number.isSafeInteger)) throw new Error("no numbers");
    return { results: Object.fromEntries(entries), streak, best };
  } catch {
    return { results: {}, streak: 0, best: 0 };
  }
}

/**
 * Note the result of a puzzle, unless it has one: the first attempt counts.
 *
 * A solved puzzle makes the streak longer, one solved with a hint leaves it, a failed one ends it.
 * @param {string} puzzle
 * @param {PuzzleResult} result
 */
export function noteResult(puzzle, result) {
  const { results, streak, best } = loadProgress();
  if (results[puzzle]) return;
  const entries = [...Object.entries(results), [puzzle, result]].slice(-MOST);
  const next = { solved: streak + 1, helped: streak, failed: 0 }[result];
  const progress = { results: Object.fromEntries(entries), streak: next };
  save(KEY, JSON.stringify({ ...progress, best: Math.max(best, next) }));
}

/** Forget all results. */
export const forgetProgress = () => remove(KEY);

// The progress beside the puzzles

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
