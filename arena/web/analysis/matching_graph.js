// The graph of a matching, its nodes as buttons above its edges, and the matching in words.
import { moveText } from "../boards/game_modules.js";
import { edgePaths, layOutRows, moveAtKey, partnersOf } from "../boards/graph_layout.js";
import { onResize } from "../boards/room.js";
import { capitalised, h, s, setStyle } from "../dom.js";

/** @import { Layout } from "../boards/graph_layout.js" */
/** @import { GameModule, Matching, MatchingNode } from "../types.js" */

/**
 * `onShow` is called with the move of the node under the pointer or the focus, else the selected one
 * or null; `onChoose` with the move of a click, which selects the node if it returns false.
 * @typedef {{ onShow: (move: number | null) => void, onChoose: (move: number) => boolean }} GraphEvents
 */

/** Nodes with one tab stop and arrow keys; the edges of the one shown stand out. */
export class MatchingGraph {
  #events;
  #edges = s("path", { class: "edges" });
  #pairs = s("path", { class: "pairs" });
  #near = s("path", { class: "near" });
  #pair = s("path", { class: "pair" });
  #drawing = s("svg", { "aria-hidden": "true" }, [
    ...[this.#edges, this.#pairs],
    ...[this.#near, this.#pair],
  ]);
  #nodes = h("div", { role: "group", "aria-label": "Graph" });
  /** @type {Matching | null} */
  #matching = null;
  /** @type {Layout | null} */
  #layout = null;
  /** @type {Map<number, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {number | null} */
  #selected = null;
  /** @type {number | null} the move of the tab stop */
  #current = null;
  #width = 320;

  /** @param {GraphEvents} events */
  constructor(events) {
    this.#events = events;
    this.element = h(
      "div",
      {
        class: "matching",
        onclick: event => this.#click(event),
        onkeydown: event => this.#keyDown(event),
        onfocusin: event => this.#enter(event),
        onfocusout: () => this.#highlight(this.#selected),
        onpointerover: event => this.#enter(event),
        onpointerleave: () => this.#highlight(this.#selected),
      },
      this.#drawing,
      this.#nodes,
    );
    onResize(this.element, width => {
      this.#width = width;
      this.#layOut();
    });
  }

  /**
   * Show a matching.
   * @param {Matching} matching
   * @param {GameModule | null} module
   */
  show(matching, module) {
    const hadFocus = this.element.querySelector(":focus-visible") !== null;
    const winning = new Set(matching.winning_moves);
    const kinds = Object.keys(matching.kinds);
    this.#matching = matching;
    this.#selected = null;
    this.#buttons = new Map(
      matching.nodes.map(node => {
        const [move, kind, , reason] = node;
        const classes = ["node", `kind-${kinds.indexOf(kind) + 1}`];
        if (reason !== null) classes.push("legal");
        if (winning.has(move)) classes.push("wins");
        const text = moveText(module, move);
        const properties = {
          type: "button",
          class: classes.join(" "),
          tabindex: -1,
          "aria-pressed": "false",
          "aria-label": nodeLabel(matching, module, node),
          "data-move": move,
        };
        return [move, h("button", properties, h("span", {}, text))];
      }),
    );
    this.#nodes.replaceChildren(...this.#buttons.values());
    const legal = matching.nodes.find(([, , , reason]) => reason !== null);
    this.#setTabStop((legal ?? matching.nodes[0])?.[0] ?? null);
    this.#layOut();
    this.#highlight(null);
    if (hadFocus && this.#current !== null) this.#buttons.get(this.#current)?.focus();
  }

