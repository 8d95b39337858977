// The view that analyses a position.

import { createBoard, loadGameModule, moveText, parseMove } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { addSetup } from "../setup.js";
import { throttle } from "../timing.js";
import { analysisElements } from "./analysis_result.js";
import { PositionForm } from "./position_form.js";
import { WhyPanel } from "./why_panel.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Analysis, ArenaInfo, Board, GameModule, Marks, Setup, ViewOptions } from "../types.js" */

const INTERVAL = 300; // milliseconds between requests while the user types

/** @param {ViewOptions} options */
export function view({ main, connection, query, signal }) {
  const container = h("div", { class: "analysis" });
  main.append(h("h1", {}, "Analysis"), container);
  /** @type {AnalysisPage | null} */
  let page = null;
  const start = () => {
    if (page) page.analyse();
    else if (connection.arena) {
      page = new AnalysisPage(connection, connection.arena, query, signal);
      container.append(...page.parts);
    }
  };
  connection.on("about", start, signal);
  start();
}

/** The form, the board and the result of the analysis. */
class AnalysisPage {
  #connection;
  #signal;
  #form;
  /** @type {GameModule | null} */
  #module = null;
  /** @type {Board | null} */
  #board = null;
  #boardKey = ""; // the game and the setup of the board
  #version = 0; // of the position: answers for earlier ones are dropped
  /** @type {number[]} */
  #moves = [];
  /** @type {string | null} */
  #movesProblem = null;
  #boardFrame = h("div");
  #why;
  #result = h("section", { class: "answer card", "aria-label": "Analysis" });

  /**
   * @param {SpectatorConnection} connection
   * @param {ArenaInfo} arena
   * @param {URLSearchParams} query
   * @param {AbortSignal} signal
   */
  constructor(connection, arena, query, signal) {
    this.#connection = connection;
    this.#signal = signal;
    this.#form = new PositionForm(arena, query, {
      onGame: () => this.#setMoves([]),
      onEdit: () => this.#edit(),
      onDepth: () => this.analyse(),
      undo: () => this.#setMoves(this.#moves.slice(0, -1)),
      clear: () => this.#setMoves([]),
    });
    /** Analyse the position in the form. */
    this.analyse = throttle(INTERVAL, signal, () => this.#analyse());
    this.#why = new WhyPanel(connection, move => this.#play(move));
    const position = h("div", {}, this.#form.element, this.#boardFrame);
    this.parts = [position, this.#result, this.#why.element];
    this.#start();
  }

  async #start() {
    await this.#readMoves(word => parseMove(null, word)); // an address has numbers
    if (this.#movesProblem === null) this.#writeMoves();
    this.analyse();
  }

  /** Read the edited form, without changing the text that the user types. */
  async #edit() {
    this.#version++;
    await this.#readMoves(word => parseMove(this.#module, word));
    this.analyse();
  }

  /**
   * Read the moves from the form, unless one of them cannot be parsed.
   * @param {(word: string) => number} parse
   */
  async #readMoves(parse) {
    await this.#updateBoard();
    try {
      this.#moves = this.#form.words.map(parse);
      this.#movesProblem = null;
    } catch (error) {
      this.#movesProblem = /** @type {Error} */ (error).message;
    }
  }

  #writeMoves() {
    this.#form.setMoves(this.#moves.map(move => moveText(this.#module, move)).join(" "));
  }

  /** @param {number} move */
  #play(move) {
    const moves = [...this.#moves, move];
    this.#setMoves([...moves, ...this.#why.answers(moves)]);
  }

  /** @param {number[]} moves */
  async #setMoves(moves) {
    this.#version++;
    await this.#updateBoard();
    this.#moves = moves;
    this.#movesProblem = null;
    this.#writeMoves();
    this.analyse();
  }

  /** Create the board of the game and the setup in the form, if they have changed. */
  async #updateBoard() {
    const { game, setup, setupProblem } = this.#form;
    const key = JSON.stringify([game.name, setup]);
    if (key === this.#boardKey) return;
    this.#boardKey = key;
    const connection = this.#connection;
    const module = await loadGameModule(game.name, connection.arena);
    if (key !== this.#boardKey) return;
    this.#module = module;
    const signal = this.#signal;
    /** @param {number} move */
    const onMove = move => this.#play(move);
    const options = { game: game.name, setup, connection, signal, onMove };
    this.#board = setupProblem === null ? createBoard(module, options) : null;
    this.#boardFrame.replaceChildren(this.#board?.element ?? "");
  }

  async #analyse() {
    this.#version++;
    const version = this.#version;
    const { setupProblem, depthProblem, game, setup, depth } = this.#form;
    const moves = this.#moves;
    const problem = setupProblem ?? this.#movesProblem ?? depthProblem;
    if (problem !== null) {
      this.#showProblem(problem);
      return;
    }
    setAddress(game.name, setup, moves, depth);
    const question = { game: game.name, setup, moves };
    // The search may take a while: everything else is asked for and shown first.
    const depths = depth === null ? [null] : [null, depth];
    try {
      for (const asked of depths) {
        const analysis = await this.#connection.ask("analyse", { ...question, depth: asked });
        if (version !== this.#version || this.#signal.aborted) return;
        this.#showResult(analysis, setup, moves, asked !== depth);
        if (asked === null) this.#why.show({ game, module: this.#module, setup, moves });
      }
    } catch (error) {
      if (version === this.#version) this.#showProblem(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} problem */
  #showProblem(problem) {
    this.#form.showProblem(problem);
    for (const part of [this.#result, this.#why.element]) part.classList.add("stale");
  }

  /**
   * @param {Analysis} analysis
   * @param {Setup} setup
   * @param {number[]} moves
   * @param {boolean} isSearching
   */
  #showResult(analysis, setup, moves, isSearching) {
    this.#form.showProblem(null);
    for (const part of [this.#result, this.#why.element]) part.classList.remove("stale");
    /** @type {Marks} */
    const marks = new Map((analysis.winning_moves ?? []).map(move => [move, "winning"]));
    this.#board?.show({ moves, isInteractive: true, marks });
    const isFocused = this.#result.contains(document.activeElement);
    const { game } = this.#form;
    /** @param {number} move */
    const onMove = move => this.#play(move);
    const position = { game, module: this.#module, setup, moves, isSearching, onMove };
    this.#result.replaceChildren(...analysisElements(analysis, position));
    if (isFocused) this.#result.querySelector("button")?.focus();
  }
}

/**
 * Let the address lead to the same analysis.
 * @param {string} game
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number | null} depth
 */
function setAddress(game, setup, moves, depth) {
  const query = new URLSearchParams({ game });
  addSetup(query, setup);
  history.replaceState(null, "", `#/analysis?${query}&moves=${moves}&depth=${depth ?? ""}`);
}
