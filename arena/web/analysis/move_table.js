// The table of all legal moves: what perfect play, the search and the static evaluation say of each.

import { moveText } from "../boards/game_modules.js";
import { count, h, setText } from "../dom.js";
import { Sorting } from "../sorting.js";
import { decimal, LIMITS } from "./analysis_result.js";

/** @import { Column } from "../sorting.js" */
/** @import { Analysis, GameModule, MoveValue, Player, SearchResult } from "../types.js" */

/**
 * A row; what is not known yet is null.
 * @typedef {{
 *   move: number,
 *   wins: boolean | null,
 *   staticValue: number | null,
 *   value: number | null,
 *   nodes: number | null,
 *   line: number[],
 *   stopped: string | null,
 * }} MoveRow
 */

const FEW = 10; // rows at first

/** The table: its rows are there at once, and their values when each move has been searched. */
export class MoveTable {
  #onMove;
  #onMark;
  /** @type {GameModule | null} */
  #module = null;
  /** @type {Player} */
  #player = 1;
  /** @type {MoveRow[]} winners first */
  #rows = [];
  #isSearching = false;
  #isComplete = false; // whether all rows are shown
  #body;
  #sorting;
  #wide;
  #summary = h("p", { class: "hint", role: "status" });
  #more = h("button", { type: "button", onclick: () => this.#toggle() });

