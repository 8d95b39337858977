// The screen of a puzzle: its board, what was found so far, and the way out.

import { createBoard } from "../boards/create_board.js";
import {
  choiceText,
  givesUpText,
  illegalText,
  keepsText,
  moveText,
  onIllegal,
} from "../boards/game_modules.js";
import { capitalised, h, sentence, setText } from "../dom.js";
import { Timeouts } from "../events.js";
import { gameText } from "../format.js";
import { PuzzleLine } from "./puzzle_line.js";
import { endElements, levelText } from "./puzzle_texts.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Board, GameModule, Marks, PuzzleInfo } from "../types.js" */
/** @import { PuzzleResult } from "./progress.js" */

/**
 * `onResult` is called once, when the puzzle is solved or failed, `onOver` when it has ended.
 * @typedef {{
 *   puzzle: PuzzleInfo,
 *   module: GameModule | null,
 *   hasMatching: boolean,
 *   connection: SpectatorConnection,
 *   signal: AbortSignal,
 *   onResult: (result: PuzzleResult) => void,
 *   onOver: () => void,
 * }} PuzzleOptions
 */

const REPLY = 600; // milliseconds that the opponent takes for a move
const SHAKE = [0, -6, 6, -4, 4, 0].map(x => ({ transform: `translateX(${x}px)` }));
const SHAKE_TIME = 350; // milliseconds

/**
 * A puzzle, which the person solves on the board.
 *
 * The first move is judged at once, without the arena. What needs the arena is tried again after a
 * reconnection.
 */
export class PuzzleScreen {
  #options;
  #line;
  /** @type {"choosing" | "waiting" | "refuted" | "over"} */
  #state = "choosing";
  /** @type {PuzzleResult} the result of a puzzle that is solved from here on */
  #result = "solved";
  #isSettled = false;
  #isClosed = false;
  /** @type {(() => Promise<void>) | null} what the arena has not answered */
  #unanswered = null;
  #comment = ""; // on the last move
  #timeouts = new Timeouts();
  #status = h("p", { class: "puzzle-status", role: "status" });
  #hint = h("button", { type: "button", onclick: () => this.#showHint() }, "Hint");
  #again = h(
    "button",
    { type: "button", class: "main", hidden: true, onclick: () => this.#tryAgain() },
    "Try again",
  );
  #solution = h("button", { type: "button", onclick: () => this.#showSolution() }, "Solution");
  #end = h("div", { class: "puzzle-end", hidden: true });
  /** @type {Board} */
  #board;

  /** @param {PuzzleOptions} options */
  constructor(options) {
    this.#options = options;
    const { puzzle, module, connection, signal } = options;
    const { game, setup, player, winning_moves: winning } = puzzle;
    this.#line = new PuzzleLine(connection, puzzle);
    /** @param {number} move */
    const onMove = move => this.#choose(move);
    this.#board = createBoard(module, { game, setup, connection, signal, onMove });
    onIllegal(this.#board.element, move => {
      this.#say(illegalText(module, setup, this.#line.moves, move));
    });
    const task = winning.length > 1 ? "Find a winning move." : "Find the winning move.";
    const name = h("span", { class: `player-${player}` }, `Player ${player}`);
    const turn = h("p", { class: "puzzle-turn" }, name, ` to move. ${task}`);
    const buttons = h("div", { class: "puzzle-buttons" }, this.#hint, this.#again, this.#solution);
    const facts = `${gameText(connection.arena, puzzle)}. ${levelText(puzzle)}`;
    this.head = [turn, this.#status]; // above the board of a phone, where a finger hides nothing
    this.board = h("section", { class: "puzzle-board board-room", "aria-label": "Board" });
    this.board.append(this.#board.element);
    this.parts = [h("p", { class: "hint" }, facts), buttons, this.#end];
    signal.addEventListener("abort", () => this.close());
    this.#beginTurn("Choose a move on the board.");
  }

  /** Stop what has been planned. */
  close() {
    this.#timeouts.clear();
    this.#isClosed = true;
    this.#unanswered = null;
  }

  /** Ask the arena again what it has not answered, as the connection is back. */
  resume() {
    this.#unanswered?.();
  }

  /** @param {number} move */
  #choose(move) {
    const { module } = this.#options;
    this.#setState("waiting");
    this.#show([...this.#line.moves, move]);
    if (this.#line.wins(move)) {
      this.#attempt(keepsText(module, move), () => this.#goOn(move));
    } else {
      this.#settle("failed");
      this.#shake();
      this.#attempt(givesUpText(module, move), () => this.#refute(move));
    }
  }

  /**
   * Run what needs the arena, and keep it for later if there is no answer.
   * @param {string} comment on the last move
   * @param {() => Promise<void>} step
   */
  async #attempt(comment, step) {
    this.#comment = comment;
    this.#say(comment);
    this.#again.hidden = true;
    const retry = () => this.#attempt(comment, step);
    this.#unanswered = retry;
    try {
      await step();
      this.#unanswered = null;
    } catch (error) {
      if (this.#unanswered !== retry) return;
      const problem = /** @type {Error} */ (error).message;
      this.#say(`${comment} ${sentence(problem)}`);
      this.#again.hidden = false;
    }
  }

  /** @param {number} move */
  async #goOn(move) {
    const before = [...this.#line.moves, move];
    const { reply, ending } = await this.#line.play(move);
    if (this.#isClosed) return;
    if (reply === null) {
      this.#solve(`${this.#comment} ${ending}`);
      return;
    }
    this.#timeouts.set("reply", REPLY, () => {
      this.#show([...before, reply]);
      const text = `${this.#comment} ${capitalised(this.#opponent)} answers ${this.#text(reply)}.`;
      if (ending) this.#solve(`${text} ${ending}`);
      else this.#beginTurn(`${text} Your move again.`, "is-right");
    });
  }

  /** @param {number} move */
  async #refute(move) {
    const answer = await this.#line.refutation(move);
    if (this.#isClosed) return;
    const { module } = this.#options;
    const answered = [...this.#line.moves, move];
    if (answer === null) this.#say(givesUpText(module, move, "the game is over"), "is-wrong");
    else {
      const why = `${this.#opponent} answers ${this.#text(answer)} and wins with perfect play`;
      this.#say(givesUpText(module, move, why), "is-wrong");
      answered.push(answer);
    }
    this.#setState("refuted");
    this.#show(answered);
    this.#again.focus({ preventScroll: true });
  }

  /** Go back to the position before a losing move, or ask the arena again. */
  #tryAgain() {
    if (this.#state !== "refuted") {
      this.resume();
      return;
    }
    this.#beginTurn("Try another move.");
    // A board is hidden behind its graph.
    const cells = /** @type {NodeListOf<HTMLElement>} */ (
      this.board.querySelectorAll("[tabindex='0']")
    );
    const shown = [...cells].find(cell => cell.checkVisibility({ visibilityProperty: true }));
    shown?.focus({ preventScroll: true });
  }

  /**
   * @param {string} text
   * @param {"" | "is-right"} [kind]
   */
  #beginTurn(text, kind) {
    this.#setState("choosing");
    this.#show(this.#line.moves);
    this.#say(text, kind);
  }

