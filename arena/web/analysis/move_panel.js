// All moves of the analysed position in a table, and where they differ from perfect play in words.

import { CHOICE, moveText } from "../boards/game_modules.js";
import { count, h } from "../dom.js";
import { decimal } from "./analysis_result.js";
import { MoveTable } from "./move_table.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Analysis, GameInfo, GameModule, Setup, MoveValue } from "../types.js" */

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

// Where the search and the static evaluation differ from perfect play, in sentences

const MAX_REPLIES = 3; // winning replies that are named

/**
 * Return paragraphs; they are about the search alone where perfect play is unknown.
 * @param {AnalysedPosition} position with the result of the search
 * @param {MoveValue[]} values of all its moves
 * @param {number} depth of the search
 * @param {SpectatorConnection} connection
 */
export async function disagreements(position, values, depth, connection) {
  const judge = new Judge(position, values, depth, connection);
  return await judge.paragraphs();
}

/** What can be said about the position. */
class Judge {
  #position;
  #values;
  #connection;
  #searchName;
  #sign;

  /**
   * @param {AnalysedPosition} position
   * @param {MoveValue[]} values
   * @param {number} depth
   * @param {SpectatorConnection} connection
   */
  constructor(position, values, depth, connection) {
    this.#position = position;
    this.#values = values;
    this.#connection = connection;
    this.#searchName = depth ? `The search to depth ${depth}` : "The search to the end";
    this.#sign = position.analysis.player === 1 ? 1 : -1;
  }

  async paragraphs() {
    const { winning_moves: winning, search: found } = this.#position.analysis;
    if (!found) return [];
    const chosen = found.move;
    const preferred = this.#bestStatic();
    if (winning === null) return [h("p", {}, this.#unsolved(chosen, preferred))];
    if (!winning.length) return [h("p", {}, await this.#lost(chosen, found.value))];
    const paragraphs = [];
    if (!winning.includes(chosen)) {
      const name = `${this.#searchName} values`;
      paragraphs.push(...(await this.#refuted(name, chosen, found.value)));
    } else paragraphs.push(h("p", {}, this.#agreed(chosen, found.value)));
    if (preferred && preferred[0] !== chosen && !winning.includes(preferred[0])) {
      const [move, , value] = preferred;
      const name = "The static evaluation values";
      paragraphs.push(...(await this.#refuted(name, move, /** @type {number} */ (value))));
    }
    return paragraphs;
  }

  /** The row that the static evaluation prefers, null if it does not know all. */
  #bestStatic() {
    /** @type {MoveValue | null} */
    let best = null;
    for (const row of this.#values) {
      if (row[2] === null) return null;
      if (!best || this.#sign * row[2] > this.#sign * /** @type {number} */ (best[2])) best = row;
    }
    return best;
  }

  /**
   * Say why a move that was preferred loses.
   * @param {string} name of what prefers it
   * @param {number} move
   * @param {number} value
   */
  async #refuted(name, move, value) {
    const { player, winning_moves: winning } = this.#position.analysis;
    const after = await this.#after(move);
    const wins = this.#text(winning?.[0] ?? 0);
    const [, , , known] = this.#values.find(([other]) => other === winning?.[0]) ?? [];
    const same = known === value ? "the same" : `at ${decimal(known ?? 0)}`;
    const valued = typeof known === "number" ? `, which the search values ${same}` : "";
    const text =
      `${name} ${this.#text(move)} at ${decimal(value)}, the best for player ${player}, but after ` +
      `${this.#text(move)} player ${3 - player} wins${replies(after, this.#position)}. ` +
      `With perfect play ${wins} wins${valued}.`;
    return [h("p", {}, text), ...(await this.#reasons(move))];
  }

  /**
   * Say how the search is right.
   * @param {number} move
   * @param {number} value
   */
  #agreed(move, value) {
    const { player } = this.#position.analysis;
    const start = `${this.#searchName} prefers ${this.#text(move)}, with which player ${player} wins`;
    if (this.#sign * value >= 0) return `${start} with perfect play: both agree.`;
    const favour = `but values it at ${decimal(value)}, in favour of player ${3 - player}`;
    return `${start} with perfect play, ${favour}: it does not see the end.`;
  }

  /**
   * Say what the search believes about a position that is lost.
   * @param {number} move
   * @param {number} value
   */
  async #lost(move, value) {
    const { player } = this.#position.analysis;
    const other = 3 - player;
    if (this.#sign * value <= 0) {
      return `${this.#searchName} values the position at ${decimal(value)}, and player ${other} wins against any move: both agree.`;
    }
    const after = await this.#after(move);
    return (
      `${this.#searchName} values the position at ${decimal(value)}, in favour of player ${player}, ` +
      `but player ${other} wins against any move: after ${this.#text(move)}` +
      `${replies(after, this.#position) || " too"}.`
    );
  }

  /**
   * Compare the search with the static evaluation.
   * @param {number} chosen
   * @param {MoveValue | null} preferred
   */
  #unsolved(chosen, preferred) {
    const unknown = "Perfect play is unknown here.";
    if (!preferred) return unknown;
    const [move, , staticValue, value, , line] = preferred;
    if (move === chosen) {
      return `${unknown} The static evaluation and the search both prefer ${this.#text(move)}.`;
    }
    const expected = line.slice(1).map(next => this.#text(next));
    const seen =
      value === null || !expected.length
        ? ""
        : `: after ${this.#text(move)} the search expects ${expected.join(" ")}, worth ${decimal(value)}`;
    return (
      `${unknown} The static evaluation prefers ${this.#text(move)}, at ` +
      `${decimal(/** @type {number} */ (staticValue))}, the search ${this.#text(chosen)}${seen}.`
    );
  }

  /** @param {number} move */
  #after(move) {
    const { game, setup, moves } = this.#position;
    const question = { game: game.name, setup, moves: [...moves, move], depth: null };
    return this.#connection.ask("analyse", question);
  }

  /**
   * Return why the position after a move is as it is, in the words of the game, if it has some.
   * @param {number} move
   */
  async #reasons(move) {
    const { game, setup, moves } = this.#position;
    if (!game.has_matching) return [];
    const question = { game: game.name, setup, moves: [...moves, move] };
    try {
      const { sentences } = await this.#connection.ask("find_matching", question);
      return [h("p", { class: "faint" }, sentences.join(" "))];
    } catch {
      return []; // too large to be shown
    }
  }

  /** @param {number} move */
  #text(move) {
    return moveText(this.#position.module, move);
  }
}

/**
 * Name the winning replies.
 * @param {Analysis} after
 * @param {AnalysedPosition} position
 */
function replies({ winning_moves: winning }, { module }) {
  if (!winning?.length) return "";
  const named = winning.slice(0, MAX_REPLIES).map(move => moveText(module, move));
  const rest = winning.length - named.length;
  return ` with ${CHOICE.format(rest ? [...named, count(rest, "other")] : named)}`;
}
