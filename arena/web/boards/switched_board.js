// A board with two views of the position: as the board of the game and as a graph.

import { h } from "../dom.js";
import { load, save } from "../storage.js";

/** @import { Board, BoardClass, BoardView, Setup } from "../types.js" */

/**
 * `onSwitch` is called when another view is chosen.
 * @typedef {{
 *   Board: BoardClass,
 *   Graph: BoardClass,
 *   setup: Setup,
 *   onMove?: (move: number) => void,
 *   onSwitch?: () => void,
 * }} SwitchedBoardOptions
 */

const KEY = "board-view";

/**
 * The board and the graph, of which the one is shown that was chosen last in this browser.
 *
 * The board keeps its place behind the graph, so that a switch moves nothing else.
 */
export class SwitchedBoard {
  #options;
  #board;
  /** @type {Board | null} created when it is shown first */
  #graph = null;
  #stage = h("div", { class: "board-stage board-room" });
  #isGraph = load(KEY) === "graph";
  // Not radio buttons, which would take the arrow keys from the replay.
  #buttons = {
    board: h("button", { type: "button", onclick: () => this.#choose(false) }, "Board"),
    graph: h("button", { type: "button", onclick: () => this.#choose(true) }, "Graph"),
  };
  /** @type {BoardView | null} */
  #view = null;

  /** @param {SwitchedBoardOptions} options */
  constructor(options) {
    this.#options = options;
    const { Board, setup, onMove } = options;
    this.#board = new Board(setup, { onMove });
    this.#stage.append(this.#board.element);
    const buttons = Object.values(this.#buttons);
    const choice = h("div", { class: "view-choice", role: "group", "aria-label": "View" }, buttons);
    this.element = h("div", {}, choice, this.#stage);
    this.#arrange();
  }

  /** Whether the graph is shown, which can show a matching. */
  get showsMatching() {
    return this.#isGraph;
  }

  /**
   * Show a position in the chosen view.
   * @param {BoardView} view
   */
  show(view) {
    this.#view = view;
    if (this.#isGraph) this.#graph?.show(view);
    this.#board.show(this.#isGraph ? { ...view, isInteractive: false } : view);
  }

  /** @param {boolean} isGraph */
  #choose(isGraph) {
    save(KEY, isGraph ? "graph" : "board");
    this.#isGraph = isGraph;
    this.#arrange();
    if (this.#view) this.show(this.#view);
    this.#options.onSwitch?.();
  }

  #arrange() {
    if (this.#isGraph) this.#createGraph();
    this.#stage.classList.toggle("has-graph", this.#isGraph);
    if (this.#graph) this.#graph.element.hidden = !this.#isGraph;
    this.#buttons.board.ariaPressed = String(!this.#isGraph);
    this.#buttons.graph.ariaPressed = String(this.#isGraph);
  }

  /** Create the graph, if there is none; the board stays where that fails. */
  #createGraph() {
    if (this.#graph) return;
    const { Graph, setup, onMove } = this.#options;
    try {
      this.#graph = new Graph(setup, { onMove });
      this.#stage.append(this.#graph.element);
    } catch (error) {
      console.error("The graph cannot be created:", error);
      this.#isGraph = false;
    }
  }
}
