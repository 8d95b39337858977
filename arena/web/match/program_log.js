// The last output of the program that lost a match by its failure.

import { h } from "../dom.js";

/** @import { MatchRecord, MatchResult } from "../types.js" */

const FAILURES = new Set(["disconnect", "illegal_move", "malformed", "timeout"]);

/** A folded text, which is hidden if the match has no log. */
export class ProgramLog {
  #findRecord;
  #isRequested = false;
  // To be scrolled with the keyboard, it can have the focus.
  #text = h("pre", { tabindex: 0, role: "region", "aria-label": "Output of the program" });

  /** @param {() => Promise<MatchRecord>} findRecord */
  constructor(findRecord) {
    this.#findRecord = findRecord;
    const summary = h("summary", {}, "Output of the program");
    this.element = h("details", { class: "program-log", hidden: true }, summary, this.#text);
  }

  /**
   * Show the log of a finished match, which is requested once.
   * @param {MatchResult} result
   */
  async show({ termination }) {
    if (this.#isRequested || !FAILURES.has(termination)) return;
    this.#isRequested = true;
    try {
      const { log } = await this.#findRecord();
      this.#text.textContent = log;
      this.element.hidden = !log;
    } catch {
      this.#isRequested = false; // the next state of the match asks again
    }
  }
}
