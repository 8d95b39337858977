// The order of the rows of a table: as they are given, or by the column that was chosen.
import { h } from "./dom.js";
import { columnName } from "./format.js";

/**
 * A column. `best` is the value of a row, of which the highest comes first, null where it is
 * unknown; `text` is a text to sort by. Without both the rows are in the order in which they are
 * given. `isAscending` says whether the best value is the lowest one that is shown.
 * @template Row
 * @typedef {{
 *   best?: (row: Row) => number | null,
 *   text?: (row: Row) => string,
 *   isAscending?: boolean,
 *   className?: string,
 * }} Column
 */

const ALPHABET = new Intl.Collator("en", { numeric: true });

/**
 * Header cells whose buttons choose the order of the rows.
 * @template Row
 */
export class Sorting {
  #columns;
  #column;
  #isReversed = false;
  /** @type {Map<string, HTMLElement>} */
  #heads = new Map();
  #onchange;

  /**
   * @param {Record<string, Column<Row>>} columns by name
   * @param {string} first the column that is chosen at first
   * @param {() => void} onchange
   */
  constructor(columns, first, onchange) {
    this.#columns = columns;
    this.#column = first;
    this.#onchange = onchange;
  }

  /**
   * Return the header cells of columns.
   * @param {...string} names
   */
  heads(...names) {
    return names.map(name => {
      const onclick = () => this.#choose(name);
      const button = h("button", { type: "button", class: "sort", onclick }, columnName(name));
      const head = h("th", { scope: "col", class: this.#columns[name].className }, button);
      this.#heads.set(name, head);
      this.#mark(name);
      return head;
    });
  }

  /** @param {string} name */
  #choose(name) {
    this.#isReversed = name === this.#column && !this.#isReversed;
    this.#column = name;
    this.mark();
    this.#onchange();
  }

  /** Mark the chosen column, as it is now ascending or descending. */
  mark() {
    for (const head of this.#heads.keys()) this.#mark(head);
  }

  /** @param {string} name */
  #mark(name) {
    const head = this.#heads.get(name);
    if (name !== this.#column) head?.removeAttribute("aria-sort");
    else head?.setAttribute("aria-sort", this.#isAscending ? "ascending" : "descending");
  }

  get #isAscending() {
    return Boolean(this.#columns[this.#column].isAscending) !== this.#isReversed;
  }

  /**
   * Return the rows in the chosen order; those without a value stay at the end.
   * @template {Row} Sorted
   * @param {Sorted[]} rows
   */
  sort(rows) {
    const order = this.#isReversed ? -1 : 1;
    const { best, text } = this.#columns[this.#column];
    if (text)
      return rows.toSorted((one, other) => order * ALPHABET.compare(text(one), text(other)));
    if (!best) return order > 0 ? rows : rows.toReversed();
    const known = rows.filter(row => best(row) !== null);
    known.sort((one, other) => order * ((best(other) ?? 0) - (best(one) ?? 0)));
    return [...known, ...rows.filter(row => best(row) === null)];
  }
}
