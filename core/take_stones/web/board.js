// The board of Take-Stones: the stones as a grid.

import { onResize } from "/boards/room.js";
import { h, loadStyleSheet, s, setStyle } from "/dom.js";
import { load, save } from "/storage.js";
import { arrange, RelevantStones, StoneCells } from "./stone_cells.js";

export * from "./rules.js";
export { drawThumbnail } from "./thumbnail.js";

/** @import { BoardOptions, BoardView, Setup } from "/types.js" */
/** @typedef {[x: number, y: number]} Point */

const LINES = 7; // the latest moves that are joined by lines
const SWITCH = 32; // pixels of the switch above a board with tiny stones
const RING = 5; // pixels around the last stone, which may be in the first or the last row
const TINY = 30; // pixels from one stone to the next, below which numbers are hard to read

await loadStyleSheet(new URL("board.css", import.meta.url).href);

/** Load the graph, to which few switch. */
export const loadGraph = async () => (await import("./graph.js")).Graph;

/** The board: its cells show the stones, and lines join the latest moves. */
export class Board {
  #setup;
  #cells;
  #relevant;
  #frame;
  #scroller; // of a board that does not fit into the window
  #switch = h("input", { type: "checkbox", role: "switch", onchange: () => this.#choose() });
  #choice = h("label", { class: "switch" }, this.#switch, "Only the legal stones");
  #lines;
  #drawing;
  #columns = 1;
  #pitch = 1; // pixels from one stone to the next
  #rowPitch = 1;
  #radius = 1;

