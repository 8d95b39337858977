// The form that challenges a bot, or a friend by a link.
import { copyButtons } from "../copy.js";
import { capitalised, h } from "../dom.js";
import { readSetup } from "../setup.js";
import { botText } from "./bot_texts.js";
import { field, JoinForm, recall, remember } from "./join_form.js";
import { player } from "./player_connection.js";
import { TIME_CONTROLS } from "./time_controls.js";

/** @import { FormOptions } from "./join_form.js" */

const SIDES = [
  ["1", "first"],
  ["2", "second"],
  ["0", "either"],
];
const FRIEND = ""; // instead of the name of a bot

/** The form; its choices come from the address, or else from the last match. */
export class ChallengeForm extends JoinForm {
  #opponent = h("select", { id: "opponent" });
  #game;
  #setup = h("div", { class: "fields" });
  #clock;
  #hints = h("input", { type: "checkbox", checked: recall("hints") === "on" });
  #form;

  /**
   * @param {FormOptions} options
   * @param {URLSearchParams} query
   */
  constructor(options, query) {
    super(options);
    const { main, arena, signal } = options;
    const titles = arena.games.map(({ name, title }) => [name, title]);
    this.#game = select("game", titles, query.get("game") ?? recall("game"));
    this.#game.addEventListener("change", () => this.#chooseGame(new URLSearchParams()));
    this.#clock = select("clock", TIME_CONTROLS, query.get("time") ?? recall("clock") ?? "");
    const side = query.get("side") ?? recall("side") ?? "1";
    const fields = [
      field("Opponent", this.#opponent),
      field("Game", this.#game),
      this.#setup,
      radios("side", "You play", SIDES, side),
      field("Clock", this.#clock),
      h("label", { class: "hints" }, this.#hints, " Hints for both, against a friend"),
      this.nameField,
    ];
    this.#form = this.createForm(name => this.#submit(name), fields, "Play");
    const hint = "Casual matches are unrated, and takebacks are allowed.";
    main.append(h("h1", {}, "Play"), this.#form, h("p", { class: "hint" }, hint));
    this.#chooseGame(query);
    player.on("challenged", ({ challenge }) => this.#share(challenge), signal);
    signal.addEventListener("abort", () => player.matches.size || player.leave());
    if (query.has("start")) this.#start();
  }

  /** Start the match at once; who comes back to this address finds the form. */
  #start() {
    history.replaceState(null, "", "#/play");
    this.#form.requestSubmit();
  }

  /** @param {URLSearchParams} query */
  #chooseGame(query) {
    const chosen = this.#opponent.length ? this.#opponent.value : recall("opponent");
    this.#listOpponents(query.get("opponent") ?? chosen);
    const entered = new Map(
      [...this.#setup.querySelectorAll("input")].map(({ name, value }) => [name, value]),
    );
    const game = this.arena.games.find(({ name }) => name === this.#game.value);
    const fields = Object.entries(game?.parameters ?? {}).map(([name, parameter]) => {
      const { meaning, minimum: min, maximum: max, usual } = parameter;
      const stored = entered.get(name) ?? recall(`setup-${name}`);
      const value = query.get(name) ?? stored ?? usual[0];
      const numbers = { type: "number", min, max, step: 1, inputmode: "numeric" };
      const input = h("input", { id: name, name, ...numbers, required: true, value });
      return field(capitalised(meaning), input);
    });
    this.#setup.replaceChildren(...fields);
  }

  /**
   * List the bots that play the game, and a friend.
   * @param {string | null} selected
   */
  #listOpponents(selected) {
    const bots = Object.entries(this.arena.offers)
      .filter(([, games]) => games.includes(this.#game.value))
      .map(([name]) => option(name, botText(name), selected));
    const friend = option(FRIEND, "a friend: by a link that you share", selected);
    this.#opponent.replaceChildren(
      ...(bots.length ? [h("optgroup", { label: "Bots" }, bots)] : []),
      h("optgroup", { label: "People" }, friend),
    );
  }

  /** @param {string} name */
  #submit(name) {
    const game = this.#game.value;
    const setup = readSetup(this.#setup);
    const opponent = this.#opponent.value;
    const time = this.#clock.value;
    const side = String(new FormData(this.#form).get("side"));
    for (const [key, value] of Object.entries({ opponent, game, side, clock: time })) {
      remember(key, value);
    }
    remember("hints", this.#hints.checked ? "on" : "off");
    for (const [key, value] of Object.entries(setup)) remember(`setup-${key}`, String(value));
    const isFirst = side === "0" ? Math.random() < 0.5 : side === "1";
    const you = isFirst ? 1 : 2;
    const challenge = { game, setup, you: /** @type {1 | 2} */ (you) };
    player.challenge(name, this.games, {
      ...challenge,
      opponent: opponent || null,
      time: time || null,
      hints: this.#hints.checked,
    });
  }

  /**
   * Show the link to an open challenge.
   * @param {string} challenge
   */
  #share(challenge) {
    const link = new URL(`#/play/${challenge}`, location.href).href;
    const input = h("input", {
      readonly: true,
      value: link,
      "aria-label": "Link to the match",
      onfocus: ({ target }) => /** @type {HTMLInputElement} */ (target).select(),
    });
    const cancel = () => {
      player.leave();
      location.reload();
    };
    const text = "The first to open this link plays against you. Keep this page open.";
    this.main.replaceChildren(
      h("h1", {}, "Waiting for your friend"),
      h(
        "div",
        { class: "card play-form" },
        h("p", {}, text),
        input,
        copyButtons([["Link", () => link]]).element,
        h("p", {}, h("button", { type: "button", onclick: cancel }, "Cancel")),
      ),
      this.problem,
    );
    input.focus();
  }
}

/**
 * @param {string} value
 * @param {string} text
 * @param {string | null} selected
 */
const option = (value, text, selected) =>
  h("option", { value, selected: value === selected }, text);

/**
 * @param {string} id
 * @param {string[][]} choices values and texts
 * @param {string | null} selected
 */
const select = (id, choices, selected) => {
  const options = choices.map(([value, text]) => option(value, text, selected));
  return h("select", { id }, options);
};

/**
 * @param {string} name
 * @param {string} legend
 * @param {string[][]} choices values and texts
 * @param {string} selected
 */
function radios(name, legend, choices, selected) {
  const labels = choices.map(([value, text]) => {
    const input = h("input", { type: "radio", name, value, checked: value === selected });
    return h("label", { class: "choice" }, input, ` ${text}`);
  });
  return h("fieldset", { class: "field" }, h("legend", {}, legend), labels);
}
