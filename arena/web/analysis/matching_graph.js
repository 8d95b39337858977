// The graph of a matching: its nodes as buttons above its edges.

import { moveText } from "../boards/game_modules.js";
import { edgePaths, moveAtKey } from "../boards/graph_layout.js";
import { onResize } from "../boards/room.js";
import { h, s, setStyle } from "../dom.js";
import { DENSE, layOut } from "./matching_layout.js";
import { nodeLabel } from "./matching_text.js";

/** @import { Layout } from "../boards/graph_layout.js" */
/** @import { GameModule, Matching } from "../types.js" */

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
