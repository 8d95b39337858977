// A small match against an easy opponent, to learn the rules of a game.

import { createBoard } from "../boards/create_board.js";
import { CHOICE, choiceText, givesUpText, keepsText } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { Timeouts } from "../events.js";
import { outcomeText } from "../format.js";
import { addSetup, analysisAddress } from "../links.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { GameInfo, GameModule, Lesson, Marks } from "../types.js" */

const REPLY = 700; // milliseconds that the opponent takes for a move

/**
 * `module` is that of the game, with a lesson.
 * @typedef {{
 *   game: GameInfo,
 *   module: GameModule,
 *   lesson: Lesson,
 *   connection: SpectatorConnection,
 *   signal: AbortSignal,
 * }} LessonOptions
 */

/** The match, without the arena's referee: the reader is player 1, and player 2 makes random moves. */
export class LessonMatch {
  #options;
  #board;
  /** @type {number[]} */
  #moves = [];
  /** @type {number[] | null} the winning moves of the reader, null where they are unknown */
  #winning = null;
  #comment = "";
  #timeouts = new Timeouts();
  #status = h("p", { class: "lesson-status", role: "status" });
  #marks = h("input", { type: "checkbox", role: "switch", onchange: () => this.#show() });
  #analyse = h("a", { class: "button" }, "Analyse");
  #again = h("button", { type: "button", onclick: () => this.start() }, "Start again");

  /** @param {LessonOptions} options */
  constructor(options) {
    this.#options = options;
    const { game, module, lesson, connection, signal } = options;
    /** @param {number} move */
    const onMove = move => this.#play(move);
    const board = { game: game.name, setup: lesson.setup, connection, signal, onMove };
    this.#board = createBoard(module, board);
    const parts = [
      this.#again,
      game.is_solved && h("label", { class: "switch" }, this.#marks, "Show the winning moves"),
      this.#analyse,
      connection.arena?.is_open && h("a", { class: "button", href: this.#address }, "Play a match"),
    ];
    const controls = h("div", { class: "spread" }, parts);
    this.element = h("div", { class: "lesson" }, this.#board.element, this.#status, controls);
    signal.addEventListener("abort", () => this.#timeouts.clear());
    this.start();
  }

  /** Return the link to a match with the same setup, against an opponent of the same strength. */
  get #address() {
    const { game, lesson } = this.#options;
    const query = new URLSearchParams({ game: game.name, opponent: "random", side: "1" });
    addSetup(query, lesson.setup);
    return `#/play?${query}`;
  }

  /** Begin a match. */
  start() {
    this.#timeouts.clear();
    this.#moves = [];
    this.#comment = "";
    this.#beginTurn();
  }

  get #legalMoves() {
    const { module, lesson } = this.#options;
    return module.legalMoves(lesson.setup, this.#moves);
  }

  get #isReadersTurn() {
    return this.#moves.length % 2 === 0;
  }

  /** @param {number} move */
  #play(move) {
    this.#comment = this.#judge(move);
    this.#moves = [...this.#moves, move];
    this.#winning = null;
    if (this.#legalMoves.length) {
      this.#show();
      this.#timeouts.set("reply", REPLY, () => this.#reply());
    } else this.#end();
  }

  #reply() {
    const legal = this.#legalMoves;
    const move = legal[Math.floor(Math.random() * legal.length)];
    this.#moves = [...this.#moves, move];
    if (this.#legalMoves.length) this.#beginTurn();
    else this.#end();
  }

  async #beginTurn() {
    const moves = this.#moves;
    this.#winning = null;
    this.#show();
    const { game, lesson, connection } = this.#options;
    if (!game.is_solved) return;
    try {
      const question = { game: game.name, setup: lesson.setup, moves };
      const { winning_moves: winning } = await connection.ask("analyse", question);
      if (moves !== this.#moves) return;
      this.#winning = winning;
      this.#show();
    } catch {
      // Without the arena the match goes on; its moves are not judged.
    }
  }

  async #end() {
    const moves = this.#moves;
    const { game, lesson, connection } = this.#options;
    this.#show();
    try {
      const question = { game: game.name, setup: lesson.setup, moves };
      const { outcome } = await connection.ask("find_position", question);
      if (moves !== this.#moves || !outcome) return;
      const { winner } = outcome;
      const text = winner === null ? "" : ["You win! ", "You lose. "][winner - 1];
      this.#say(`${text}${outcomeText(outcome)}`);
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Return what a move of the reader does to the match, as a sentence.
   * @param {number} move
   */
  #judge(move) {
    if (!this.#winning) return "";
    const { module } = this.#options;
    if (!this.#winning.length) return "Every move was a losing one.";
    if (this.#winning.includes(move)) return keepsText(module, move);
    return givesUpText(module, move, `${choiceText(module, this.#winning)} would have kept it`);
  }

  #show() {
    const isInteractive = this.#isReadersTurn;
    const shown = this.#marks.checked && isInteractive ? (this.#winning ?? []) : [];
    /** @type {Marks} */
    const marks = new Map(shown.map(move => [move, "winning"]));
    this.#board.show({ moves: this.#moves, isInteractive, marks });
    const { game, lesson } = this.#options;
    this.#analyse.href = analysisAddress(game.name, lesson.setup, { moves: this.#moves });
    this.#say(this.#turnText);
  }

  /** @param {string} text what comes after the judgement of the last move */
  #say(text) {
    this.#status.textContent = [this.#comment, text].filter(Boolean).join(" ");
  }

  get #turnText() {
    const legal = this.#legalMoves;
    if (!legal.length) return "";
    if (!this.#isReadersTurn) return "The opponent thinks…";
    const { module, lesson } = this.#options;
    const kinds = new Set(legal.map(move => module.describeMove(lesson.setup, this.#moves, move)));
    const last = this.#moves.at(-1);
    const reply = last === undefined ? "" : `The opponent plays ${module.formatMove(last)}. `;
    return `${reply}Your move: ${CHOICE.format(kinds)}.`;
  }
}
