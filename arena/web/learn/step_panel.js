// What happens in a step: its sentence, the nodes from the root to the one at work, the pseudocode.

import { moveText } from "../boards/game_modules.js";
import { h, setText } from "../dom.js";
import { valueText } from "./search_trace.js";

/** @import { Moment, SearchTrace } from "./search_trace.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { GameModule, SearchStart } from "../types.js" */

const VISIBLE = 5; // rows of the table that are seen at once

/** The nodes from the root to the one at work, with their values. */
export class PathTable {
  /** @type {PathRow[]} */
  #rows = [];
  #body = h("tbody");
  #name;
  #onSelect;

  /**
   * @param {(node: number) => string} name returns the name of a node beside its siblings
   * @param {(node: number) => void} onSelect called with a node that was clicked
   */
  constructor(name, onSelect) {
    this.#name = name;
    this.#onSelect = onSelect;
    const heads = ["Node", "Player", "v", "α", "β"].map((text, index) =>
      h("th", { scope: "col", class: index < 2 ? "name" : null }, text),
    );
    this.element = h(
      "div",
      {
        class: "wide path",
        role: "region",
        tabindex: 0,
        "aria-label": "From the root to this node",
      },
      h("table", {}, h("thead", {}, h("tr", {}, heads)), this.#body),
    );
  }

  /**
   * @param {SearchTrace} trace
   * @param {Moment} moment
   */
  update(trace, moment) {
    const path = trace.path(moment.node);
    while (this.#rows.length < path.length) this.#rows.push(new PathRow(this.#onSelect));
    const rows = this.#rows.slice(0, path.length);
    path.forEach((node, depth) => {
      rows[depth].update(trace, moment, node, this.#name(node));
    });
    if (this.#body.childElementCount === rows.length) return;
    this.#body.replaceChildren(...rows.map(row => row.element));
    if (rows.length > VISIBLE) this.element.scrollTop = this.element.scrollHeight;
  }
}

/** A node in the table. */
class PathRow {
  #node = 0;
  #name;
  #player = h("td", { class: "name" });
  #values = ["v", "α", "β"].map(() => h("td"));

  /** @param {(node: number) => void} onSelect */
  constructor(onSelect) {
    const onclick = () => onSelect(this.#node);
    this.#name = h("button", { type: "button", class: "link", onclick });
    const head = h("th", { scope: "row", class: "name" }, this.#name);
    this.element = h("tr", {}, head, this.#player, this.#values);
  }

  /**
   * @param {SearchTrace} trace
   * @param {Moment} moment
   * @param {number} node
   * @param {string} name
   */
  update(trace, moment, node, name) {
    this.#node = node;
    const { value, alpha, beta, status } = moment.state(node);
    const isMerged = moment.earlier(node) !== null;
    const isLeaf = !trace.children[node].count && value !== null && !isMerged;
    setText(this.#name, name);
    const player = trace.isMax(node) ? "Max" : "Min";
    setText(this.#player, isLeaf ? "leaf" : player);
    this.#player.className = `name ${isLeaf ? "" : playerClass(trace.isMax(node))}`;
    const shown = status === "waiting" ? [null, null, null] : [value, alpha, beta];
    shown.forEach((number, index) => {
      setText(this.#values[index], number === null ? "–" : valueText(number));
    });
    if (node === moment.node) this.element.setAttribute("aria-current", "step");
    else this.element.removeAttribute("aria-current");
  }
}

/** @param {boolean} isMax */
const playerClass = isMax => (isMax ? "player-1" : "player-2");

/** The pseudocode with the lines of the step. */
export class CodePanel {
  /** @type {HTMLElement[]} */
  #lines = [];
  #shown = "";
  #marked = "";
  element = h("ol", { class: "code", "aria-label": "Pseudocode", role: "list" });

  /**
   * @param {[indentation: number, text: string][]} pseudocode
   */
  setLines(pseudocode) {
    const key = JSON.stringify(pseudocode);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#marked = "";
    this.#lines = pseudocode.map(([indentation, text]) =>
      h(
        "li",
        { class: indentation ? null : "function", style: { "--indent": String(indentation) } },
        h("code", {}, symbols(text)),
      ),
    );
    this.element.replaceChildren(...this.#lines);
  }

  /** @param {number[]} marked */
  mark(marked) {
    if (marked.join() === this.#marked) return;
    this.#marked = marked.join();
    this.#lines.forEach((line, index) => {
      if (marked.includes(index)) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
  }
}

/**
 * Write pseudocode with the symbols that the tree has.
 * @param {string} text
 */
const symbols = text =>
  text
    .replaceAll("-infinity", "−∞")
    .replaceAll("infinity", "∞")
    .replaceAll(">=", "≥")
    .replaceAll("<=", "≤")
    .replace(/\balpha\b/g, "α")
    .replace(/\bbeta\b/g, "β");

/** How many nodes were visited and evaluated so far, and what minimax would have visited. */
export class Counts {
  #values = ["visited", "evaluated", "cut off"].map(name => ({
    name,
    value: h("b"),
    of: h("span", { class: "faint" }),
  }));
  #bar = h("div", { class: "bar-done" });
  #note = h("p", { class: "hint" });
  element;

  constructor() {
    const items = this.#values.map(({ name, value, of }) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value, of)),
    );
    this.element = h(
      "div",
      { class: "counts" },
      h("dl", {}, items),
      h("div", { class: "bar-whole", "aria-hidden": "true" }, this.#bar),
      this.#note,
    );
  }

  /**
   * @param {SearchTrace} trace
   * @param {number} steps
   */
  update(trace, steps) {
    const { minimax, totals } = trace.answer;
    const counts = [trace.visited[steps], trace.evaluated[steps], trace.pruned[steps]];
    const whole = [minimax?.nodes_visited, minimax?.nodes_evaluated];
    this.#values.forEach(({ value, of }, index) => {
      setText(value, counts[index].toLocaleString("en"));
      const all = whole[index];
      setText(of, all === undefined ? "" : ` of ${all.toLocaleString("en")}`);
    });
    const share = minimax ? counts[0] / minimax.nodes_visited : 0;
    this.#bar.style.width = `${100 * share}%`;
    setText(this.#note, noteText(trace, totals.nodes_visited, minimax?.nodes_visited));
  }
}

/** @type {Record<string, string>} */
const LIMITS = { steps: "too many steps", size: "too many steps", seconds: "too much time" };

/**
 * @param {SearchTrace} trace
 * @param {number} visited
 * @param {number | undefined} minimax
 */
function noteText({ answer, length }, visited, minimax) {
  const { stopped } = answer;
  const whole = minimax?.toLocaleString("en");
  if (stopped) {
    const cut = `Only the first ${length.toLocaleString("en")} steps are shown: all would take ${LIMITS[stopped]}.`;
    return whole ? `${cut} Minimax would visit ${whole} nodes.` : cut;
  }
  if (!minimax) return "Minimax would visit too many nodes to be counted here.";
  const saved = minimax - visited;
  if (!saved) return `Minimax visits all ${whole} nodes, too: nothing is saved.`;
  const share = Math.round((100 * saved) / minimax);
  return `Minimax would visit ${whole} nodes: at the end ${share} % of them are saved.`;
}

// The steps in words: asked from the arena, many at a time, when they are wanted

const COUNT = 200; // steps of a request

/** The sentences of the steps of one search. */
export class StepTexts {
  #connection;
  #search;
  #module;
  #onMore;
  /** @type {Map<number, string[]>} by the number of the request */
  #texts = new Map();

  /**
   * @param {SpectatorConnection} connection
   * @param {SearchStart} search
   * @param {GameModule | null} module
   * @param {() => void} onMore called when sentences have come
   */
  constructor(connection, search, module, onMore) {
    this.#connection = connection;
    this.#search = search;
    this.#module = module;
    this.#onMore = onMore;
  }

  /**
   * Return the sentence of a step, null if it is not known yet: then it is asked for.
   * @param {number} step
   */
  of(step) {
    const number = Math.floor(step / COUNT);
    const texts = this.#texts.get(number);
    if (!texts) this.#ask(number);
    const text = texts?.[step % COUNT];
    if (text === undefined) return null;
    const signed = text.replace(/ -(?=[\di])/g, " −"); // at a hyphen a line would be broken
    return signed.replace(/\{(\d+)\}/g, (_, move) => moveText(this.#module, Number(move)));
  }

  /** @param {number} number */
  async #ask(number) {
    this.#texts.set(number, []);
    try {
      const question = { search: this.#search, first: number * COUNT, count: COUNT };
      const { texts } = await this.#connection.ask("explain_steps", question);
      this.#texts.set(number, texts);
    } catch {
      this.#texts.delete(number); // it is asked for again with the next step
      return;
    }
    this.#onMore();
  }
}
