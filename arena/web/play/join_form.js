// Common parts of the forms that lead to a match.
import { h } from "../dom.js";
import { load, save } from "../storage.js";
import { player } from "./player_connection.js";

/** @import { ArenaInfo } from "../types.js" */

/**
 * @typedef {{ main: HTMLElement, arena: ArenaInfo, signal: AbortSignal }} FormOptions
 */

/** @type {Record<string, string>} */
const REJECTIONS = {
  expected_hello: "This name cannot be used: choose another.",
  name_taken: "This name is in use: choose another.",
  name_reserved: "This name belongs to a bot: choose another.",
};

/** The name of the player, and why there is no match yet. */
export class JoinForm {
  #problem = h("p", { class: "problem", role: "alert" });
  #name = h("input", {
    id: "name",
    name: "name",
    required: true,
    maxlength: 40,
    autocomplete: "nickname",
    value: player.name || recall("name") || `Guest ${1000 + Math.floor(9000 * Math.random())}`,
  });

  /** @param {FormOptions} options */
  constructor({ main, arena, signal }) {
    this.main = main;
    this.arena = arena;
    player.on("error", ({ message, match }) => match === null && this.#show(message), signal);
    player.on(
      "rejected",
      ({ reason }) => this.#show(REJECTIONS[reason] ?? `The arena rejects the player: ${reason}.`),
      signal,
    );
    player.on("disconnected", () => this.#show("Connection lost: try again."), signal);
  }

  /** The names of all games of the arena. */
  get games() {
    return this.arena.games.map(({ name }) => name);
  }

  get nameField() {
    return field("Your name", this.#name);
  }

  get problem() {
    return this.#problem;
  }

  /** Return the player's name in the spelling that the arena accepts, and remember it. */
  readName() {
    const name = this.#name.value.normalize("NFKC").trim();
    this.#show("");
    remember("name", name);
    return name;
  }

  /**
   * Return a form with a submit button and a line for problems.
   * @param {() => void} submit
   * @param {import("../types.js").Child[]} fields
   * @param {string} label
   */
  createForm(submit, fields, label) {
    /** @param {SubmitEvent} event */
    const onsubmit = event => {
      event.preventDefault();
      submit();
    };
    const button = h("div", {}, h("button", { class: "main" }, label));
    return h("form", { class: "card play-form", onsubmit }, fields, button, this.#problem);
  }

  /** @param {string} problem */
  #show(problem) {
    this.#problem.textContent = problem;
  }
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 */
export const field = (label, control) =>
  h("div", { class: "field" }, h("label", { for: control.id }, label), control);

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
