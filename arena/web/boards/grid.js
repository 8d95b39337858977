// A grid of cells with one tab stop and arrow-key navigation.
import { h, setStyle } from "../dom.js";
import { moveAtKey } from "./graph_layout.js";

/** @import { Layout } from "./graph_layout.js" */
/** @typedef {HTMLElement & { index: number }} Cell */

/**
 * @typedef {{
 *   label: string,
 *   className: string,
 *   cellName: string,
 *   count: number,
 *   first?: number,
 *   onMove?: (move: number) => void,
 * }} GridOptions `first` is the move of the first cell, `onMove` is called with a chosen legal move
 */

const MOVING = /^(Arrow|Home|End)/; // keys
const SHAKE = { transform: ["none", "translateX(-4px)", "translateX(4px)", "none"] };
const SHAKE_TIME = { duration: 130, iterations: 2 }; // milliseconds

/**
 * A grid with one cell for each move.
 *
 * A choice that is illegal shakes its cell, which dispatches "illegal" with the move. One at a time
 * when no move can be chosen dispatches "untimely".
 */
export class Grid {
  #current = 0; // index of the tab stop
  #columns = 0;
  /** @type {Layout | null} the places of the cells of a graph */
  #layout = null;
  /** @type {number[]} */
  #legal = [];
  #isInteractive = false;
  #first;
  #onMove;

  /** @param {GridOptions} options */
  constructor({ label, className, cellName, count, first = 0, onMove = () => {} }) {
    this.#first = first;
    this.#onMove = onMove;
    this.cells = Array.from({ length: count }, (_, index) => {
      const properties = { role: "gridcell", class: cellName, tabindex: index ? -1 : 0 };
      return /** @type {Cell} */ (Object.assign(h("div", properties), { index }));
    });
    this.element = h("div", {
      role: "grid",
      "aria-label": label,
      "aria-keyshortcuts": "N Shift+N",
      class: className,
      onclick: event => this.#click(event),
      onkeydown: event => this.#keyDown(event),
      onfocusin: ({ target }) => this.#setTabStop(/** @type {Cell} */ (target).index),
      // Spectators step through the match with the arrow keys: a click must not move the focus.
      onmousedown: event => this.#isInteractive || event.preventDefault(),
    });
  }

