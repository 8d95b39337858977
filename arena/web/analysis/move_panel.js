// All moves of the analysed position in a table, and where they differ from perfect play in words.

import { h } from "../dom.js";
import { disagreements } from "./disagreement.js";
import { MoveTable } from "./move_table.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Analysis, GameInfo, GameModule, Setup } from "../types.js" */

/**
 * @typedef {{
 *   game: GameInfo,
 *   module: GameModule | null,
 *   setup: Setup,
 *   moves: number[],
 *   analysis: Analysis,
 * }} AnalysedPosition
 */

/** The panel: it asks for the values when the search of the position has ended. */
export class MovePanel {
  #connection;
  #version = 0; // of the position: answers for earlier ones are dropped
  #table;
  #words = h("div", { class: "disagreement", role: "status" });

  /**
   * `onMove` is called with a chosen move, `onMark` with the move of the row that is pointed at.
   * @param {SpectatorConnection} connection
   * @param {{ onMove: (move: number) => void, onMark: (move: number | null) => void }} listeners
   */
  constructor(connection, { onMove, onMark }) {
    this.#connection = connection;
    this.#table = new MoveTable(onMove, onMark);
    const label = { class: "move-panel card", "aria-labelledby": "move-panel", hidden: true };
    const heading = h("h2", { id: "move-panel" }, "Every move");
    this.element = h("section", label, heading, this.#table.element, this.#words);
  }

  /**
   * Show the moves of a position before they are searched.
   * @param {AnalysedPosition} position
   * @param {boolean} isSearching
   */
  show({ module, analysis }, isSearching) {
    this.#version++;
    this.element.hidden = !analysis.legal_moves.length;
    this.#words.replaceChildren();
    this.#table.show(analysis, module, isSearching);
  }

  /**
   * Search the moves of the shown position, to the depth that its own search has reached.
   * @param {AnalysedPosition} position with the result of that search
   */
  async search(position) {
    const { game, setup, moves, analysis } = position;
    const { search: found } = analysis;
    if (!analysis.legal_moves.length) return;
    if (!found) {
      this.#table.fail("The moves have no values, as the search has none.");
      return;
    }
    const version = this.#version;
    const depth = found.stopped ? found.max_depth : found.depth;
    const question = { game: game.name, setup, moves };
    /** @type {<Answer>(answer: Answer) => Answer | null} */
    const current = answer => (version === this.#version ? answer : null);
    try {
      const values = await this.#connection.ask("find_move_values", { ...question, depth });
      if (!current(values)) return;
      this.#table.showValues(values.values, found, depth);
      const sentences = await disagreements(position, values.values, depth, this.#connection);
      if (current(sentences)) this.#words.replaceChildren(...sentences);
    } catch (error) {
      if (version !== this.#version) return;
      this.#table.fail(`The moves have no values: ${/** @type {Error} */ (error).message}.`);
    }
  }
}
