// The tried moves as a tree: the main line, and variations indented below the move they replace.
import { moveText } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { load, save, TAB } from "../storage.js";

/** @import { GameModule, Setup } from "../types.js" */

/**
 * `onSelect` is called with the moves of a chosen position, `address` returns the link to one.
 * @typedef {{
 *   onSelect: (moves: number[]) => void,
 *   address: (moves: number[]) => string,
 *   signal: AbortSignal,
 * }} VariationOptions
 */

const STORED = "analysed-variations";
/** @type {Record<string, "previous" | "next" | "up" | "down">} */
const STEPS = { ArrowLeft: "previous", ArrowRight: "next", ArrowUp: "up", ArrowDown: "down" };

/** The panel; the tree of the latest game and setup is kept in this tab of the browser. */
export class VariationPanel {
  #options;
  #key = ""; // the game and the setup
  #tree = new VariationTree();
  /** @type {GameModule | null} */
  #module = null;
  #line = h("div", { class: "variation-line" });
  #delete = h("button", { type: "button", onclick: () => this.#deleteCurrent() });

  /** @param {VariationOptions} options */
  constructor(options) {
    this.#options = options;
    const label = { class: "variation-panel card", "aria-labelledby": "variations", hidden: true };
    const heading = h("h2", { id: "variations" }, "Variations");
    const hint = h("p", { class: "hint" }, "← → go along a line, ↑ ↓ between variations.");
    const foot = h("div", { class: "variation-foot" }, hint, this.#delete);
    this.element = h("nav", label, heading, this.#line, foot);
    this.#line.addEventListener("click", event => this.#click(event));
    const { signal } = options;
    document.addEventListener("keydown", event => this.#keyDown(event), { signal });
  }

  /**
   * Show where the analysed position is among the tried moves.
   * @param {string} game
   * @param {Setup} setup
   * @param {number[]} moves
   * @param {GameModule | null} module
   */
  show(game, setup, moves, module) {
    this.#open(game, setup);
    this.#module = module;
    this.#tree.go(moves);
    this.#update();
  }

  /**
   * Begin with the game from which the user comes: its moves are the main line.
   * @param {string} game
   * @param {Setup} setup
   * @param {number[]} moves
   */
  begin(game, setup, moves) {
    this.#open(game, setup);
    const known = this.#tree.mainLine;
    // The match may have gone on since, with the variations that were tried in it.
    if (known.slice(0, moves.length).join() !== moves.slice(0, known.length).join()) {
      this.#tree = new VariationTree();
    }
    this.#tree.add(moves);
  }

  /**
   * @param {string} game
   * @param {Setup} setup
   */
  #open(game, setup) {
    const key = JSON.stringify([game, setup]);
    if (key === this.#key) return;
    this.#key = key;
    const [stored, text] = (load(STORED, TAB) ?? "").split("\n");
    this.#tree = VariationTree.fromText(stored === key ? text : null);
  }

  #update() {
    save(STORED, `${this.#key}\n${this.#tree.toText()}`, TAB);
    const { root, current } = this.#tree;
    this.element.hidden = !root.children.length;
    const hadFocus = this.#line.contains(document.activeElement);
    const start = this.#link(root, [], "Start");
    this.#line.replaceChildren(start, ...this.#lineFrom(root, []));
    const link = this.#line.querySelector("[aria-current]");
    if (link instanceof HTMLElement) {
      if (hadFocus) link.focus({ preventScroll: true });
      const box = this.#line;
      const top = link.offsetTop;
      if (top < box.scrollTop || top + 40 > box.scrollTop + box.clientHeight) {
        box.scrollTop = top - box.clientHeight / 2; // never the page
      }
    }
    this.#delete.disabled = !current.parent;
    const name = current.move === null ? "" : moveText(this.#module, current.move);
    this.#delete.textContent = name ? `Delete from ${name} on` : "Delete";
  }

  /**
   * Return the elements of the line that follows a node, and of its variations.
   * @param {Node} start
   * @param {number[]} moves to the node
   * @returns {HTMLElement[]}
   */
  #lineFrom(start, moves) {
    /** @type {HTMLElement[]} */
    const parts = [];
    const path = [...moves];
    let isFirst = false;
    for (let node = start; node.children.length; [node] = node.children) {
      const [main, ...others] = node.children;
      const before = [...path];
      path.push(/** @type {number} */ (main.move));
      parts.push(this.#numbered(main, path, isFirst));
      isFirst = others.length > 0;
      if (!isFirst) continue;
      const items = others.map(other => {
        const line = [...before, /** @type {number} */ (other.move)];
        return h("li", {}, this.#numbered(other, line, true), this.#lineFrom(other, line));
      });
      parts.push(h("ul", { role: "list" }, items));
    }
    return parts;
  }

  /**
   * Return the link to a node, after its number where that is needed.
   * @param {Node} node
   * @param {number[]} moves to the node
   * @param {boolean} isFirst whether it begins a line
   */
  #numbered(node, moves, isFirst) {
    const isSecond = moves.length % 2 === 0;
    const number = Math.ceil(moves.length / 2);
    const text = isSecond ? isFirst && `${number}…` : `${number}.`;
    const link = this.#link(node, moves, moveText(this.#module, moves[moves.length - 1]));
    return h("span", { class: "tried" }, text && h("span", { class: "ply" }, text), link);
  }

  /**
   * @param {Node} node
   * @param {number[]} moves to the node
   * @param {string} text
   */
  #link(node, moves, text) {
    const isCurrent = node === this.#tree.current;
    const href = this.#options.address(moves);
    return h("a", { href, "aria-current": isCurrent ? "step" : null }, text);
  }

  #deleteCurrent() {
    this.#tree.delete();
    this.#select(this.#tree.current);
  }

  /** @param {Node} node */
  #select(node) {
    this.#tree.current = node;
    this.#update(); // the analysis follows later
    this.#options.onSelect(movesTo(node));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const query = new URLSearchParams(link.hash.split("?")[1]);
    const words = query.get("moves")?.split(",") ?? [];
    this.#options.onSelect(words.filter(Boolean).map(Number));
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, textarea, dialog, summary, .wide")) return;
    const step = STEPS[event.key];
    const node = step && this.#tree.neighbour(step);
    if (!node) return; // the page scrolls
    event.preventDefault();
    this.#select(node);
  }
}