  /**
   * @param {Setup} setup
   * @param {BoardOptions} [options]
   */
  constructor(setup, { onMove } = {}) {
    this.#setup = setup;
    this.#cells = new StoneCells(setup, `${setup.stones} stones, row by row`, onMove);
    this.#lines = Array.from({ length: LINES }, (_, age) =>
      s("path", { "stroke-opacity": 0.95 * 0.8 ** age }),
    );
    const properties = { class: "chain", "aria-hidden": "true" };
    this.#drawing = s("svg", properties, [...this.#lines].reverse());
    this.#frame = h("div", { class: "board-frame" }, this.#cells.grid.element, this.#drawing);
    this.#relevant = new RelevantStones(setup, onMove);
    this.#scroller = h("div", { class: "board-scroller" }, this.#frame);
    const parts = [this.#choice, this.#scroller, this.#relevant.element];
    this.element = h("div", { class: "board" }, parts);
    this.#switch.checked = load("relevant-stones") === "on";
    this.#resize(Math.min(innerWidth - 24, 800), innerHeight / 2);
    onResize(this.element, (width, height) => this.#resize(width, height));
  }

  /**
   * Show the position after `ply` of `moves`.
   * @param {BoardView} view
   */
  show({ moves, ply, isInteractive, marks }) {
    const before = this.#cells.moves.at(-1);
    this.#cells.show({ moves, ply, isInteractive, marks });
    if (this.#cells.moves.at(-1) !== before) this.#scrollToLast();
    this.#drawLines();
    this.#showRelevant();
  }

  #choose() {
    save("relevant-stones", this.#switch.checked ? "on" : "off");
    this.#showRelevant();
  }

  /** Show the relevant stones instead of all, where those are tiny and the person wants it. */
  #showRelevant() {
    const isTiny = this.#pitch < TINY;
    const isShown = isTiny && this.#switch.checked;
    this.#choice.hidden = !isTiny;
    this.#scroller.hidden = isShown;
    this.#relevant.element.hidden = !isShown;
    if (!isShown) return;
    this.#relevant.show(this.#cells, LINES);
  }

  /**
   * @param {number} width
   * @param {number} room the height for the board and its switch
   */
  #resize(width, room) {
    const { stones } = this.#setup;
    const isTiny = arrange(stones, width, room).pitch < TINY;
    const height = room - (isTiny ? SWITCH : 0) - 2 * RING;
    const { columns, pitch } = arrange(stones, width, height);
    const rows = Math.ceil(stones / columns);
    this.#columns = columns;
    this.#pitch = Math.max(1, Math.floor(pitch)); // in a window without any room, too
    // Rows of tiny stones are easier to read with space between them.
    const spaced = this.#pitch < TINY ? 1.25 * this.#pitch : 0;
    this.#rowPitch = Math.floor(Math.max(this.#pitch, Math.min(spaced, height / rows)));
    const gap = Math.max(1, Math.round(this.#pitch * 0.09) - 1);
    this.#radius = (this.#pitch - gap) / 2;
    this.#cells.grid.layOut(columns);
    const gridHeight = (rows - 1) * this.#rowPitch + this.#pitch - gap;
    this.#setSizes(gap, columns * this.#pitch - gap, gridHeight);
    this.#scroller.classList.toggle("scrolls", gridHeight > height);
    setStyle(this.#scroller, { "max-height": gridHeight > height ? `${height}px` : "none" });
    this.#drawLines();
    this.#scrollToLast();
    this.#showRelevant();
  }

  /**
   * @param {number} gap
   * @param {number} width
   * @param {number} height
   */
  #setSizes(gap, width, height) {
    const { element } = this.#cells.grid;
    const size = this.#pitch - gap;
    const digits = String(this.#setup.stones - 1).length;
    setStyle(element, {
      width: `${width}px`,
      "--size": `${size}px`,
      "--gap": `${gap}px`,
      "--row-gap": `${this.#rowPitch - size}px`,
      "--digits": `${([0, 0.42, 0.42, 0.45][digits] ?? 1.6 / digits) * size}px`,
    });
    element.classList.toggle("small", this.#pitch < 46);
    element.classList.toggle("tiny", this.#pitch < TINY);
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    setStyle(this.#drawing, { "stroke-width": `${Math.max(1.5, this.#pitch * 0.045)}px` });
  }

  /** Scroll the board, where it scrolls, to the stone taken last. */
  #scrollToLast() {
    const last = this.#cells.moves.at(-1);
    const scroller = this.#scroller;
    if (!last || !scroller.classList.contains("scrolls")) return;
    scroller.scrollTop = this.#centre(last)[1] - scroller.clientHeight / 2;
  }

  #drawLines() {
    const { moves } = this.#cells;
    this.#lines.forEach((line, age) => {
      const at = moves.length - 1 - age;
      const ends = at > 0 ? [this.#centre(moves[at - 1]), this.#centre(moves[at])] : [];
      line.setAttribute("d", at > 0 ? curve(ends[0], ends[1], this.#radius) : "");
      line.setAttribute("class", at % 2 ? "two" : "one");
    });
  }

  /**
   * @param {number} stone
   * @returns {Point}
   */
  #centre(stone) {
    const column = (stone - 1) % this.#columns;
    const row = Math.floor((stone - 1) / this.#columns);
    return [column * this.#pitch + this.#radius, row * this.#rowPitch + this.#radius];
  }
}

/**
 * Return a curve from the edge of one stone to that of another: curves in one row do not overlap.
 * @param {Point} from
 * @param {Point} to
 * @param {number} radius
 */
function curve([x1, y1], [x2, y2], radius) {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(0.18 * length, 3 * radius) * 1.2;
  const cx = (x1 + x2) / 2 + (dy / length) * bend;
  const cy = (y1 + y2) / 2 - (dx / length) * bend;
  /** @param {Point} centre */
  const edge = ([x, y]) => {
    const distance = Math.hypot(cx - x, cy - y) || 1;
    return point([x + ((cx - x) / distance) * radius, y + ((cy - y) / distance) * radius]);
  };
  return `M${edge([x1, y1])}Q${point([cx, cy])} ${edge([x2, y2])}`;
}

/** @param {Point} point */
const point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
