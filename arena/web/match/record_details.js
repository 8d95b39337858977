// What only the stored record of a match tells: the reports of the bots on their moves, and the output
// of a program that has failed. The arena publishes them only after the match, so that no opponent
// learns of them.
import { moveText } from "../boards/game_modules.js";
import { h } from "../dom.js";

/** @import { GameModule, MatchRecord, MoveInfo, MatchResult } from "../types.js" */

/** The information of a match, which is requested once, after its end. */
export class MoveInfos {
  #module;
  #findRecord;
  #onChange;
  #isRequested = false;
  /** @type {Record<string, MoveInfo>} */
  #infos = {};

  /**
   * @param {GameModule | null} module
   * @param {() => Promise<MatchRecord>} findRecord
   * @param {() => void} onChange called when the information has arrived
   */
  constructor(module, findRecord, onChange) {
    this.#module = module;
    this.#findRecord = findRecord;
    this.#onChange = onChange;
  }

  /** Request the information of a finished match. */
  async request() {
    if (this.#isRequested) return;
    this.#isRequested = true;
    try {
      this.#infos = (await this.#findRecord()).infos;
      this.#onChange();
    } catch {
      this.#isRequested = false; // the next state of the match asks again
    }
  }

  /**
   * Add the evaluation of a move to its link, and the rest to its title.
   * @param {number} at ply
   * @param {HTMLAnchorElement} link
   */
  mark(at, link) {
    const info = this.#infos[at];
    if (!info || link.querySelector(".info")) return;
    const details = this.#text(info);
    const value = info.evaluation ?? null;
    const shown = value === null ? `depth ${info.depth ?? "?"}` : evaluationText(value);
    const hidden = h("span", { class: "hidden-text" }, `, the bot reported ${details}`);
    link.append(h("small", { class: "info", title: details }, shown, hidden));
  }

  /** @param {MoveInfo} info */
  #text({ evaluation, depth, nodes, pv }) {
    const variation = pv?.map(move => moveText(this.#module, move)).join(" ");
    const parts = [
      evaluation !== undefined && `evaluation ${evaluationText(evaluation)}`,
      depth !== undefined && `depth ${depth}`,
      nodes !== undefined && `${nodes} nodes`,
      variation && `variation ${variation}`,
    ];
    return parts.filter(Boolean).join(", ");
  }
}

/**
 * Format an evaluation with its sign: +1.5 is better for player 1.
 * @param {number} value
 */
const evaluationText = value =>
  `${value > 0 ? "+" : ""}${Number(value.toFixed(2))}`.replace("-", "−");

// The last output of the program that lost a match by its failure

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