  /** Name a winning move and a losing one: first that of the match, where it was a losing one. */
  #showHint() {
    if (this.#state !== "choosing") return;
    if (this.#result === "solved") this.#result = "helped";
    const { puzzle, module } = this.#options;
    const { legal, winning } = this.#line;
    const losing = [puzzle.played, ...legal].filter(
      move => legal.includes(move) && !winning.includes(move),
    );
    const named = [winning[0], losing[0]].sort((one, two) => one - two);
    this.#show(this.#line.moves, new Map(named.map(move => [move, "hint"])));
    this.#say(`One of these two moves wins: ${choiceText(module, named)}.`);
  }

  #showSolution() {
    if (this.#state === "waiting") return;
    this.#settle("failed");
    const { winning, moves } = this.#line;
    const verb = winning.length > 1 ? "win" : "wins";
    this.#finish(`The solution: ${choiceText(this.#options.module, winning)} ${verb}.`);
    this.#show(moves, new Map(winning.map(move => [move, "winning"])));
  }

  /** @param {string} text on the last moves */
  #solve(text) {
    this.#settle(this.#result);
    this.#finish(`${text} Solved!`, "is-right");
  }

  /**
   * @param {string} text
   * @param {"" | "is-right"} [kind]
   */
  #finish(text, kind) {
    this.#setState("over");
    this.#say(text, kind);
    this.#end.replaceChildren(...endElements(this.#options));
    this.#end.hidden = false;
    this.#options.onOver();
  }

  /**
   * Report the result, once: what happens after an error does not change it.
   * @param {PuzzleResult} result
   */
  #settle(result) {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#options.onResult(result);
  }

  /** @param {"choosing" | "waiting" | "refuted" | "over"} state */
  #setState(state) {
    this.#state = state;
    this.#hint.hidden = state === "refuted" || state === "over";
    this.#again.hidden = state !== "refuted";
    this.#solution.hidden = state === "over";
    for (const button of [this.#hint, this.#solution]) {
      button.ariaDisabled = String(state === "waiting");
    }
  }

  /**
   * @param {number[]} moves
   * @param {Marks} [marks]
   */
  #show(moves, marks = new Map()) {
    this.#board.show({ moves, isInteractive: this.#state === "choosing", marks });
  }

  #shake() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.#board.element.animate(SHAKE, SHAKE_TIME);
  }

  /**
   * @param {string} text
   * @param {"" | "is-right" | "is-wrong"} kind
   */
  #say(text, kind = "") {
    setText(this.#status, text);
    this.#status.className = `puzzle-status ${kind}`;
  }

  /** @param {number} move */
  #text(move) {
    return moveText(this.#options.module, move);
  }

  get #opponent() {
    return `player ${3 - this.#options.puzzle.player}`;
  }
}
