// The panel that shows why a position is won or lost, and lets the winner's partners play.

import { moveText } from "../boards/game_modules.js";
import { partnersOf } from "../boards/graph_layout.js";
import { capitalised, h, setText } from "../dom.js";
import { legend, MatchingGraph, nodeSentences, nodeTable } from "./matching_graph.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { GameInfo, GameModule, Matching, Setup } from "../types.js" */
/** @typedef {{ game: GameInfo, module: GameModule | null, setup: Setup, moves: number[] }} Position */

const INVITATION = "Take any move: its partner is the answer.";
const HINT = "Point at a move to see its partner and its neighbours.";

/** Asks for the matching of one position after another and shows it. */
export class WhyPanel {
  #connection;
  #onMove;
  #graph;
  #version = 0;
  /** @type {Matching | null} */
  #matching = null;
  /** @type {Position | null} */
  #position = null;
  /** @type {string | null} the position that a game against the partners has led to */
  #expected = null;
  #startKey = ""; // its start
  /** @type {[number, number][]} the pairs of that game, which stay the same to its end */
  #pairs = [];
  #told = ""; // about that game
  #sentences = h("div");
  #facts = h("p", { class: "facts" });
  #take = h("button", { type: "button", onclick: () => this.#takeShown() });
  #play = h("button", { type: "button", onclick: () => this.#toggle() });
  #said = h("p", { class: "said", role: "status" });
  #legend = h("div");
  #table = h("div", { class: "wide", role: "group", tabindex: 0, "aria-label": "Table" });
  #content;
  #problem = h("p", { class: "faint" });
  /** @type {number | null} */
  #shown = null;

  /**
   * @param {SpectatorConnection} connection
   * @param {(move: number) => void} onMove called with a move that the user takes here
   */
  constructor(connection, onMove) {
    this.#connection = connection;
    this.#onMove = onMove;
    this.#graph = new MatchingGraph({
      onShow: move => this.#showFacts(move),
      onChoose: move => this.#choose(move),
    });
    this.#content = h(
      "div",
      { hidden: true },
      this.#sentences,
      h("details", {}, h("summary", {}, "As a graph, with partners to play against"), [
        this.#play,
        h("p", { class: "hint" }, HINT),
        this.#graph.element,
        h("div", { class: "shown-move" }, this.#said, this.#facts, this.#take),
        this.#legend,
      ]),
      h("details", {}, h("summary", {}, "As a table"), this.#table),
    );
    const label = { class: "why card", "aria-labelledby": "why", hidden: true };
    const title = h("h2", { id: "why" }, "Why");
    this.element = h("section", label, title, this.#problem, this.#content);
  }

  /**
   * Show a position; the panel is hidden for a game without matchings. Return the matching, null
   * without one or if another position is to be shown.
   * @param {Position} position
   * @returns {Promise<Matching | null>}
   */
  async show(position) {
    this.#version++;
    const version = this.#version;
    const { game, setup, moves } = position;
    this.element.hidden = !game.has_matching;
    if (!game.has_matching) return null;
    try {
      const question = { game: game.name, setup, moves };
      const matching = await this.#connection.ask("find_matching", question);
      if (version !== this.#version) return null;
      this.#render(position, matching);
      return this.#matching;
    } catch (error) {
      if (version === this.#version) this.#fail(/** @type {Error} */ (error).message);
      return null;
    }
  }

  /**
   * Return the answer to the last of the moves, if the partners play.
   * @param {number[]} moves
   * @returns {number[]}
   */
  answers(moves) {
    const move = /** @type {number} */ (moves.at(-1));
    if (this.#expected !== moves.slice(0, -1).join()) return [];
    const partner = partnersOf(this.#pairs).get(move);
    if (partner === undefined || moves.includes(partner)) return [];
    this.#expected = [...moves, partner].join();
    this.#told = `You took ${this.#text(move)}, its partner is ${this.#text(partner)}.`;
    return [partner];
  }

  /** @param {string} message */
  #fail(message) {
    this.#stop();
    setText(this.#problem, `${capitalised(message)}.`);
    this.#content.hidden = true;
  }

  /**
   * @param {Position} position
   * @param {Matching} found
   */
  #render(position, found) {
    const { moves, module } = position;
    if (this.#expected !== moves.join() || startKey(position) !== this.#startKey) this.#stop();
    const left = new Set(found.nodes.map(([move]) => move));
    const kept = this.#pairs.filter(pair => pair.every(move => left.has(move)));
    const matching = this.#expected === null ? found : { ...found, pairs: kept };
    this.#position = position;
    this.#matching = matching;
    setText(this.#problem, "");
    this.#content.hidden = false;
    this.#sentences.replaceChildren(...found.sentences.map(text => h("p", {}, text)));
    this.#legend.replaceChildren(...legend(matching));
    this.#table.replaceChildren(nodeTable(matching, module));
    this.#graph.show(matching, module);
    this.#showPlay();
  }

  #showPlay() {
    const isOver = !this.#matching?.nodes.some(([, , , reason]) => reason !== null);
    const isPlaying = this.#expected !== null;
    const end = isOver && isPlaying ? " No move is left: the partners have won." : "";
    setText(this.#said, this.#told + end);
    this.#play.hidden = isOver;
    this.#play.textContent = isPlaying ? "Stop playing" : "Play against the partners";
    this.element.classList.toggle("playing", isPlaying);
  }

  #toggle() {
    const matching = this.#matching;
    const position = this.#position;
    if (!matching || !position) return;
    const { answer, pairs } = matching;
    if (this.#expected !== null) this.#stop();
    else if (answer === null) this.#start(position.moves, pairs, INVITATION);
    else {
      this.#start([...position.moves, answer], pairs, `The winner takes ${this.#text(answer)}.`);
      this.#onMove(answer);
    }
    this.#showPlay();
  }

  /**
   * @param {number[]} moves
   * @param {[number, number][]} pairs
   * @param {string} told
   */
  #start(moves, pairs, told) {
    this.#expected = moves.join();
    this.#startKey = startKey(/** @type {Position} */ (this.#position));
    this.#pairs = pairs;
    this.#told = told;
  }

  #stop() {
    this.#expected = null;
    this.#told = "";
  }

  /** @param {number} move */
  #text(move) {
    return moveText(this.#position?.module ?? null, move);
  }

  /** @param {number} move */
  #isLegal(move) {
    const node = this.#matching?.nodes.find(([other]) => other === move);
    return node !== undefined && node[3] !== null;
  }

  /** @param {number | null} move */
  #showFacts(move) {
    this.#shown = move;
    const matching = this.#matching;
    const module = this.#position?.module ?? null;
    const text = matching && move !== null ? nodeSentences(matching, module, move) : "";
    setText(this.#facts, text);
    this.#take.hidden = move === null || !this.#isLegal(move);
    if (move !== null) this.#take.textContent = `Take ${this.#text(move)}`;
  }

  #takeShown() {
    if (this.#shown !== null) this.#onMove(this.#shown);
  }

  /**
   * Take a legal move while the partners play; return whether a click means more than a selection.
   * @param {number} move
   */
  #choose(move) {
    if (this.#expected === null) return false;
    if (this.#expected !== this.#position?.moves.join()) return true; // the answer is not shown yet
    if (!this.#isLegal(move)) return false;
    this.#onMove(move);
    return true;
  }
}

/** @param {Position} position */
const startKey = ({ game, setup }) => JSON.stringify([game.name, setup]);
