// The board of a game that brings none: the position as text, and its legal moves as buttons.
import { count, h, setText } from "../dom.js";
import { throttle } from "../events.js";
import { outcomeText } from "../format.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { BoardView, PositionInfo, Setup } from "../types.js" */
/** @import { MoveNames } from "./create_board.js" */

/**
 * `names` has the names of moves, which the board asks for; `onNames` is called when there are new
 * ones, `onMove` with a chosen legal move.
 * @typedef {{
 *   game: string,
 *   setup: Setup,
 *   connection: SpectatorConnection,
 *   signal: AbortSignal,
 *   names: MoveNames,
 *   onNames?: () => void,
 *   onMove?: (move: number) => void,
 * }} TextBoardOptions
 */

const INTERVAL = 100; // milliseconds between two requests
const MAX_MOVES = 500; // buttons

/**
 * The board: it asks the arena for each position that it shows.
 *
 * Until the answer arrives it shows the position before, marked as busy. There is one request at a
 * time, so that no answer replaces a later one.
 */
export class TextBoard {
  #options;
  /** @type {Required<Omit<BoardView, "ply" | "matching">>} the view to be shown */
  #view = { moves: [], isInteractive: false, marks: new Map() };
  #wanted = ""; // the position to be shown, as its moves
  /** @type {number[]} the moves of the match, also those after the position */
  #all = [];
  /** @type {string | null} the position that is shown */
  #shown = null;
  /** @type {PositionInfo | null} */
  #position = null;
  #problem = "";
  #isAsking = false;
  #ask;
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  #current = 0; // index of the button that Tab leads to
  #text = h("pre", { class: "position", role: "region", tabindex: 0, "aria-label": "Position" });
  #note = h("p", { class: "hint" });
  #list = h("div", {
    class: "choices",
    role: "group",
    "aria-label": "Legal moves",
    onclick: event => this.#click(event),
    onkeydown: event => this.#keyDown(event),
    onfocusin: ({ target }) => this.#setTabStop(/** @type {any} */ (target)),
    // Spectators step through the match with the arrow keys: a click must not move the focus.
    onmousedown: event => this.#isInteractive || event.preventDefault(),
  });

  /** @param {TextBoardOptions} options */
  constructor(options) {
    this.#options = options;
    this.#ask = throttle(INTERVAL, options.signal, () => this.#askOnce());
    this.element = h("div", { class: "board text-board" }, this.#text, this.#note, this.#list);
  }

  /**
   * Show the position after `ply` of `moves`.
   * @param {BoardView} view
   */
  show({ moves, ply = moves.length, isInteractive = false, marks = new Map() }) {
    this.#view = { moves: moves.slice(0, ply), isInteractive, marks };
    this.#wanted = this.#view.moves.join();
    this.#all = [...moves];
    if (this.#isBusy || !this.#options.names.has(moves)) this.#ask();
    this.#update();
  }

  get #isBusy() {
    return this.#shown !== this.#wanted;
  }

  get #isInteractive() {
    return this.#view.isInteractive && !this.#isBusy;
  }

  /** Ask for the position, and again if another one is to be shown when the answer arrives. */
  async #askOnce() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { game, setup, connection, names, onNames, signal } = this.#options;
    const asked = this.#wanted;
    const moves = this.#all;
    const ply = this.#view.moves.length;
    try {
      const position = await connection.ask("find_position", { game, setup, moves, ply });
      names.learn(moves, ply, position);
      this.#problem = "";
      if (this.#shown !== asked) this.#replace(asked, position);
      onNames?.();
    } catch (error) {
      this.#problem = /** @type {Error} */ (error).message;
    }
    this.#isAsking = false;
    if (signal.aborted) return;
    if (asked !== this.#wanted) this.#ask();
    this.#update();
  }

  /**
   * @param {string} moves
   * @param {PositionInfo} position
   */
  #replace(moves, position) {
    this.#shown = moves;
    this.#position = position;
    const hadFocus = this.#list.contains(document.activeElement);
    this.#buttons = position.legal_moves
      .slice(0, MAX_MOVES)
      .map(move => h("button", { type: "button", tabindex: -1, data: { move } }));
    this.#list.replaceChildren(...this.#buttons);
    const index = Math.max(0, Math.min(this.#current, this.#buttons.length - 1));
    this.#setTabStop(this.#buttons[index]);
    // The keyboard continues where it was, at the end of the game with the text.
    if (hadFocus) (this.#buttons[index] ?? this.#text).focus({ preventScroll: true });
  }

  #update() {
    this.element.ariaBusy = String(this.#isBusy);
    setText(this.#text, this.#position?.text ?? "");
    this.#note.className = this.#problem ? "problem" : "hint";
    setText(this.#note, this.#problem || this.#noteText);
    for (const button of this.#buttons) this.#updateButton(button);
  }

  get #noteText() {
    if (!this.#position) return "";
    const { player, legal_moves: legal, outcome } = this.#position;
    if (outcome) return outcomeText(outcome);
    const text = `Player ${player} to move, ${count(legal.length, "legal move")}`;
    return legal.length > MAX_MOVES ? `${text}, of which the first ${MAX_MOVES}:` : text;
  }

  /** @param {HTMLButtonElement} button */
  #updateButton(button) {
    const move = Number(button.dataset.move);
    const mark = this.#isBusy ? undefined : this.#view.marks.get(move);
    // Not `disabled`, which would take the focus from the button.
    button.ariaDisabled = String(!this.#isInteractive);
    button.className = mark ?? "";
    const text = this.#options.names.text(this.#shownLength, move);
    const key = `${text}${mark ?? ""}`;
    if (button.dataset.shown === key) return;
    button.dataset.shown = key;
    const meaning = mark === "hint" ? " a hint" : " wins";
    button.replaceChildren(text, mark ? h("span", { class: "hidden-text" }, meaning) : "");
  }

  /** The number of moves of the position that is shown. */
  get #shownLength() {
    return this.#shown ? this.#shown.split(",").length : 0;
  }

  /** @param {HTMLButtonElement | undefined} button */
  #setTabStop(button) {
    const index = button ? this.#buttons.indexOf(button) : -1;
    if (index < 0) return;
    this.#buttons[this.#current]?.setAttribute("tabindex", "-1");
    this.#buttons[index].tabIndex = 0;
    this.#current = index;
  }

  /** @param {Event} event */
  #click(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (button && this.#isInteractive) this.#options.onMove?.(Number(button.dataset.move));
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = this.#buttons.length - 1;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: this.#current - 1,
      ArrowUp: this.#current - 1,
      ArrowRight: this.#current + 1,
      ArrowDown: this.#current + 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#buttons[Math.max(0, Math.min(target, last))]?.focus();
  }
}
