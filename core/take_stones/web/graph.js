// The graph of Take-Stones: stones in rows by their number of prime factors, above their edges.

import { edgePaths, layOutRows, MARGIN } from "/boards/graph_layout.js";
import { onResize } from "/boards/room.js";
import { h, loadStyleSheet, s, setStyle } from "/dom.js";
import { StoneCells } from "./stone_cells.js";

/** @import { Layout } from "/boards/graph_layout.js" */
/** @import { BoardOptions, BoardView, Setup } from "/types.js" */
/** @typedef {[one: number, other: number]} Edge */

const LINES = 7; // the latest moves that are joined by lines
const SPARSE = 60; // stones up to which all edges are drawn: more cannot be told apart
const FEW = 40; // legal stones that are enlarged where stones are tiny
const SMALL = 46; // pixels of a stone below which it has its number alone
const TINY = 30; // pixels of a stone below which numbers are hard to read
const LEAST = 16; // pixels of a stone; the graph is higher than the window rather
const LARGEST = 64; // pixels of a stone
const GAP = 0.14; // between stones, as a share of their size
const ROW_GAP = 0.6; // between rows at least, as a share of the size
const WIDEST = 1.9; // from one row, and from one stone, to the next at most, likewise

await loadStyleSheet(new URL("graph.css", import.meta.url).href);

const ABOUT_ROWS = "Rows count prime factors.";
const ABOUT_PARTNERS = " Thick lines join partners.";

/**
 * The graph: a stone keeps its place, and factors are above their multiples.
 *
 * It draws the edges of the last stone to the legal ones and those of the stone that is pointed at,
 * of few stones all.
 */
