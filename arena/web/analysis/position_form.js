// The form for the position to analyse: game, setup, moves and search depth.

import { capitalised, h, readNumbers } from "../dom.js";
import { ANALYSIS_DEPTH } from "../links.js";

/** @import { ArenaInfo, GameInfo } from "../types.js" */

/**
 * `onGame` is called after another game was chosen, `onEdit` after the setup or the text of the moves
 * was edited, `onDepth` after the depth was edited; `undo` and `clear` change the moves; `hint`
 * explains the depth. With `isFolded` only the moves are shown at first, without it all fields always.
 * @typedef {{
 *   onGame: () => void,
 *   onEdit: () => void,
 *   onDepth: () => void,
 *   undo: () => void,
 *   clear: () => void,
 *   hint?: string,
 *   isFolded?: boolean,
 * }} FormEvents
 */

const MAX_DEPTH = 50; // plies
const DEPTH_HINT =
  "The depth is in plies: 0 searches to the end of the game, an empty field does not search.";

/** The fields and their errors. Moves stay a text, as the user edits them. */
export class PositionForm {
  #arena;
  #events;
  #game;
  #depth;
  #moves;
  #setup = h("div", { class: "setup" });
  #problem = h("p", { class: "problem", role: "status", id: "problem" });

  /**
   * @param {ArenaInfo} arena
   * @param {URLSearchParams} query
   * @param {FormEvents} events
   */
  constructor(arena, query, events) {
    this.#arena = arena;
    this.#events = events;
    const options = arena.games.map(({ name, title }) =>
      h("option", { value: name, selected: name === query.get("game") }, title),
    );
    this.#game = h("select", { onchange: () => this.#changeGame() }, options);
    this.#moves = h("input", {
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": "problem",
      value: query.get("moves"),
      oninput: () => events.onEdit(),
    });
    this.#depth = h("input", {
      type: "number",
      placeholder: "none",
      "aria-describedby": "about-depth",
      min: 0,
      max: MAX_DEPTH,
      value: query.get("depth") ?? ANALYSIS_DEPTH,
      oninput: () => events.onDepth(),
    });
    this.element = this.#layOut();
    this.#showSetup(query);
  }

  #layOut() {
    /**
     * @param {string} text
     * @param {() => void} onclick
     */
    const button = (text, onclick) => h("button", { type: "button", onclick }, text);
    /** @param {Event} event */
    const onsubmit = event => event.preventDefault();
    const { isFolded, hint = DEPTH_HINT } = this.#events;
    const settings = [
      h("label", {}, "Game", this.#game),
      this.#setup,
      h("label", {}, "Search depth", this.#depth),
    ];
    const about = h("p", { class: "hint", id: "about-depth" }, hint);
    const moves = [
      h("label", { class: "long" }, "Moves", this.#moves),
      button("Undo", () => this.#events.undo()),
      button("Clear", () => this.#events.clear()),
    ];
    const folded = h("details", { class: "settings", open: !isFolded }, [
      h("summary", {}, "Game and depth"),
      h("div", { class: "fields" }, settings, about),
    ]);
    const parts = isFolded === undefined ? [settings, moves, about] : [moves, folded];
    return h("form", { class: "card", onsubmit }, parts, this.#problem);
  }

  #changeGame() {
    this.#showSetup(new URLSearchParams());
    this.#events.onGame();
  }

  /** @param {URLSearchParams} query */
  #showSetup(query) {
    const fields = Object.entries(this.game.parameters).flatMap(([name, parameter]) => {
      const { meaning, minimum: min, maximum: max, usual } = parameter;
      const list = `usual-${name}`;
      const value = query.get(name) ?? usual[0];
      const oninput = () => this.#events.onEdit();
      const input = h("input", { type: "number", name, min, max, value, list, oninput });
      const options = usual.map(number => h("option", { value: number }));
      return [h("label", {}, capitalised(meaning), input), h("datalist", { id: list }, options)];
    });
    this.#setup.replaceChildren(...fields);
  }

  /** @returns {GameInfo} */
  get game() {
    const { games } = this.#arena;
    return games.find(({ name }) => name === this.#game.value) ?? games[0];
  }

  get setup() {
    return readNumbers(this.#setup);
  }

  /** The error in the setup, null if there is none. */
  get setupProblem() {
    const { parameters } = this.game;
    for (const [name, value] of Object.entries(this.setup)) {
      const { meaning, minimum, maximum } = parameters[name];
      if (!Number.isSafeInteger(value) || value < minimum || value > (maximum ?? value)) {
        const limits = maximum ? `from ${minimum} to ${maximum}` : `of at least ${minimum}`;
        return `The ${meaning} must be a whole number ${limits}.`;
      }
    }
    return null;
  }

  /** The moves as words: numbers, or anything in parentheses. */
  get words() {
    return this.#moves.value.match(/\([^)]*\)|[^\s,()]+/g) ?? [];
  }

  /** @param {string} text */
  setMoves(text) {
    this.#moves.value = text;
  }

  /** @param {number} depth */
  setDepth(depth) {
    this.#depth.value = String(depth);
  }

  /** The search depth in plies, null for no search. */
  get depth() {
    return this.#depth.value === "" ? null : Number(this.#depth.value);
  }

  /** The error in the search depth, null if there is none. */
  get depthProblem() {
    if (this.#depth.validity.valid) return null;
    return `The depth must be empty or a whole number from 0 to ${MAX_DEPTH}.`;
  }

  /** @param {string | null} problem */
  showProblem(problem) {
    this.#problem.textContent = problem;
    if (problem === null) this.#moves.removeAttribute("aria-invalid");
    else this.#moves.setAttribute("aria-invalid", "true");
  }
}
