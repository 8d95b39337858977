// What the bots reported with their moves, in the list of moves. The arena publishes it only after
// the match, so that no opponent learns of it.

import { moveText } from "../boards/game_modules.js";
import { h } from "../dom.js";

/** @import { GameModule, MatchRecord, MoveInfo } from "../types.js" */

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
