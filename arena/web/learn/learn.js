// The view that shows how a search finds its move, step by step.

import { loadGameModule, moveText } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { Timeouts, throttle } from "../events.js";
import { setupText } from "../format.js";
import { addressProblem, addressStep } from "./search_address.js";
import { SearchForm } from "./search_form.js";
import { SearchScreen } from "./search_screen.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, GameModule, SearchStart, TracedSearch, ViewOptions } from "../types.js" */

const INTERVAL = 400; // milliseconds between requests while the user types
const PATIENCE = 200; // milliseconds of a search before it is mentioned

/** @param {ViewOptions} options */
export function view({ main, connection, query, signal }) {
  const container = h("div", { class: "learn" });
  container.append(h("h1", { class: "hidden-text" }, "Learn alpha-beta"));
  main.append(container);
  /** @type {LearnPage | null} */
  let page = null;
  const start = () => {
    if (page) page.retry();
    else if (connection.arena) {
      page = new LearnPage(connection, connection.arena, query, signal);
      container.append(...page.parts);
    }
  };
  connection.on("about", start, signal);
  start();
}

/** The form, and the screen of the search that it describes. */
class LearnPage {
  #connection;
  #signal;
  #form;
  #screen;
  #version = 0; // of the search: answers for earlier ones are dropped
  #timeouts = new Timeouts();
  #summary = h("span", { class: "faint" });
  #problem = h("p", { class: "problem", role: "alert" });
  #notice = h("p", { class: "notice", role: "status" });
  #details;
  #isExample; // whether the next search is the one that runs by itself, as none was asked for
  /** @type {URLSearchParams | null} the address, until its search is shown */
  #query;

  /**
   * @param {SpectatorConnection} connection
   * @param {ArenaInfo} arena
   * @param {URLSearchParams} query
   * @param {AbortSignal} signal
   */
  constructor(connection, arena, query, signal) {
    this.#connection = connection;
    this.#signal = signal;
    this.#query = query;
    const load = throttle(INTERVAL, signal, () => this.#load());
    this.#form = new SearchForm(arena, query, load, () => this.#draw());
    this.#screen = new SearchScreen(connection, signal);
    this.#isExample = !query.has("game") && !query.has("tree");
    this.#details = h(
      "details",
      { class: "search-choice" },
      h("summary", {}, h("b", {}, "Learn alpha-beta"), " ", this.#summary),
      this.#form.element,
    );
    signal.addEventListener("abort", () => this.#timeouts.clear());
    this.parts = [this.#details, this.#problem, this.#notice, this.#screen.element];
    this.#start(load);
  }

  /** Search again after a connection was lost, if the last search has failed. */
  retry() {
    if (this.#problem.textContent) this.#load();
  }

  /** @param {() => void} load */
  async #start(load) {
    await this.#loadModule();
    try {
      this.#form.readAddress();
    } catch {
      // The words of the address are no numbers: the form shows what is wrong with them.
    }
    load();
  }

  async #loadModule() {
    this.#form.module = await loadGameModule(this.#form.game.name, this.#connection.arena);
  }

  async #load() {
    this.#version++;
    const version = this.#version;
    await this.#loadModule();
    try {
      const search = this.#form.read();
      this.#timeouts.set("busy", PATIENCE, () => this.#showBusy());
      const answer = await this.#connection.ask("trace", { search });
      if (version !== this.#version || this.#signal.aborted) return;
      this.#showProblem(null);
      this.#form.setVariants(answer.variants);
      this.#summary.textContent = this.#describe(search, answer.variants[search.variant]);
      const module = search.game ? this.#form.module : null;
      this.#show(answer, search, module);
    } catch (error) {
      if (version !== this.#version) return;
      this.#showProblem(/** @type {Error} */ (error).message);
      this.#summary.textContent = "";
    } finally {
      if (version === this.#version) this.#timeouts.clear();
    }
  }

  /**
   * Show a search: the first one at the step of the address, and what is wrong with the address.
   * @param {TracedSearch} answer
   * @param {SearchStart} search
   * @param {GameModule | null} module
   */
  #show(answer, search, module) {
    const query = this.#query ?? new URLSearchParams();
    this.#query = null;
    const problem = addressProblem(query, this.#form.game, answer.steps.length);
    this.#notice.textContent = problem;
    this.#screen.show(answer, search, module, addressStep(query));
    if (this.#isExample) this.#screen.run();
    this.#isExample = false;
  }

  async #draw() {
    this.#version++; // the answer to an earlier question must not replace what comes now
    this.#timeouts.clear();
    const version = this.#version;
    try {
      const { search } = await this.#connection.ask("find_exercise", this.#form.exercise);
      if (version === this.#version && !this.#signal.aborted) this.#form.fill(search);
    } catch (error) {
      if (version === this.#version) this.#showProblem(/** @type {Error} */ (error).message);
    }
  }

  #showBusy() {
    this.#summary.textContent = "Searching…";
    this.#screen.element.classList.add("stale");
  }

  /**
   * @param {SearchStart} search
   * @param {string} variant
   */
  #describe({ game, setup, moves = [], depth }, variant) {
    if (!game) return ["a written tree", variant].join(" · ");
    const played = moves.map(move => moveText(this.#form.module, move)).join(" ");
    const parts = [
      [this.#form.game.title, setupText(setup ?? {})].filter(Boolean).join(", "),
      played && `after ${played}`,
      depth ? `depth ${depth}` : "to the end",
      variant,
    ];
    return parts.filter(Boolean).join(" · ");
  }

  /** @param {string | null} problem */
  #showProblem(problem) {
    this.#problem.textContent = problem ?? "";
    this.#form.showProblem(problem);
    this.#screen.element.classList.toggle("stale", problem !== null);
    if (problem !== null && this.#screen.element.hidden) this.#details.open = true;
  }
}
