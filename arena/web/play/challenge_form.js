// The form that challenges a bot, or a friend by a link.
import { loadGameModule } from "../boards/game_modules.js";
import { copyButtons } from "../copy.js";
import { capitalised, h, readNumbers } from "../dom.js";
import { TIME_CONTROLS } from "../format.js";
import { field, JoinForm, recall, remember } from "./join_form.js";
import { botText, opponents } from "./opponents.js";
import { player } from "./player_connection.js";

/** @import { FormOptions } from "./join_form.js" */

const SIDES = [
  ["1", "first"],
  ["2", "second"],
  ["0", "either"],
];
const FRIEND = ""; // instead of the name of a bot
const WITHDRAWN =
  "This link is no longer open, as the connection was lost for too long: cancel it.";

/**
 * The form; its choices come from the address, or else from the last match.
 *
 * An address with `start` sends it at once; its value is the first move of the person.
 */
export class ChallengeForm extends JoinForm {
  #opponent = h("select", { id: "opponent" });
  #game;
  #setup = h("div", { class: "fields" });
  #clock;
  #hints = h("input", { type: "checkbox", checked: recall("hints") === "on" });
  #form;
  #isQuick = false; // whether the challenge is that of an address, which is not remembered
  #firstMove = new AbortController(); // aborted when another challenge follows

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
    player.on("challenged", ({ challenge }) => this.#share(challenge), signal);
    signal.addEventListener("abort", () => player.matches.size || player.leave());
    this.#open(query, signal);
  }

  /**
   * Start the match at once if the address asks for it; who comes back finds the form.
   * @param {URLSearchParams} query
   * @param {AbortSignal} signal
   */
  async #open(query, signal) {
    const start = query.get("start");
    this.#form.classList.toggle("starting", start !== null);
    await this.#chooseGame(query);
    if (start === null || signal.aborted) return;
    history.replaceState(null, "", "#/play");
    const opponent = query.get("opponent") ?? this.#opponent.value;
    if (this.#opponent.value !== opponent || !this.#form.checkValidity()) {
      this.#form.classList.remove("starting");
      return;
    }
    if (/^\d+$/.test(start)) {
      const armed = AbortSignal.any([signal, this.#firstMove.signal]);
      player.on("started", ({ match }) => playFirst(match, Number(start)), armed);
    }
    this.#isQuick = true;
    this.#form.requestSubmit();
  }

  /** @param {URLSearchParams} query */
  async #chooseGame(query) {
    const chosen = this.#opponent.length ? this.#opponent.value : recall("opponent");
    this.#listOpponents(query.get("opponent") ?? chosen);
    const entered = new Map(
      [...this.#setup.querySelectorAll("input")].map(({ name, value }) => [name, value]),
    );
    /** @type {Set<string>} parameters without a choice of the person */
    const open = new Set();
    const game = this.arena.games.find(({ name }) => name === this.#game.value);
    const fields = Object.entries(game?.parameters ?? {}).map(([name, parameter]) => {
      const { meaning, minimum: min, maximum: max, usual } = parameter;
      const last = query.has("start") ? null : recall(`setup-${name}`);
      const value = query.get(name) ?? entered.get(name) ?? last;
      if (value === null) open.add(name);
      const numbers = { type: "number", min, max, step: 1, inputmode: "numeric", required: true };
      const oninput = () => open.delete(name);
      const input = h("input", { id: name, name, ...numbers, value: value ?? usual[0], oninput });
      return field(capitalised(meaning), input);
    });
    this.#setup.replaceChildren(...fields);
    if (open.size) await this.#fillFirstMatch(this.#game.value, fields, open);
  }

  /**
   * Fill in the setup of a first match.
   * @param {string} game
   * @param {HTMLElement[]} fields of its parameters
   * @param {Set<string>} open the parameters that are still to be chosen
   */
  async #fillFirstMatch(game, fields, open) {
    const module = await loadGameModule(game, this.arena);
    const match = module?.lesson?.match ?? {};
    for (const element of fields) {
      const input = /** @type {HTMLInputElement} */ (element.querySelector("input"));
      const isFree = open.has(input.name) && input !== document.activeElement;
      if (isFree && input.name in match) input.value = String(match[input.name]);
    }
  }

  /**
   * List the bots that play the game, and a friend. The weakest bot is no choice for long: without
   * another choice it is the next one.
   * @param {string | null} chosen
   */
  #listOpponents(chosen) {
    const names = opponents(this.arena, this.#game.value);
    const selected = chosen ?? names[Math.min(1, names.length - 1)] ?? FRIEND;
    const bots = names.map(name => option(name, botText(name), selected));
    const friend = option(FRIEND, "a friend: by a link that you share", selected);
    this.#opponent.replaceChildren(
      ...(bots.length ? [h("optgroup", { label: "Bots" }, bots)] : []),
      h("optgroup", { label: "People" }, friend),
    );
  }

  /** @param {string} name */
  #submit(name) {
    const game = this.#game.value;
    const setup = readNumbers(this.#setup);
    const opponent = this.#opponent.value;
    const time = this.#clock.value;
    const side = String(new FormData(this.#form).get("side"));
    if (!this.#isQuick) {
      this.#firstMove.abort();
      const hints = this.#hints.checked ? "on" : "off";
      const choices = Object.entries({ opponent, game, side, clock: time, hints });
      for (const [key, value] of choices) remember(key, value);
      for (const [key, value] of Object.entries(setup)) remember(`setup-${key}`, String(value));
    }
    this.#isQuick = false;
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
    player.on("welcome", () => this.#checkChallenge(challenge), this.signal);
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
    import("./qr_code.js")
      .then(({ qrImage }) => input.after(qrImage(link, "QR code of the link")))
      .catch(() => {}); // the link itself is there
  }

  /**
   * Say after a lost connection whether the arena has kept a challenge.
   * @param {string} challenge
   */
  async #checkChallenge(challenge) {
    try {
      await this.connection.ask("find_challenge", { challenge });
    } catch (error) {
      const isGone = /** @type {Error} */ (error).cause === "unknown_challenge";
      if (isGone) this.problem.textContent = WITHDRAWN;
    }
  }
}

/**
 * Play the first move of a match when its first turn comes.
 * @param {string} match
 * @param {number} move
 */
function playFirst(match, move) {
  const played = new AbortController();
  /** @param {{ match: string }} turn */
  const play = turn => {
    if (turn.match !== match) return;
    played.abort();
    player.move(Number(match), 0, move);
  };
  player.on("turn", play, played.signal);
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
