// The tried moves as a tree: the main line, and variations indented below the move they replace.

import { moveText } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { load, save, TAB } from "../storage.js";
import { movesTo, VariationTree } from "./variation_tree.js";

/** @import { GameModule, Setup } from "../types.js" */
/** @import { Node } from "./variation_tree.js" */

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
