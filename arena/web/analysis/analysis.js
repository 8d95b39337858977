// The view that analyses a position.

import { createBoard } from "../boards/create_board.js";
import {
  illegalText,
  loadGameModule,
  moveText,
  onIllegal,
  parseMove,
} from "../boards/game_modules.js";
import { copyButtons } from "../copy.js";
import { h, sentence } from "../dom.js";
import { throttle } from "../events.js";
import { analysisAddress } from "../links.js";
import { playOnButton, turnText } from "../play/opponents.js";
import { analysisElements } from "./analysis_result.js";
import { MovePanel } from "./move_panel.js";
import { PlayedMoves } from "./played_moves.js";
import { PositionForm } from "./position_form.js";
import { VariationPanel } from "./variation_panel.js";
import { WhyPanel } from "./why_panel.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { AnalysedPosition } from "./move_panel.js" */
/** @import { Analysis, ArenaInfo, Board, GameModule, Marks, Matching, Setup, ViewOptions } from "../types.js" */

const INTERVAL = 300; // milliseconds between requests while the user types

/** @param {ViewOptions} options */
export function view({ main, connection, query, signal }) {
  const container = h("div", { class: "analysis" });
  main.append(h("h1", {}, "Analysis"), container);
  document.title = "Analysis · Arena";
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
  #boardFrame = h("div", { class: "analysed-board board-room" });
  #staleNote = h("p", { class: "problem" });
  #isTyping = false; // whether the moves are a text that is being edited
  #variations;
  #compared;
  #why;
  #played;
  #playOn;
  /** @type {number[]} */
  #shownMoves = []; // before the position that is shown
  /** @type {number[]} */
  #winning = []; // moves of it
  /** @type {Matching | null} */
  #matching = null; // of it
  /** @type {number | null} */
  #marked = null; // the move of the row that is pointed at
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
      isFolded: query.has("game"),
    });
    /** Analyse the position in the form. */
    this.analyse = throttle(INTERVAL, signal, () => this.#analyse());
    this.#variations = new VariationPanel({
      onSelect: moves => this.#setMoves(moves),
      address: moves => this.#address(moves),
      signal,
    });
    this.#compared = new MovePanel(connection, {
      onMove: move => this.#play(move),
      onMark: move => this.#mark(move),
    });
    this.#why = new WhyPanel(connection, move => this.#play(move));
    this.#played = new PlayedMoves(connection, move => this.#play(move));
    const from = () => ({
      game: this.#form.game.name,
      setup: this.#form.setup,
      moves: this.#moves,
    });
    this.#playOn = playOnButton(connection, from, signal);
    this.#playOn.disabled = true; // until the moves of the address are read
    const more = h("div", { class: "spread" }, this.#playOn, [
      copyButtons([["Turn", () => turnText(from())]]).element,
    ]);
    const position = h("div", {}, this.#form.element, this.#boardFrame, more);
    const panels = [this.#compared.element, this.#why.element, this.#played.element];
    const reasons = h("div", { class: "reasons" }, panels);
    const side = h("div", { class: "analysis-side" }, this.#variations.element, this.#result);
    this.parts = [position, side, reasons];
    this.#form.element.addEventListener("change", () => this.#endTyping());
    onIllegal(this.#boardFrame, move => {
      this.#form.showProblem(illegalText(this.#module, this.#form.setup, this.#moves, move));
    });
    this.#start(query.get("then"));
  }

  /** @param {string | null} then the moves of a game after the position, null without a game */
  async #start(then) {
    await this.#readMoves(word => parseMove(null, word)); // an address has numbers
    this.#playOn.disabled = false;
    if (this.#movesProblem === null) {
      this.#writeMoves();
      const rest = then?.match(/\d{1,9}/g)?.map(Number) ?? [];
      const { game, setup } = this.#form;
      if (then !== null) this.#variations.begin(game.name, setup, [...this.#moves, ...rest]);
    }
    this.analyse();
  }

  /** Keep a line that was typed, but none of its beginnings. */
  #endTyping() {
    this.#isTyping = false;
    this.analyse();
  }

  /** Read the edited form, without changing the text that the user types. */
  async #edit() {
    this.#version++;
    this.#isTyping = true;
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
    this.#isTyping = false;
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
    if (key === this.#boardKey || setupProblem !== null) return;
    this.#boardKey = key;
    const connection = this.#connection;
    const module = await loadGameModule(game.name, connection.arena);
    if (key !== this.#boardKey) return;
    this.#module = module;
    const signal = this.#signal;
    /** @param {number} move */
    const onMove = move => this.#play(move);
    const options = { game: game.name, setup, connection, signal, onMove };
    this.#board = createBoard(module, options);
    this.#boardFrame.replaceChildren(this.#board.element);
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
    history.replaceState(null, "", this.#address(moves));
    const question = { game: game.name, setup, moves };
    // The search may take a while: everything else is asked for and shown first.
    const depths = depth === null ? [null] : [null, depth];
    try {
      for (const asked of depths) {
        const analysis = await this.#connection.ask("analyse", { ...question, depth: asked });
        if (version !== this.#version || this.#signal.aborted) return;
        this.#showResult(analysis, setup, moves, asked !== depth);
        const position = { game, module: this.#module, setup, moves, analysis };
        if (asked === null) this.#explain(position, depth !== null, version);
        else await this.#compared.search(position);
      }
    } catch (error) {
      if (version === this.#version) this.#showProblem(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Return the link to the analysis of a position of the same game.
   * @param {number[]} moves
   */
  #address(moves) {
    const { game, setup, depth } = this.#form;
    return analysisAddress(game.name, setup, { moves, depth: depth ?? "" });
  }

  /**
   * Show the moves of the position, why it is won or lost, and what was played in it.
   * @param {AnalysedPosition} position
   * @param {boolean} isSearching
   * @param {number} version
   */
  async #explain(position, isSearching, version) {
    const { game, setup, moves, module } = position;
    if (!this.#isTyping) this.#variations.show(game.name, setup, moves, module);
    this.#compared.show(position, isSearching);
    this.#played.show({ ...position, game: position.game.name });
    const matching = await this.#why.show(position);
    if (version !== this.#version || !matching) return;
    this.#matching = matching;
    this.#showBoard();
  }

  /**
   * Show why there is no analysis, beside the latest one.
   * @param {string} problem
   */
  #showProblem(problem) {
    this.#form.showProblem(problem);
    for (const part of this.#shown) part.classList.add("stale");
    if (!this.#result.hasChildNodes()) return;
    this.#staleNote.textContent = `${sentence(problem)} This is the analysis of the position before.`;
    this.#result.prepend(this.#staleNote);
  }

  /** The parts that show the analysed position. */
  get #shown() {
    const panels = [this.#compared.element, this.#why.element, this.#played.element];
    return [this.#boardFrame, this.#result, ...panels];
  }

  /**
   * Mark the move of the row that is pointed at on the board.
   * @param {number | null} move
   */
  #mark(move) {
    this.#marked = move;
    this.#showBoard();
  }

  #showBoard() {
    /** @type {Marks} */
    const marks = new Map(this.#winning.map(winner => [winner, "winning"]));
    if (this.#marked !== null) marks.set(this.#marked, "hint");
    const matching = this.#matching;
    this.#board?.show({ moves: this.#shownMoves, isInteractive: true, marks, matching });
  }

  /**
   * @param {Analysis} analysis
   * @param {Setup} setup
   * @param {number[]} moves
   * @param {boolean} isSearching
   */
  #showResult(analysis, setup, moves, isSearching) {
    this.#form.showProblem(null);
    for (const part of this.#shown) part.classList.remove("stale");
    if (moves !== this.#shownMoves) this.#matching = null;
    this.#shownMoves = moves;
    this.#winning = analysis.winning_moves ?? [];
    this.#mark(null);
    const isFocused = this.#result.contains(document.activeElement);
    const { game } = this.#form;
    /** @param {number} move */
    const onMove = move => this.#play(move);
    const { depth } = this.#form;
    const isListed = this.#result.querySelector("details")?.open ?? false;
    const position = {
      game,
      module: this.#module,
      setup,
      moves,
      depth,
      isSearching,
      isListed,
      onMove,
    };
    this.#result.replaceChildren(...analysisElements(analysis, position));
    if (isFocused) this.#result.querySelector("button")?.focus();
  }
}