  /**
   * @param {(move: number) => void} onMove called with a move that was chosen
   * @param {(move: number | null) => void} onMark called with the move of the row that is pointed at
   */
  constructor(onMove, onMark) {
    this.#onMove = onMove;
    this.#onMark = onMark;
    this.#body = h("tbody", {
      onclick: ({ target }) => {
        const move = moveOf(target);
        if (move !== null) this.#onMove(move);
      },
      onmouseover: ({ target }) => this.#onMark(moveOf(target)),
      onmouseleave: () => this.#onMark(null),
      onfocusin: ({ target }) => this.#onMark(moveOf(target)),
      onfocusout: () => this.#onMark(null),
    });
    this.#sorting = new Sorting(this.#columns(), "Perfect play", () => this.#fill());
    const heads = this.#sorting.heads("Move", "Perfect play", "Value", "Static", "Nodes");
    const line = h("th", { scope: "col" }, "Expected line");
    const table = h("table", {}, h("thead", {}, h("tr", {}, heads, line)), this.#body);
    this.#wide = h("div", { class: "wide" }, table);
    this.element = h("div", { class: "move-table" }, this.#summary, this.#wide, this.#more);
  }

  /** @returns {Record<string, Column<MoveRow>>} */
  #columns() {
    const sign = () => (this.#player === 1 ? 1 : -1);
    const isAscending = () => this.#player === 2;
    return {
      Move: { best: ({ move }) => -move, isAscending: true },
      "Perfect play": {},
      Value: {
        best: ({ value }) => value && sign() * value,
        get isAscending() {
          return isAscending();
        },
      },
      Static: {
        best: ({ staticValue }) => staticValue && sign() * staticValue,
        get isAscending() {
          return isAscending();
        },
      },
      Nodes: { best: ({ nodes, stopped }) => (stopped ? null : nodes) },
    };
  }

  /**
   * Show the moves of a position, before they are searched.
   * @param {Analysis} analysis
   * @param {GameModule | null} module
   * @param {boolean} isSearching
   */
  show({ player, legal_moves: legal, winning_moves: winning }, module, isSearching) {
    const winners = winning && new Set(winning);
    this.#module = module;
    this.#player = player;
    this.#isSearching = isSearching;
    this.#rows = legal.map(move => ({
      ...{ move, wins: winners?.has(move) ?? null, line: [] },
      ...{ staticValue: null, value: null, nodes: null, stopped: null },
    }));
    this.element.classList.toggle("unsolved", !winning);
    setText(this.#summary, isSearching ? "Each move is searched…" : "No search depth is set.");
    this.#sorting.mark();
    this.#fill();
  }

  /**
   * Show the values of the moves.
   * @param {MoveValue[]} values
   * @param {SearchResult} found the search of the position
   * @param {number} depth
   */
  showValues(values, found, depth) {
    this.#isSearching = false;
    this.#rows = values.map(([move, wins, staticValue, value, nodes, line, stopped]) => {
      return { move, wins, staticValue, value, nodes, line, stopped };
    });
    setText(this.#summary, summary(this.#rows, found, depth));
    this.#fill();
  }

  /**
   * Say why there are no values.
   * @param {string} reason
   */
  fail(reason) {
    this.#isSearching = false;
    setText(this.#summary, reason);
    this.#fill();
  }

  #toggle() {
    this.#isComplete = !this.#isComplete;
    this.#fill();
  }

  #fill() {
    const focused = moveOf(document.activeElement);
    const sign = this.#player === 1 ? 1 : -1;
    /** @param {MoveRow} row */
    const worth = ({ value }) => (value === null ? -Infinity : sign * value);
    const byVerdict = this.#rows.toSorted(
      (one, other) =>
        Number(other.wins) - Number(one.wins) || compare(worth(other), worth(one)) || 0,
    );
    const sorted = this.#sorting.sort(byVerdict);
    const shown = this.#isComplete ? sorted : sorted.slice(0, FEW);
    this.#body.replaceChildren(...shown.map(row => this.#row(row)));
    this.#wide.classList.toggle("every-row", this.#isComplete);
    this.#more.hidden = sorted.length <= FEW;
    const all = `Show all ${sorted.length.toLocaleString("en")} moves`;
    setText(this.#more, this.#isComplete ? `Show only ${FEW} moves` : all);
    if (focused === null) return;
    const button = this.#body.querySelector(`[data-move="${focused}"] button`);
    /** @type {HTMLElement | null} */ (button)?.focus({ preventScroll: true });
  }

  /** @param {MoveRow} row */
  #row({ move, wins, staticValue, value, nodes, line, stopped }) {
    const text = moveText(this.#module, move);
    const verdict = wins === null ? "unknown" : wins ? "wins" : "loses";
    const empty = this.#isSearching ? "…" : "–";
    /** @param {number | null} number */
    const decimals = number => (number === null ? empty : decimal(number));
    const rest = line.map(next => moveText(this.#module, next)).join(" ");
    const lineText = stopped ? `not searched: ${LIMITS[stopped] ?? stopped}` : rest || empty;
    const isKnown = nodes !== null && !stopped;
    return h(
      "tr",
      { data: { move } },
      h("th", { scope: "row" }, h("button", { type: "button" }, text)),
      h("td", { class: verdict }, verdict),
      h("td", { class: "worth" }, decimals(value)),
      h("td", {}, decimals(staticValue)),
      h("td", {}, isKnown ? nodes.toLocaleString("en") : empty),
      h("td", { class: stopped ? "line unsearched" : "line", title: lineText }, lineText),
    );
  }
}

/**
 * Return the move of the row around an element, null outside.
 * @param {EventTarget | null} target
 */
function moveOf(target) {
  const row = /** @type {Element | null} */ (target)?.closest?.(".move-table tr[data-move]");
  return row ? Number(/** @type {HTMLElement} */ (row).dataset.move) : null;
}

/**
 * Compare two values, which may be infinite.
 * @param {number} one
 * @param {number} other
 */
const compare = (one, other) => (one === other ? 0 : one - other);

/**
 * @param {MoveRow[]} rows
 * @param {SearchResult} found
 * @param {number} depth
 */
function summary(rows, found, depth) {
  const searched = rows.filter(({ stopped }) => !stopped);
  const nodes = searched.reduce((sum, row) => sum + (row.nodes ?? 0), 0);
  const limit = depth ? `to depth ${depth}` : "to the end of the game";
  const rest = rows.length - searched.length;
  const missing = rest ? ` The limit was reached before ${count(rest, "move")}.` : "";
  return (
    `Each move was searched alone ${limit}, values are for player 1: ${count(nodes, "node")} in ` +
    `all, where alpha-beta visits ${found.nodes_visited.toLocaleString("en")}.${missing}`
  );
}