// The tree of the tried moves: of the children of a node the first continues the main line

/**
 * A position; `move` led to it, null for the start.
 * @typedef {{ move: number | null, parent: Node | null, children: Node[] }} Node
 */

const MAX_NODES = 5000;

/** A tree of moves from the start of a game, with a current node. */
export class VariationTree {
  #count = 1;
  /** @type {Node} */
  root = { move: null, parent: null, children: [] };
  /** @type {Node} */
  current = this.root;

  /**
   * Go to the position after moves; those that are not in the tree yet are added.
   * @param {number[]} moves
   */
  go(moves) {
    this.current = this.add(moves);
  }

  /**
   * Add moves without going there, and return the node that they lead to. Of a tree that is full the
   * last of the moves are left out.
   * @param {number[]} moves
   */
  add(moves) {
    let node = this.root;
    for (const move of moves) {
      const known = node.children.find(child => child.move === move);
      if (!known && this.#count === MAX_NODES) break;
      node = known ?? this.#append(node, move);
    }
    return node;
  }

  /**
   * @param {Node} parent
   * @param {number} move
   */
  #append(parent, move) {
    /** @type {Node} */
    const node = { move, parent, children: [] };
    parent.children.push(node);
    this.#count++;
    return node;
  }

  /** Delete the current move with all that follows; its parent becomes the current node. */
  delete() {
    const { parent } = this.current;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(this.current), 1);
    this.current = parent;
    this.#count = this.#nodes().length;
  }

  /** The moves of the main line. */
  get mainLine() {
    const moves = [];
    for (let [node] = this.root.children; node; [node] = node.children) {
      moves.push(/** @type {number} */ (node.move));
    }
    return moves;
  }

  /**
   * Return the node that a step from the current one leads to, null if there is none.
   * @param {"previous" | "next" | "up" | "down"} step
   * @returns {Node | null}
   */
  neighbour(step) {
    const { parent, children } = this.current;
    if (step === "previous") return parent;
    if (step === "next") return children[0] ?? null;
    const siblings = parent?.children ?? [];
    return siblings[siblings.indexOf(this.current) + (step === "up" ? -1 : 1)] ?? null;
  }

  /** All nodes, parents before their children. */
  #nodes() {
    const nodes = [this.root];
    for (const node of nodes) nodes.push(...node.children);
    return nodes;
  }

  /** Return the tree as a text. */
  toText() {
    const nodes = this.#nodes();
    const places = new Map(nodes.map((node, place) => [node, place]));
    return JSON.stringify(
      nodes.slice(1).map(({ parent, move }) => [places.get(/** @type {Node} */ (parent)), move]),
    );
  }

  /**
   * Return the tree of a text, an empty one if the text is none.
   * @param {string | null} text
   */
  static fromText(text) {
    const tree = new VariationTree();
    try {
      const nodes = [tree.root];
      for (const [place, move] of JSON.parse(text ?? "[]")) {
        nodes.push(tree.#append(nodes[place], move));
      }
      return tree;
    } catch {
      return new VariationTree(); // of another version of the page
    }
  }
}

/**
 * Return the moves that lead to a node.
 * @param {Node} node
 */
export function movesTo(node) {
  const moves = [];
  for (let { move, parent } = node; parent; { move, parent } = parent) {
    moves.push(/** @type {number} */ (move));
  }
  return moves.reverse();
}