export class Graph {
  #setup;
  #cells;
  #rows;
  #bands = s("path", { class: "graph-bands" });
  #edges = s("path", { class: "graph-edges" });
  #pairs = s("path", { class: "graph-pairs" });
  #legal = s("path", { class: "graph-legal" });
  #reply = s("path", { class: "graph-reply" });
  #near = s("path", { class: "graph-near" });
  #lines;
  #drawing;
  #legend = h(
    "p",
    { class: "hint" },
    ABOUT_ROWS,
    h("span", { class: "about-partners" }, ABOUT_PARTNERS),
  );
  /** @type {Layout} */
  #layout = { places: new Map(), lines: [], size: 1, height: 1 };
  /** @type {number | null} the stone that is pointed at */
  #shown = null;
  /** @type {Set<number>} its neighbours */
  #neighbours = new Set();

  /**
   * @param {Setup} setup
   * @param {BoardOptions} [options]
   */
  constructor(setup, { onMove } = {}) {
    this.#setup = setup;
    this.#rows = primeFactorRows(setup.stones);
    const label = `Graph of ${setup.stones} stones, in rows by their number of prime factors`;
    this.#cells = new StoneCells(setup, label, onMove);
    this.#lines = Array.from({ length: LINES }, (_, age) =>
      s("path", { "stroke-opacity": 0.95 * 0.8 ** age }),
    );
    const chain = s("g", { class: "graph-chain" }, [...this.#lines].reverse());
    const edges = [this.#edges, this.#pairs, this.#legal, this.#reply, chain, this.#near];
    const properties = { class: "graph-drawing", "aria-hidden": "true" };
    this.#drawing = s("svg", properties, this.#bands, edges);
    this.element = h(
      "div",
      {
        class: "board stone-graph",
        onpointerover: event => this.#point(event),
        onpointerleave: event => event.pointerType !== "touch" && this.#highlight(null),
        onfocusin: event => this.#point(event),
        onfocusout: () => this.#highlight(null),
      },
      this.#drawing,
      this.#cells.grid.element,
      this.#legend,
    );
    this.#resize(Math.min(innerWidth - 24, 800), this.#heightIn(innerHeight / 2));
    onResize(this.element, (width, room) => this.#resize(width, this.#heightIn(room)));
  }

  /**
   * Show the position after `ply` of `moves`, with a matching if there is one.
   * @param {BoardView} view
   */
  show(view) {
    this.#cells.show(view);
    const isFew = this.#cells.legal.length <= FEW;
    this.element.classList.toggle("few-legal", isFew);
    this.element.classList.toggle("has-matching", this.#cells.partners.size > 0);
    this.#draw();
  }

  /**
   * Return the height of the place for the graph without the graph, which may be that of the board.
   * @param {number} room
   */
  #heightIn(room) {
    setStyle(this.#cells.grid.element, { height: "0" });
    const height = this.element.parentElement?.clientHeight || room;
    return Math.min(height, room) - this.#legend.offsetHeight;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  #resize(width, height) {
    const spacing = fit(this.#rows, width, height);
    this.#layout = layOutRows(this.#rows, width, spacing);
    this.#cells.grid.layOutGraph(this.#layout);
    const { size } = spacing;
    const digits = String(this.#setup.stones - 1).length;
    setStyle(this.#cells.grid.element, {
      height: `${this.#layout.height}px`,
      "--size": `${size}px`,
      "--digits": `${([0, 0.42, 0.42, 0.45][digits] ?? 1.6 / digits) * size}px`,
    });
    setStyle(this.#drawing, { "--edge": `${Math.max(1, size * 0.045)}px` });
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${this.#layout.height}`);
    this.#bands.setAttribute("d", this.#bandPaths(width));
    this.element.classList.toggle("small", size < SMALL);
    this.element.classList.toggle("tiny", size < TINY);
    this.#draw();
  }

  /**
   * Return a band behind each row, whose stones may be in several lines.
   * @param {number} width
   */
  #bandPaths(width) {
    const { places, size } = this.#layout;
    const edge = (0.5 + 0.35 * ROW_GAP) * size;
    const bands = this.#rows.map(row => {
      const [first, last] = [row[0], row[row.length - 1]].map(stone => places.get(stone)?.y ?? 0);
      return `M0 ${first - edge}H${width}V${last + edge}H0Z`;
    });
    return bands.join("");
  }

  #draw() {
    const { moves, legal, partners, answer } = this.#cells;
    const last = moves.at(-1);
    this.#setEdges(this.#edges, this.#setup.stones <= SPARSE ? this.#freeEdges() : []);
    this.#setEdges(this.#legal, last ? legal.map(stone => [last, stone]) : []);
    this.#setEdges(
      this.#pairs,
      [...partners].filter(([one, other]) => one < other),
    );
    this.#setEdges(this.#reply, last && answer ? [[last, answer]] : []);
    this.#lines.forEach((line, age) => {
      const at = moves.length - 1 - age;
      this.#setEdges(line, at > 0 ? [[moves[at - 1], moves[at]]] : []);
      line.setAttribute("class", at % 2 ? "two" : "one");
    });
    this.#highlight(this.#shown);
  }

  /**
   * @param {SVGElement} path
   * @param {Edge[]} edges
   */
  #setEdges(path, edges) {
    const { places } = this.#layout; // an illegal move may be any number
    const known = edges.filter(edge => edge.every(stone => places.has(stone)));
    path.setAttribute("d", edgePaths(this.#layout, known));
  }

  /** Return the edges between free stones, without those of stone 1, which has an edge to each. */
  #freeEdges() {
    /** @type {Edge[]} */
    const edges = [];
    for (let stone = 2; stone <= this.#setup.stones; stone++) {
      if (this.#cells.isTaken(stone)) continue;
      for (const multiple of this.#multiples(stone)) edges.push([stone, multiple]);
    }
    return edges;
  }

  /**
   * Return the free multiples of a stone.
   * @param {number} stone
   */
  #multiples(stone) {
    /** @type {number[]} */
    const found = [];
    for (let multiple = 2 * stone; multiple <= this.#setup.stones; multiple += stone) {
      if (!this.#cells.isTaken(multiple)) found.push(multiple);
    }
    return found;
  }

  /**
   * Return the free factors and multiples of a stone.
   * @param {number} stone
   */
  #freeNeighbours(stone) {
    const found = this.#multiples(stone);
    for (let factor = 1; 2 * factor <= stone; factor++) {
      if (stone % factor === 0 && !this.#cells.isTaken(factor)) found.push(factor);
    }
    return found;
  }

  /** @param {Event} event */
  #point({ target }) {
    const cell = /** @type {Element} */ (target).closest("[role=gridcell]");
    this.#highlight(cell ? Number(cell.textContent) : null);
  }

  /**
   * Highlight a stone and what could be taken after it.
   * @param {number | null} stone
   */
  #highlight(stone) {
    const neighbours = stone === null ? [] : this.#freeNeighbours(stone);
    const { cells } = this.#cells.grid;
    const known = [this.#shown, ...this.#neighbours, stone, ...neighbours];
    this.#shown = stone;
    this.#neighbours = new Set(neighbours);
    for (const changed of known) {
      if (changed === null) continue;
      const { classList } = cells[changed - 1];
      classList.toggle("shown", changed === stone);
      classList.toggle("near", this.#neighbours.has(changed));
    }
    const edges = neighbours.map(other => /** @type {Edge} */ ([stone, other]));
    this.#setEdges(this.#near, edges);
    this.element.classList.toggle("has-shown", stone !== null);
  }
}

/**
 * Return the spacing in which the rows fill a place best: as large as they fit, and then apart.
 * @param {number[][]} rows
 * @param {number} width
 * @param {number} height
 */
function fit(rows, width, height) {
  const room = height - 2 * MARGIN;
  const longest = Math.max(...rows.map(row => row.length));
  let best = { most: 1, size: 0, lines: 0 };
  for (let most = 1; most <= longest; most++) {
    const lines = rows.reduce((sum, row) => sum + Math.ceil(row.length / most), 0);
    const high = room / (lines * (1 + GAP) + (rows.length - 1) * ROW_GAP);
    const wide = width / (most * (1 + GAP));
    const size = Math.min(LARGEST, wide, Math.max(high, LEAST));
    if (size >= best.size) best = { most, size, lines };
  }
  const { most, lines } = best;
  const size = Math.floor(best.size);
  const lineGap = GAP * size;
  const left = (room - lines * (size + lineGap)) / Math.max(1, rows.length - 1);
  const rowGap = lineGap + Math.max(ROW_GAP * size, Math.min(left, WIDEST * size));
  const pitch = Math.min(width / Math.min(most, longest), WIDEST * size);
  return { most, size, pitch, lineGap, rowGap };
}

/**
 * Return the stones in rows by their number of prime factors, each counted as often as it divides.
 * @param {number} stones
 */
export function primeFactorRows(stones) {
  const counts = new Uint8Array(stones + 1);
  for (let divisor = 2; divisor <= stones; divisor++) {
    if (counts[divisor]) continue; // not a prime
    for (let power = divisor; power <= stones; power *= divisor) {
      for (let multiple = power; multiple <= stones; multiple += power) counts[multiple]++;
    }
  }
  /** @type {number[][]} */
  const rows = [];
  for (let stone = 1; stone <= stones; stone++) {
    rows[counts[stone]] ??= [];
    rows[counts[stone]].push(stone);
  }
  return rows;
}