  /**
   * Arrange the cells in rows.
   * @param {number} columns
   */
  layOut(columns) {
    if (columns === this.#columns) return;
    this.#columns = columns;
    const rows = [];
    for (let start = 0; start < this.cells.length; start += columns) {
      rows.push(this.cells.slice(start, start + columns));
    }
    this.#setRows(rows);
  }

  /**
   * Arrange the cells as the nodes of a graph, each at its place.
   * @param {Layout} layout
   */
  layOutGraph(layout) {
    this.#layout = layout;
    this.#setRows(layout.lines.map(line => line.map(move => this.cells[move - this.#first])));
    for (const [move, { x, y }] of layout.places) {
      const corner = { left: `${x - layout.size / 2}px`, top: `${y - layout.size / 2}px` };
      setStyle(this.cells[move - this.#first], corner);
    }
  }

  /** @param {Cell[][]} rows */
  #setRows(rows) {
    const { activeElement } = document;
    const focused = this.element.contains(activeElement) ? activeElement : null;
    this.element.replaceChildren(...rows.map(cells => h("div", { role: "row" }, cells)));
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  /**
   * Set the legal moves, whether they can be chosen, and the cell that Tab leads to.
   * @param {number[]} legal
   * @param {boolean} isInteractive
   */
  setLegalMoves(legal, isInteractive, move = this.#first) {
    this.#legal = legal;
    this.#isInteractive = isInteractive;
    this.element.classList.toggle("interactive", isInteractive);
    if (!this.element.contains(document.activeElement)) this.#setTabStop(move - this.#first);
  }

  /** @param {number} index */
  #setTabStop(index) {
    if (!this.cells[index] || index === this.#current) return;
    this.cells[this.#current].tabIndex = -1;
    this.cells[index].tabIndex = 0;
    this.#current = index;
  }

  /**
   * Choose the move of a cell; return whether one can be chosen now.
   * @param {PointerEvent | KeyboardEvent} event
   */
  #click(event) {
    const target = /** @type {Element} */ (event.target);
    const cell = /** @type {Cell | null} */ (target.closest("[role=gridcell]"));
    if (!cell) return false;
    if (!this.#isInteractive) {
      cell.dispatchEvent(new CustomEvent("untimely", { bubbles: true }));
      return false;
    }
    const isTouch = "pointerType" in event && event.pointerType === "touch";
    let index = this.#isLegal(cell.index) ? cell.index : undefined;
    if (index === undefined && isTouch) index = this.#onlyLegalNeighbour(cell.index);
    if (index === undefined) this.#refuse(cell);
    else this.#onMove(index + this.#first);
    return true;
  }

  /** @param {Cell} cell */
  #refuse(cell) {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) cell.animate(SHAKE, SHAKE_TIME);
    const detail = cell.index + this.#first;
    cell.dispatchEvent(new CustomEvent("illegal", { bubbles: true, detail }));
  }

  /** @param {number} index */
  #isLegal(index) {
    return this.#legal.includes(index + this.#first);
  }

  /**
   * Return the only legal cell next to one: a finger is wider than a small cell.
   * @param {number} index
   */
  #onlyLegalNeighbour(index) {
    const columns = this.#columns;
    /** @param {number} other */
    const isNear = other =>
      this.#layout
        ? this.#isNearInGraph(this.#layout, index, other)
        : Math.abs((other % columns) - (index % columns)) < 2 &&
          Math.abs(Math.floor(other / columns) - Math.floor(index / columns)) < 2;
    const near = this.#legal.map(move => move - this.#first).filter(isNear);
    return near.length === 1 ? near[0] : undefined;
  }

  /**
   * @param {Layout} layout
   * @param {number} index
   * @param {number} other
   */
  #isNearInGraph({ places, size }, index, other) {
    const [one, two] = [index, other].map(at => places.get(at + this.#first));
    return one && two ? Math.hypot(one.x - two.x, one.y - two.y) < 1.6 * size : false;
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      if (this.#click(event)) event.preventDefault();
      return;
    }
    const target = this.#targetOf(event);
    if (target === null) return;
    event.preventDefault();
    this.cells[target]?.focus();
  }

  /**
   * Return the index that a key leads to, outside the grid at its edge; null for other keys.
   * @param {KeyboardEvent} event
   */
  #targetOf({ key, ctrlKey }) {
    const index = this.#current;
    if (this.#layout && !ctrlKey && MOVING.test(key)) {
      const move = moveAtKey(this.#layout, index + this.#first, key);
      return move === null ? index : move - this.#first;
    }
    const columns = this.#columns;
    const last = this.cells.length - 1;
    const start = index - (index % columns);
    switch (key) {
      case "Home":
        return ctrlKey ? 0 : start;
      case "End":
        return ctrlKey ? last : Math.min(start + columns - 1, last);
      case "ArrowLeft":
        return ctrlKey ? this.#nextLegal(-1) : index - 1;
      case "ArrowRight":
        return ctrlKey ? this.#nextLegal(1) : index + 1;
      case "ArrowUp":
        return index - columns;
      case "ArrowDown":
        return index + columns;
      case "n":
        return ctrlKey ? null : this.#nextLegal(1);
      case "N":
        return ctrlKey ? null : this.#nextLegal(-1);
      default:
        return null;
    }
  }

  /**
   * Return the next legal cell in a direction, beyond the end the first one: on a large board they
   * are far apart.
   * @param {1 | -1} step
   */
  #nextLegal(step) {
    const indices = this.#legal
      .map(move => step * (move - this.#first))
      .sort((one, two) => one - two);
    const found = indices.find(index => index > step * this.#current) ?? indices[0];
    return found === undefined ? this.#current : step * found;
  }
}
