// The moves that followed the same beginning in the arena's own matches, and how they ended.

import { moveText } from "../boards/game_modules.js";
import { count, h, setStyle } from "../dom.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Analysis, GameModule, Setup } from "../types.js" */

/** @typedef {[move: number, won: number, drawn: number, lost: number]} Continuation */
/**
 * @typedef {{
 *   game: string,
 *   module: GameModule | null,
 *   setup: Setup,
 *   moves: number[],
 *   analysis: Analysis,
 * }} PlayedPosition
 */

const MAX_BEGINNING = 12; // moves after which the arena looks up what followed
const RESULTS = ["won by player 1", "drawn", "won by player 2"];

/** A table of the moves that were played, with their verdicts under perfect play. */
export class PlayedMoves {
  #connection;
  #onMove;
  #version = 0; // of the position: answers for earlier ones are dropped
  #body = h("tbody");
  #summary = h("p", { class: "hint", role: "status" });
  #table;

  /**
   * @param {SpectatorConnection} connection
   * @param {(move: number) => void} onMove called with a move chosen from the table
   */
  constructor(connection, onMove) {
    this.#connection = connection;
    this.#onMove = onMove;
    const names = ["Move", "Perfect play", "Matches", "Results"];
    const heads = names.map(name => h("th", { scope: "col" }, name));
    this.#table = h("table", { hidden: true }, h("thead", {}, h("tr", {}, heads)), this.#body);
    const wide = h("div", { class: "wide" }, this.#table);
    const heading = h("h2", { id: "played-moves" }, "Played here");
    const properties = {
      class: "played-moves card",
      "aria-labelledby": "played-moves",
      hidden: true,
    };
    this.element = h("section", properties, heading, this.#summary, wide);
  }

  /**
   * Show what followed a position.
   * @param {PlayedPosition} position
   */
  async show(position) {
    this.#version++;
    const version = this.#version;
    const { game, setup, moves, analysis } = position;
    const isShown = moves.length <= MAX_BEGINNING && analysis.legal_moves.length > 0;
    this.element.hidden = !isShown;
    if (!isShown) return;
    try {
      const question = { game, setup, moves };
      const { continuations } = await this.#connection.ask("find_continuations", question);
      if (version === this.#version) this.#fill(continuations, position);
    } catch (error) {
      if (version !== this.#version) return;
      this.#summary.textContent = /** @type {Error} */ (error).message;
      this.#table.hidden = true;
    }
  }

  /**
   * @param {Continuation[]} continuations
   * @param {PlayedPosition} position
   */
  #fill(continuations, { module, analysis }) {
    const sorted = [...continuations].sort((one, other) => total(other) - total(one));
    const matches = sorted.reduce((sum, continuation) => sum + total(continuation), 0);
    this.#summary.textContent = matches
      ? `${count(matches, "rated match", "rated matches")} of this arena went on from here.`
      : "No rated match of this arena went on from here.";
    this.#table.hidden = !matches;
    const winning = analysis.winning_moves && new Set(analysis.winning_moves);
    const rows = sorted.map(continuation => this.#row(continuation, module, winning));
    this.#body.replaceChildren(...rows);
  }

  /**
   * @param {Continuation} continuation
   * @param {GameModule | null} module
   * @param {Set<number> | null} winning
   */
  #row(continuation, module, winning) {
    const [move, ...results] = continuation;
    const text = moveText(module, move);
    const onclick = () => this.#onMove(move);
    const verdict = winning && (winning.has(move) ? "wins" : "loses");
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("button", { type: "button", onclick }, text)),
      h("td", { class: verdict }, verdict ?? "unknown"),
      h("td", {}, total(continuation).toLocaleString("en")),
      h("td", {}, resultBar(results)),
    );
  }
}

/** @param {Continuation} continuation */
const total = ([, ...results]) => results.reduce((sum, number) => sum + number, 0);

/** @param {number[]} results */
function resultBar(results) {
  const texts = results.map((number, at) => `${number.toLocaleString("en")} ${RESULTS[at]}`);
  const label = texts.filter((_, at) => results[at]).join(", ");
  const parts = results.map((number, at) => {
    const part = h("span", { class: ["one", "drawn", "two"][at] }, number || "");
    setStyle(part, { "flex-grow": String(number) });
    part.hidden = !number;
    return part;
  });
  return h("div", { class: "result-bar", role: "img", "aria-label": label, title: label }, parts);
}
