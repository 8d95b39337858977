// A grid of cells that is one stop of the Tab key; the arrow keys go from cell to cell.
import { h } from "/dom.js";

export class Grid {
  #at = 0;
  #columns = 0;
  #legal = [];
  #isInteractive = false;
  #first;
  #onmove;

  /** A cell for each of `count` moves from `first` on; `onmove(move)` is told of a legal one that is picked. */
  constructor({ label, className, cellName, count, first = 0, onmove = () => {} }) {
    this.#first = first;
    this.#onmove = onmove;
    this.cells = Array.from({ length: count }, (_, index) => {
      const cell = h("div", { role: "gridcell", class: cellName, tabindex: index ? -1 : 0 });
      cell.index = index;
      return cell;
    });
    this.element = h("div", {
      role: "grid", "aria-label": label, class: className,
      onclick: event => this.#pick(event),
      onkeydown: event => this.#press(event),
      onfocusin: event => this.#stop(event.target.index),
      // Who only watches steps through the match with the arrow keys: a click must not take them.
      onmousedown: event => this.#isInteractive || event.preventDefault(),
    });
  }

  /** Put the cells into rows. */
  lay(columns) {
    if (columns === this.#columns) return;
    this.#columns = columns;
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    const rows = [];
    for (let at = 0; at < this.cells.length; at += columns) {
      rows.push(h("div", { role: "row" }, this.cells.slice(at, at + columns)));
    }
    this.element.replaceChildren(...rows);
    focused?.focus({ preventScroll: true });
  }

  /** Which moves are legal and may be picked; Tab leads to `move`, unless the focus is here already. */
  offer(legal, isInteractive, move = this.#first) {
    this.#legal = legal;
    this.#isInteractive = isInteractive;
    this.element.classList.toggle("interactive", isInteractive);
    if (!this.element.contains(document.activeElement)) this.#stop(move - this.#first);
  }

  #stop(index) {
    if (!this.cells[index] || index === this.#at) return;
    this.cells[this.#at].tabIndex = -1;
    this.cells[index].tabIndex = 0;
    this.#at = index;
  }

  #pick(event) {
    const { index } = event.target.closest("[role=gridcell]") ?? {};
    if (index === undefined || !this.#isInteractive) return false;
    const picked = this.#isLegal(index) ? index : event.pointerType === "touch" ? this.#legalNear(index) : undefined;
    if (picked !== undefined) this.#onmove(picked + this.#first);
    return picked !== undefined;
  }

  #isLegal(index) {
    return this.#legal.includes(index + this.#first);
  }

  /** A finger is wider than a small cell: the only legal one next to it is meant. */
  #legalNear(index) {
    const columns = this.#columns;
    const isNear = at => Math.abs(at % columns - index % columns) < 2 && Math.abs(Math.floor(at / columns) - Math.floor(index / columns)) < 2;
    const near = this.#legal.map(move => move - this.#first).filter(isNear);
    return near.length === 1 ? near[0] : undefined;
  }

  #press(event) {
    if (event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      if (this.#pick(event)) event.preventDefault();
      return;
    }
    const target = this.#target(event);
    if (target === null) return;
    event.preventDefault();
    this.cells[target]?.focus();
  }

  /** The cell that a key leads to; one that is not there at the rim; null if the key is no such key. */
  #target({ key, ctrlKey }) {
    const at = this.#at, columns = this.#columns, last = this.cells.length - 1;
    const start = at - at % columns, end = Math.min(start + columns - 1, last);
    switch (key) {
      case "Home": return ctrlKey ? 0 : start;
      case "End": return ctrlKey ? last : end;
      case "ArrowLeft": return ctrlKey ? this.#next(-1) : at - 1;
      case "ArrowRight": return ctrlKey ? this.#next(1) : at + 1;
      case "ArrowUp": return at - columns;
      case "ArrowDown": return at + columns;
      default: return null;
    }
  }

  /** The next legal cell in a direction: on a large board they are far apart. */
  #next(step) {
    let at = this.#at + step;
    while (this.cells[at] && !this.#isLegal(at)) at += step;
    return at;
  }
}

/** How high a board may be so that it can be seen without scrolling, in pixels. */
export const roomBelow = () => Math.max(300, innerHeight - (innerWidth < 960 ? 290 : 145));

/** Call `fit(width)` whenever there is another width for the element. */
export function whenResized(element, fit) {
  let known = null;
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.floor(contentRect.width);
    if (width && width !== known) fit(known = width);
  }).observe(element);
}

/** A small canvas made as sharp as the screen, with what was drawn on it before as `drawn`. */
export function sharpen(canvas) {
  let known = canvases.get(canvas);
  if (!known) {
    known = { width: 0, height: 0, drawn: null };
    canvases.set(canvas, known);
    new ResizeObserver(() => known.width = 0).observe(canvas);
  }
  if (!known.width) {
    const ratio = devicePixelRatio || 1;
    known.width = canvas.clientWidth || 160;
    known.height = canvas.clientHeight || 100;
    canvas.width = known.width * ratio;
    canvas.height = known.height * ratio;
    known.context = canvas.getContext("2d");
    known.context.scale(ratio, ratio);
    known.drawn = null;
  }
  return known;
}

const canvases = new WeakMap();
