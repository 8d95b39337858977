// The form for the search to learn from: a position or a written tree, depth and variant.
import { PositionForm } from "../analysis/position_form.js";
import { moveText, parseMove } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { DEFAULT_DEPTH, DEFAULT_VARIANT } from "./search_address.js";

/** @import { ArenaInfo, GameModule, RequestedSearch, SearchStart } from "../types.js" */

const EXAMPLE = "((5 9 7) (4 6 8) (2 11 3))";
const MAX_TREE = 12_000; // characters
const DEPTH_HINT = "The depth is in plies: 0 searches to the end of the game.";
const TREE_HINT =
  "Brackets are inner nodes, numbers are leaves, and Max moves at the root. " +
  "Other notations are in the guide.";

/** The fields. `onChange` is called after the search may have changed, `onDraw` to draw another. */
export class SearchForm {
  #onChange;
  #onDraw;
  #seed = h("input", {
    type: "number",
    min: 0,
    placeholder: "none",
    onchange: () => this.#onDraw(),
  });
  #plies = h(
    "select",
    { onchange: () => this.#seed.value && this.#onDraw() },
    [2, 3, 4, 5].map(plies => h("option", { value: plies, selected: plies === 3 }, plies)),
  );
  #position;
  /** @type {number[]} */
  #moves = [];
  /** @type {GameModule | null} */
  module = null;
  #kind;
  #tree;
  #variant = h("select", { onchange: () => this.#onChange() });
  #treePart;

  /**
   * @param {ArenaInfo} arena
   * @param {URLSearchParams} query
   * @param {() => void} onChange
   * @param {() => void} onDraw
   */
  constructor(arena, query, onChange, onDraw) {
    this.#onChange = onChange;
    this.#onDraw = onDraw;
    const isTree = query.has("tree");
    const filled = new URLSearchParams(query);
    const depth = query.get("depth");
    if (!depth || Number.isNaN(Number(depth))) filled.set("depth", String(DEFAULT_DEPTH));
    this.#position = new PositionForm(arena, filled, {
      onGame: () => this.#setMoves([]),
      onEdit: onChange,
      onDepth: onChange,
      undo: () => this.#setMoves(this.#moves.slice(0, -1)),
      clear: () => this.#setMoves([]),
      hint: DEPTH_HINT,
    });
    this.#kind = h(
      "select",
      { onchange: () => this.#changeKind() },
      h("option", { value: "game", selected: !isTree }, "A position of a game"),
      h("option", { value: "tree", selected: isTree }, "A written tree"),
    );
    this.#tree = h("textarea", {
      rows: 3,
      spellcheck: "false",
      maxlength: MAX_TREE,
      "aria-describedby": "about-tree",
      oninput: onChange,
    });
    this.#tree.value = query.get("tree") ?? EXAMPLE;
    // If the variant of the address is unknown, there is another one to choose.
    const known = { [DEFAULT_VARIANT]: DEFAULT_VARIANT };
    this.setVariants(known, query.get("variant") ?? DEFAULT_VARIANT);
    this.#treePart = h(
      "div",
      { class: "tree-form card" },
      h("label", { class: "long" }, "Tree", this.#tree),
      h("p", { class: "hint", id: "about-tree" }, TREE_HINT),
    );
    this.element = this.#layOut();
    this.#changeKind(false);
  }

  #layOut() {
    const choice = h(
      "div",
      { class: "search-kind" },
      h("label", {}, "Search", this.#kind),
      h("label", {}, "Algorithm", this.#variant),
      h("label", {}, "Exercise number", this.#seed),
      h("label", {}, "Its depth", this.#plies),
      h("button", { type: "button", onclick: () => this.#drawNext() }, "Random exercise"),
    );
    const parts = [choice, this.#treePart, this.#position.element];
    return h("div", { class: "search-form" }, parts);
  }

  get #isTree() {
    return this.#kind.value === "tree";
  }

  get game() {
    return this.#position.game;
  }

  /**
   * Read the fields. Throws an error with what is wrong.
   * @returns {SearchStart}
   */
  read() {
    const variant = this.#variant.value;
    if (this.#isTree) return { tree: this.#tree.value, depth: 0, variant };
    const { game, setup, depth, setupProblem, depthProblem, words } = this.#position;
    const problem = setupProblem ?? depthProblem;
    if (problem !== null) throw new Error(problem);
    this.#moves = words.map(word => parseMove(this.module, word));
    return { game: game.name, setup, moves: this.#moves, depth: depth ?? 0, variant };
  }

  /** The random exercise that is wanted. Throws an error with what is wrong. */
  get exercise() {
    const { game, setup, setupProblem } = this.#position;
    if (!this.#isTree && setupProblem !== null) throw new Error(setupProblem);
    const seed = this.#seed.valueAsNumber;
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new Error("The number of an exercise must be a whole number of at least 0.");
    }
    const start = this.#isTree ? { game: null, setup: {} } : { game: game.name, setup };
    return { seed, depth: Number(this.#plies.value), ...start };
  }

  /**
   * Fill in an exercise.
   * @param {RequestedSearch} search
   */
  fill({ tree, moves = [], depth = 0 }) {
    if (typeof tree === "string") this.#tree.value = tree;
    else this.#position.setDepth(depth);
    this.#setMoves(moves);
  }

  #drawNext() {
    this.#seed.value = String((this.#seed.valueAsNumber || 0) + 1);
    this.#onDraw();
  }

  /** Write the moves in the notation of the game, once its module is known. */
  readAddress() {
    this.#moves = this.#position.words.map(word => parseMove(null, word)); // which has numbers
    this.#writeMoves();
  }

  /**
   * @param {Record<string, string>} titles by name
   * @param {string} [chosen]
   */
  setVariants(titles, chosen = this.#variant.value) {
    const names = { [chosen]: chosen, ...titles };
    if (this.#variant.length === Object.keys(names).length) return;
    const options = Object.entries(names).map(([value, title]) =>
      h("option", { value, selected: value === chosen }, title),
    );
    this.#variant.replaceChildren(...options);
  }

  /** @param {string | null} problem */
  showProblem(problem) {
    this.#position.showProblem(problem);
    if (problem === null) this.#tree.removeAttribute("aria-invalid");
    else this.#tree.setAttribute("aria-invalid", "true");
  }

  /** @param {number[]} moves */
  #setMoves(moves) {
    this.#moves = moves;
    this.#writeMoves();
    this.#onChange();
  }

  #writeMoves() {
    this.#position.setMoves(this.#moves.map(move => moveText(this.module, move)).join(" "));
  }

  #changeKind(isUser = true) {
    this.#treePart.hidden = !this.#isTree;
    this.#position.element.hidden = this.#isTree;
    if (isUser) this.#onChange();
  }
}