  #layOut() {
    if (!this.#matching) return;
    const layout = layOut(this.#matching, this.#width);
    this.#layout = layout;
    setStyle(this.element, { height: `${layout.height}px`, "--size": `${layout.size}px` });
    this.#drawing.setAttribute("viewBox", `0 0 ${this.#width} ${layout.height}`);
    for (const [move, { x, y }] of layout.places) {
      const button = /** @type {HTMLButtonElement} */ (this.#buttons.get(move));
      setStyle(button, { left: `${x}px`, top: `${y}px` });
    }
    const isDense = this.#matching.nodes.length >= DENSE;
    this.#draw(this.#edges, isDense ? [] : this.#matching.edges); // else those of the node shown
    this.#draw(this.#pairs, this.#matching.pairs);
  }

  /**
   * @param {SVGElement} path
   * @param {[number, number][]} edges
   */
  #draw(path, edges) {
    const layout = /** @type {Layout} */ (this.#layout);
    path.setAttribute("d", edgePaths(layout, edges));
  }

  /** @param {number | null} move */
  #highlight(move) {
    if (!this.#matching) return;
    const edges = this.#matching.edges.filter(edge => move !== null && edge.includes(move));
    const pair = this.#matching.pairs.find(edge => move !== null && edge.includes(move));
    const near = new Set(edges.flat());
    this.#draw(this.#near, edges);
    this.#draw(this.#pair, pair ? [pair] : []);
    this.element.classList.toggle("has-shown", move !== null);
    for (const [other, button] of this.#buttons) {
      button.classList.toggle("shown", other === move);
      button.classList.toggle("partner", other !== move && (pair?.includes(other) ?? false));
      button.classList.toggle("near", near.has(other));
    }
    this.#events.onShow(move);
  }

  /** @param {Event} event */
  #moveOf({ target }) {
    const button = /** @type {Element} */ (target).closest("button");
    return button ? Number(button.dataset.move) : null;
  }

  /** @param {Event} event */
  #enter(event) {
    const move = this.#moveOf(event);
    if (move === null) return;
    if (event.type === "focusin") this.#setTabStop(move);
    this.#highlight(move);
  }

