// Common parts of the forms that lead to a match.
import { capitalised, h, isolated } from "../dom.js";
import { load, save } from "../storage.js";
import { throttle } from "../timing.js";
import { player } from "./player_connection.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo } from "../types.js" */

/**
 * @typedef {{
 *   main: HTMLElement,
 *   connection: SpectatorConnection,
 *   arena: ArenaInfo,
 *   signal: AbortSignal,
 * }} FormOptions
 */

const CHECK_INTERVAL = 300; // milliseconds between two checks while the name is edited

/** @type {Record<string, string>} */
const REJECTIONS = {
  name_taken: "This name is in use: choose another.",
  name_reserved: "This name belongs to a bot: choose another.",
};

/** The name of the player, and why there is no match yet. */
export class JoinForm {
  #problem = h("p", { class: "problem", role: "alert" });
  #name = h("input", {
    id: "name",
    name: "name",
    "aria-describedby": "name-problem",
    autocomplete: "nickname",
    value: ownName(),
  });
  #nameProblem = h("p", { class: "problem", id: "name-problem", role: "status" });
  #spelling = h("p", { class: "hint", role: "status" });
  /** @type {HTMLButtonElement | null} disabled while the arena prepares the match */
  #button = null;

  /** @param {FormOptions} options */
  constructor({ main, connection, arena, signal }) {
    this.main = main;
    this.arena = arena;
    this.connection = connection;
    this.signal = signal;
    const check = throttle(CHECK_INTERVAL, signal, () => this.#checkName().catch(() => {}));
    this.#name.addEventListener("input", () => check());
    player.on("error", ({ message, match }) => match === null && this.#show(message), signal);
    player.on(
      "rejected",
      ({ reason }) => this.#show(REJECTIONS[reason] ?? `The arena rejects the player: ${reason}.`),
      signal,
    );
    player.on("disconnected", () => this.#show("Connection lost: try again."), signal);
    player.on("replaced", () => this.#show("You play in another tab now."), signal);
  }

  /** The names of all games of the arena. */
  get games() {
    return this.arena.games.map(({ name }) => name);
  }

  get nameField() {
    const named = field("Your name", this.#name);
    named.append(this.#nameProblem, this.#spelling);
    return named;
  }

  get problem() {
    return this.#problem;
  }

  /** Ask the arena, which has the rules, for the spelling to use; show why there is none. */
  async #checkName() {
    const asked = this.#name.value;
    const { name, problem } = await this.connection.ask("check_name", { name: asked });
    if (asked === this.#name.value) {
      this.#nameProblem.textContent = problem ? `${capitalised(problem)}.` : "";
      this.#name.ariaInvalid = String(problem !== null);
      const isOther = problem === null && name !== asked.trim();
      this.#spelling.replaceChildren(...(isOther ? ["You play as ", isolated(name), "."] : []));
    }
    return problem === null ? name : null;
  }

  /** @param {(name: string) => void} submit */
  async #trySubmit(submit) {
    this.#show("");
    if (this.#button) this.#button.disabled = true;
    try {
      const name = await this.#checkName();
      if (this.signal.aborted) return;
      if (name === null) {
        this.#show("");
        this.#name.focus();
        return;
      }
      remember("name", name);
      submit(name);
    } catch (error) {
      this.#show(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Return a form with a submit button and a line for problems.
   * @param {(name: string) => void} submit called with a name that the arena accepts
   * @param {import("../types.js").Child[]} fields
   * @param {string} label
   */
  createForm(submit, fields, label) {
    /** @param {SubmitEvent} event */
    const onsubmit = event => {
      event.preventDefault();
      this.#trySubmit(submit);
    };
    this.#button = h("button", { class: "main" }, label);
    const row = h("div", {}, this.#button);
    return h("form", { class: "card play-form", onsubmit }, fields, row, this.#problem);
  }

  /**
   * Show why there is no match, and let the form be sent again.
   * @param {string} problem
   */
  #show(problem) {
    this.#problem.textContent = problem;
    if (this.#button) this.#button.disabled = false;
  }
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 */
export const field = (label, control) =>
  h("div", { class: "field" }, h("label", { for: control.id }, label), control);

/** The name of the person in the latest match, or that of a guest. */
export const ownName = () =>
  player.name || recall("name") || `Guest ${1000 + Math.floor(9000 * Math.random())}`;

/**
 * Return a choice of an earlier match, null if there is none.
 * @param {string} key
 */
export const recall = key => load(`play-${key}`);

/**
 * @param {string} key
 * @param {string} value
 */
export const remember = (key, value) => save(`play-${key}`, value);
