// The board of a game, as the page shows it: with a graph beside it, or as text.
import { h } from "../dom.js";
import { load, save } from "../storage.js";
import { moveText } from "./game_modules.js";
import { TextBoard } from "./text_board.js";

/** @import { TextBoardOptions } from "./text_board.js" */
/** @import { GameModule, Board, BoardClass, BoardView, Setup, PositionInfo } from "../types.js" */

/**
 * Return the board of a game, or a board of text where the game has none for this setup or fails.
 * `onSwitch` is called when another view of the board is chosen; `names` are those of the match.
 * @param {GameModule | null} module
 * @param {Omit<TextBoardOptions, "names"> & { names?: MoveNames, onSwitch?: () => void }} options
 * @returns {Board}
 */
export function createBoard(module, options) {
  const { setup, onMove, onSwitch } = options;
  try {
    if (module?.isDrawable(setup)) {
      const { Board, loadGraph } = module;
      if (!loadGraph) return new Board(setup, { onMove });
      return new SwitchedBoard({ Board, loadGraph, setup, onMove, onSwitch });
    }
  } catch (error) {
    console.error(`The board of ${options.game} cannot be created:`, error);
  }
  return new TextBoard({ names: new MoveNames(move => moveText(module, move)), ...options });
}

// A board with two views of the position: as the board of the game and as a graph

/**
 * `onSwitch` is called when another view is chosen.
 * @typedef {{
 *   Board: BoardClass,
 *   loadGraph: () => Promise<BoardClass>,
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
  /** @type {Board | null} loaded when it is chosen first */
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
    if (this.#isGraph) this.#loadGraph();
    this.#arrange();
  }

  /** Whether the graph is chosen, which can show a matching. */
  get showsMatching() {
    return this.#isGraph;
  }

  /**
   * Show a position in the chosen view.
   * @param {BoardView} view
   */
  show(view) {
    this.#view = view;
    if (this.#isGraphShown) this.#graph?.show(view);
    this.#board.show(this.#isGraphShown ? { ...view, isInteractive: false } : view);
  }

  get #isGraphShown() {
    return this.#isGraph && this.#graph !== null;
  }

  /** @param {boolean} isGraph */
  #choose(isGraph) {
    save(KEY, isGraph ? "graph" : "board");
    this.#isGraph = isGraph;
    if (isGraph && !this.#graph) this.#loadGraph();
    else this.#switch();
  }

  /** Load the graph and show it; the board stays where that fails. */
  async #loadGraph() {
    const { loadGraph, setup, onMove } = this.#options;
    try {
      const Graph = await loadGraph();
      this.#graph ??= new Graph(setup, { onMove });
      this.#stage.append(this.#graph.element);
    } catch (error) {
      console.error("The graph cannot be created:", error);
      this.#isGraph = false;
    }
    this.#switch();
  }

  #switch() {
    this.#arrange();
    if (this.#view) this.show(this.#view);
    this.#options.onSwitch?.();
  }

  #arrange() {
    const isGraph = this.#isGraphShown;
    this.#stage.classList.toggle("has-graph", isGraph);
    if (this.#graph) this.#graph.element.hidden = !isGraph;
    this.#buttons.board.ariaPressed = String(!isGraph);
    this.#buttons.graph.ariaPressed = String(isGraph);
  }
}

// The names of the moves of a match of a game without a board, which only the arena knows

/** Names of moves by their place in the match, as far as the arena has told them. */
export class MoveNames {
  #write;
  /** @type {Map<string, string>} by place and move */
  #names = new Map();

  /** @param {(move: number) => string} write writes a move that no name is known of */
  constructor(write) {
    this.#write = write;
  }

  /**
   * Whether all moves have a name.
   * @param {number[]} moves
   */
  has(moves) {
    return moves.every((move, at) => this.#names.has(key(at, move)));
  }

  /**
   * Keep the names of moves, and of the legal moves of the position after `ply` of them.
   * @param {number[]} moves
   * @param {number} ply
   * @param {PositionInfo} position
   */
  learn(moves, ply, { played_names: played, legal_moves: legal, legal_names: names }) {
    for (const [at, move] of legal.entries()) this.#names.set(key(ply, move), names[at]);
    for (const [at, move] of moves.entries()) this.#names.set(key(at, move), played[at]);
  }

  /**
   * Return the name of a move, also of one that the arena has told none of.
   * @param {number} at the number of moves before it
   * @param {number} move
   */
  text(at, move) {
    return this.#names.get(key(at, move)) ?? this.#write(move);
  }
}

/**
 * @param {number} at
 * @param {number} move
 */
const key = (at, move) => `${at} ${move}`;