  /** @param {Event} event */
  #click(event) {
    const move = this.#moveOf(event);
    if (move === null || this.#events.onChoose(move)) return;
    this.#selected = this.#selected === move ? null : move;
    for (const [other, button] of this.#buttons) button.ariaPressed = `${other === this.#selected}`;
    this.#highlight(this.#selected);
  }

  /** @param {number | null} move */
  #setTabStop(move) {
    if (this.#current !== null) this.#buttons.get(this.#current)?.setAttribute("tabindex", "-1");
    if (move !== null) this.#buttons.get(move)?.setAttribute("tabindex", "0");
    this.#current = move;
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    if (this.#layout === null || this.#current === null) return;
    const target = moveAtKey(this.#layout, this.#current, event.key);
    if (target === null) return;
    event.preventDefault();
    this.#buttons.get(target)?.focus();
  }
}

// The places of the nodes: rows of moves, wrapped into lines where they are too long, or partners side
// by side where there are too many edges to tell them apart

const LEAST_PITCH = 42; // pixels from one node to the next: a finger needs them
const LARGEST_PITCH = 76;
const PAIR_GAPS = { inner: 10, outer: 22, group: 16 }; // pixels beside nodes, and between groups
const LINE_GAP = 14;
const ROW_GAP = 1.15; // between two rows, as a share of the pitch, so that edges can be told apart

/** Nodes from which partners are side by side. */
export const DENSE = 60;

/**
 * Return the layout of a matching in a drawing of a width.
 * @param {Matching} matching
 * @param {number} width
 */
export const layOut = (matching, width) =>
  matching.nodes.length < DENSE ? layOutNodes(matching.nodes, width) : layOutPairs(matching, width);

/**
 * @param {Matching} matching
 * @param {number} width
 * @returns {Layout}
 */
function layOutPairs(matching, width) {
  const size = LEAST_PITCH - 8;
  const pitch = size + PAIR_GAPS.inner;
  const slot = pitch + size + PAIR_GAPS.outer;
  const most = Math.max(Math.floor((width + PAIR_GAPS.outer) / slot), 1);
  /** @type {Layout} */
  const layout = { places: new Map(), lines: [], size, height: 0 };
  const left = (width - most * slot + PAIR_GAPS.outer + size) / 2;
  let y = size / 2 + 4;
  for (const group of pairGroups(matching)) {
    for (let at = 0; at < group.length; at += most) {
      const pairs = group.slice(at, at + most);
      const line = layout.lines.length;
      for (const [index, pair] of pairs.entries()) {
        for (const [side, move] of pair.entries()) {
          layout.places.set(move, { x: left + index * slot + side * pitch, y, line });
        }
      }
      layout.lines.push(pairs.flat());
      y += size + LINE_GAP;
    }
    y += PAIR_GAPS.group;
  }
  layout.height = y - PAIR_GAPS.group - LINE_GAP + 4 - size / 2;
  return layout;
}

/**
 * Return the pair of the last move, those with a legal move, the others, and the moves without a
 * partner, as far as there are any.
 * @param {Matching} matching
 */
function pairGroups({ nodes, pairs, last }) {
  const legal = new Set(nodes.filter(([, , , reason]) => reason !== null).map(([move]) => move));
  const partners = new Set(pairs.flat());
  /** @type {number[][][]} */
  const groups = [[], [], [], []];
  for (const pair of pairs) {
    const isLegal = pair.some(move => legal.has(move));
    const hasLast = last !== null && pair.includes(last);
    groups[hasLast ? 0 : isLegal ? 1 : 2].push([...pair].sort((one, other) => one - other));
  }
  for (const [move] of nodes) if (!partners.has(move)) groups[3].push([move]);
  for (const group of groups) group.sort(([one], [other]) => one - other);
  return groups.filter(group => group.length);
}

/**
 * @param {MatchingNode[]} nodes
 * @param {number} width
 */
function layOutNodes(nodes, width) {
  /** @type {number[][]} */
  const rows = [];
  for (const [move, , row] of nodes) {
    rows[row] ??= [];
    rows[row].push(move);
  }
  const filled = rows.filter(Boolean); // rows may be empty
  const most = Math.max(Math.floor(width / LEAST_PITCH), 1);
  const longest = Math.max(...filled.map(row => row.length), 1);
  const pitch = Math.min(LARGEST_PITCH, width / Math.min(longest, most));
  const size = Math.min(pitch - 8, 44);
  const gaps = { lineGap: LINE_GAP, rowGap: ROW_GAP * size };
  return layOutRows(filled, width, { most, pitch, size, ...gaps });
}

// The matching in words: labels of its nodes, its legend, and a table of all of it

/**
 * "6, outer, partner 3, legal: 6 is a multiple of 3, wins".
 * @param {Matching} matching
 * @param {GameModule | null} module
 * @param {MatchingNode} node
 */
export function nodeLabel(matching, module, [move, kind, , reason]) {
  const partner = partnersOf(matching.pairs).get(move);
  const words = [moveText(module, move), kind];
  words.push(partner === undefined ? "no partner" : `partner ${moveText(module, partner)}`);
  if (reason !== null) words.push(`legal: ${reason}`);
  if (matching.winning_moves.includes(move)) words.push("wins");
  return words.join(", ");
}

/**
 * Describe a node in sentences.
 * @param {Matching} matching
 * @param {GameModule | null} module
 * @param {number} move
 */
export function nodeSentences(matching, module, move) {
  const node = matching.nodes.find(([other]) => other === move);
  if (!node) return "";
  const [, kind, , reason] = node;
  const partner = partnersOf(matching.pairs).get(move);
  const sentences = [
    `${moveText(module, move)} is ${kind}: ${matching.kinds[kind]}.`,
    partner === undefined
      ? "Here it has no partner."
      : `Its partner is ${moveText(module, partner)}.`,
  ];
  if (reason !== null) sentences.push(`It is legal, as ${reason}.`);
  else if (move !== matching.last) sentences.push("It is not legal now.");
  if (move === matching.answer) sentences.push("It wins, as this matching shows.");
  else if (matching.winning_moves.includes(move)) {
    sentences.push("It wins, as another maximum matching shows.");
  }
  return sentences.join(" ");
}

/**
 * Return the legend: the shape and the meaning of each kind that occurs.
 * @param {Matching} matching
 */
export function legend({ kinds, nodes }) {
  const known = new Set(nodes.map(([, kind]) => kind));
  const items = Object.entries(kinds).map(([kind, meaning], index) => {
    const swatch = h("span", { class: `node kind-${index + 1}`, "aria-hidden": "true" });
    return known.has(kind) && h("li", {}, swatch, h("span", {}, h("b", {}, kind), `: ${meaning}`));
  });
  const signs = "Thick lines join partners. A filled shape is legal now, and a double one wins.";
  return [h("ul", { class: "kinds", role: "list" }, items), h("p", { class: "hint" }, signs)];
}

/**
 * Return a table of all nodes.
 * @param {Matching} matching
 * @param {GameModule | null} module
 */
export function nodeTable(matching, module) {
  const partners = partnersOf(matching.pairs);
  const winning = new Set(matching.winning_moves);
  const rows = matching.nodes.map(([move, kind, , reason]) => {
    const partner = partners.get(move);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, moveText(module, move)),
      h("td", { class: "name" }, kind),
      h("td", {}, partner === undefined ? "none" : moveText(module, partner)),
      h("td", { class: "name" }, reason ?? "no"),
      h("td", { class: "name" }, winning.has(move) ? "yes" : "no"),
    );
  });
  const names = ["move", "kind", "partner", "legal now", "wins"];
  const heads = names.map(name => h("th", { scope: "col" }, capitalised(name)));
  return h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
}
