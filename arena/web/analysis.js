// Analysis: a position to enter, and what there is to say of it.
import { answerOf } from "/answer.js";
import { loadBoard, moveName } from "/boards.js";
import { h } from "/dom.js";
import { calm } from "/words.js";

const PAUSE = 300; // milliseconds between two questions, so that typing is not one each
const MAX_DEPTH = 50;

export function view({ main, socket, query, signal }) {
  const place = h("div", { class: "analysis" });
  main.append(h("h1", {}, "Analysis"), place);
  let page = null;
  const begin = () => {
    if (page) page.ask();
    else place.append(...(page = new Page(socket, query, signal)).parts);
  };
  socket.addEventListener("about", begin, { signal });
  if (socket.about) begin();
}

class Page {
  #socket;
  #signal;
  #module = null; // of the board, for the setup in the form
  #board = null;
  #boardFor = ""; // the game and the setup that the board is for
  #number = 0; // of the latest question: only its answer counts
  #moves = []; // as far as they could be read
  #unreadable = null; // what is wrong with the text of the moves
  #frame = h("div");
  #answer = h("section", { class: "answer card", "aria-label": "What there is to say" });
  #problem = h("p", { class: "problem", role: "status", id: "problem" });
  #setup = h("div", { class: "setup" });
  #onmove = move => this.#play([...this.#moves, move]);

