// The forms that lead to a match: their common parts, and the one that accepts a challenge.
import { capitalised, h, isolated } from "../dom.js";
import { throttle } from "../events.js";
import { describeTime, gameTitle } from "../format.js";
import { load, save } from "../storage.js";
import { player } from "./player_connection.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, OpenChallenge } from "../types.js" */

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

// The form that accepts a challenge

/**
 * Show what a challenge offers, with a form that accepts it, or that it is no longer open.
 * Its players return to their match.
 * @param {FormOptions} options
 * @param {string} challenge
 */
export async function showChallenge(options, challenge) {
  const { main, connection, signal } = options;
  const match = player.matchOf(challenge);
  if (match !== null) {
    location.replace(`#/match/${match}`);
    return;
  }
  const close = () => signal.aborted || main.replaceChildren(...closed());
  try {
    const offer = await connection.ask("find_challenge", { challenge });
    if (signal.aborted) return;
    new AcceptForm(options, challenge, offer);
    player.on("error", ({ code }) => code === "unknown_challenge" && close(), signal);
  } catch (error) {
    const { cause, message } = /** @type {Error} */ (error);
    if (cause === "unknown_challenge") close();
    else if (!signal.aborted) main.replaceChildren(h("p", { role: "alert" }, message));
  }
}

class AcceptForm extends JoinForm {
  /**
   * @param {FormOptions} options
   * @param {string} challenge
   * @param {OpenChallenge} offer
   */
  constructor(options, challenge, offer) {
    super(options);
    /** @param {string} name */
    const accept = name => player.accept(name, this.games, challenge);
    const text = h("p", {}, isolated(offer.player), " challenges you:");
    const fields = [text, offerList(offer, this.arena), this.nameField];
    const form = this.createForm(accept, fields, "Accept");
    const hint = "The match starts when you accept. It is casual: unrated, with takebacks.";
    this.main.replaceChildren(h("h1", {}, "Challenge"), form, h("p", { class: "hint" }, hint));
  }
}

/**
 * @param {OpenChallenge} offer
 * @param {ArenaInfo} arena
 */
function offerList({ game, setup, you, time, moves, hints }, arena) {
  const parameters = arena.games.find(({ name }) => name === game)?.parameters ?? {};
  /** @type {[string, string | number][]} */
  const rows = [
    ["Game", gameTitle(arena, game)],
    ...Object.entries(setup).map(
      ([name, value]) =>
        /** @type {[string, number]} */ ([capitalised(parameters[name]?.meaning ?? name), value]),
    ),
    ["You play", you === 1 ? "second" : "first"],
    ["Clock", describeTime(time)],
    ["Hints", hints ? "for both of you" : "none"],
    ...(moves?.length ? [/** @type {[string, number]} */ (["Moves before", moves.length])] : []),
  ];
  const items = rows.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]);
  return h("dl", { class: "offer" }, items);
}

/** What a visitor reads who is too late. */
const closed = () => [
  h("h1", {}, "Challenge"),
  h("p", { role: "alert" }, "This challenge is no longer open: it was accepted or withdrawn."),
  h("p", {}, h("a", { class: "button", href: "#/play" }, "Challenge somebody else")),
];