  constructor(socket, query, signal) {
    this.#socket = socket;
    this.#signal = signal;
    /** Ask again what is to be said of what is entered. */
    this.ask = calm(PAUSE, signal, () => this.#question());
    this.parts = [h("div", {}, this.#makeForm(query), this.#frame), this.#answer];
    this.#makeSetup(query);
    this.#begin();
  }

  async #begin() {
    await this.#read(whole);
    if (!this.#unreadable) this.#writeMoves();
    this.ask();
  }

  // The form

  #makeForm(query) {
    const options = this.#socket.about.games.map(({ name, title }) => h("option", { value: name, selected: name === query.get("game") }, title));
    const button = (words, run) => h("button", { type: "button", onclick: run }, words);
    this.game = h("select", { onchange: () => { this.#makeSetup(); this.#play([]); } }, options);
    this.text = h("input", { autocomplete: "off", spellcheck: "false", "aria-describedby": "problem", oninput: () => this.#change() });
    this.text.value = query.get("moves") ?? "";
    this.depth = h("input", { type: "number", placeholder: "none", "aria-describedby": "about-depth", min: 0, max: MAX_DEPTH,
      value: query.get("depth") ?? "4", oninput: () => this.ask() });
    return h("form", { class: "card", onsubmit: event => event.preventDefault() },
      h("label", {}, "Game", this.game), this.#setup, h("label", {}, "Search depth", this.depth),
      h("label", { class: "long" }, "Moves so far", this.text),
      button("Undo", () => this.#play(this.#moves.slice(0, -1))), button("Clear", () => this.#play([])),
      h("p", { class: "hint", id: "about-depth" }, "The depth is in plies: 0 searches to the end of the game, an empty field not at all."),
      this.#problem);
  }

  get #played() {
    return this.#socket.about.games.find(({ name }) => name === this.game.value);
  }

  #makeSetup(query) {
    this.#setup.replaceChildren(...Object.entries(this.#played.parameters).flatMap(([name, { meaning, minimum, usual }]) => {
      const list = `usual-${name}`, value = query?.get(name) ?? usual[0] ?? minimum;
      return [
        h("label", {}, meaning[0].toUpperCase() + meaning.slice(1),
          h("input", { type: "number", name, min: minimum, value, list, oninput: () => this.#change() })),
        h("datalist", { id: list }, usual.map(number => h("option", { value: number }))),
      ];
    }));
  }

  get #given() {
    return Object.fromEntries([...this.#setup.querySelectorAll("input")].map(({ name, valueAsNumber }) => [name, valueAsNumber]));
  }

  /** What is wrong with the setup in the form, if anything is. */
  get #wrongSetup() {
    for (const [name, value] of Object.entries(this.#given)) {
      const { meaning, minimum } = this.#played.parameters[name];
      if (!Number.isSafeInteger(value) || value < minimum) return `The ${meaning} is a whole number from ${minimum} on.`;
    }
    return null;
  }

  /** What is typed is left as it is; what can be read of it is asked about. */
  async #change() {
    this.#number++;
    await this.#read(word => this.#module ? this.#module.parseMove(word) : whole(word));
    this.ask();
  }

  /** Take over the moves in the text, if all of them can be read. */
  async #read(parse) {
    await this.#fitBoard();
    try {
      this.#moves = (this.text.value.match(/\([^)]*\)|[^\s,()]+/g) ?? []).map(parse);
      this.#unreadable = null;
    } catch (error) {
      this.#unreadable = error.message;
    }
  }

  #writeMoves() {
    this.text.value = this.#moves.map(move => moveName(this.#module, move)).join(" ");
  }

  /** Make these the moves so far. */
  async #play(moves) {
    this.#number++;
    await this.#fitBoard();
    this.#moves = moves;
    this.#unreadable = null;
    this.#writeMoves();
    this.ask();
  }

  async #fitBoard() {
    const game = this.game.value, setup = this.#given, wanted = JSON.stringify([game, setup]);
    if (wanted === this.#boardFor) return;
    this.#boardFor = wanted;
    const module = await loadBoard(game, this.#socket.about);
    if (wanted !== this.#boardFor) return;
    this.#module = module;
    this.#board = !this.#wrongSetup && module?.isDrawable(setup) ? new module.Board(setup, { onmove: this.#onmove }) : null;
    this.#frame.replaceChildren(this.#board?.element ?? "");
  }

  // The question and its answer

  async #question() {
    const number = ++this.#number;
    const problem = this.#wrongSetup ?? this.#unreadable ?? (this.depth.validity.valid ? null : `The depth is a whole number up to ${MAX_DEPTH}, or none.`);
    if (problem) {
      this.#complain(problem);
      return;
    }
    const setup = this.#given, moves = this.#moves, game = this.game.value;
    const depth = this.depth.value === "" ? null : Number(this.depth.value);
    // The address leads to the same analysis again.
    history.replaceState(null, "", `#/analysis?${new URLSearchParams({ game, ...setup })}&moves=${moves}&depth=${depth ?? ""}`);
    // The search may take its time: what needs none is told at once.
    for (const asked of depth === null ? [null] : [null, depth]) {
      try {
        const answer = await this.#socket.ask({ type: "analyse", game, setup, moves, depth: asked });
        if (number !== this.#number || this.#signal.aborted) return;
        this.#tell(answer, { setup, moves, isSearching: asked !== depth });
      } catch (error) {
        if (number === this.#number) this.#complain(error.message);
        return;
      }
    }
  }

  #complain(problem) {
    this.#problem.textContent = problem;
    this.text.setAttribute("aria-invalid", "true");
    this.#answer.classList.add("stale");
  }

  #tell(answer, asked) {
    this.#problem.textContent = "";
    this.text.removeAttribute("aria-invalid");
    this.#answer.classList.remove("stale");
    const marks = new Map((answer.winning_moves ?? []).map(move => [move, "winning"]));
    this.#board?.show({ moves: asked.moves, ply: asked.moves.length, isInteractive: true, marks });
    const isFocused = this.#answer.contains(document.activeElement);
    this.#answer.replaceChildren(...answerOf(answer, { ...asked, game: this.#played, module: this.#module, onmove: this.#onmove }));
    if (isFocused) this.#answer.querySelector("button")?.focus();
  }
}

/** The number of a move as it stands in an address. */
function whole(word) {
  if (!/^\d{1,9}$/.test(word)) throw new Error(`A move is a whole number here, not “${word}”.`);
  return Number(word);
}
