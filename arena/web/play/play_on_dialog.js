// The dialog that starts a match from a position.
import { h } from "../dom.js";
import { ownName } from "./join_form.js";
import { botText } from "./opponents.js";
import { player } from "./player_connection.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Position } from "./opponents.js" */

/** The choice of the opponent and the side; it is closed by the start of the match. */
export class PlayOnDialog {
  #connection;
  #position;
  #opponent;
  #problem = h("p", { class: "problem", role: "alert" });
  /** @type {HTMLFormElement} */
  #form;
  /** @type {HTMLDialogElement} */
  #element;

  /**
   * @param {SpectatorConnection} connection
   * @param {Position} position
   * @param {string[]} opponents
   * @param {AbortSignal} signal
   */
  constructor(connection, position, opponents, signal) {
    this.#connection = connection;
    this.#position = position;
    const options = opponents.map(name => h("option", { value: name }, botText(name)));
    this.#opponent = h("select", { id: "play-on-opponent" }, options);
    /** @param {SubmitEvent} event */
    const onsubmit = event => {
      event.preventDefault();
      this.#play();
    };
    const onclick = () => this.#element.close();
    this.#form = h("form", { class: "play-form", onsubmit }, [
      h("div", { class: "field" }, h("label", { for: "play-on-opponent" }, "Opponent"), [
        this.#opponent,
      ]),
      this.#createSides(),
      this.#problem,
      h("div", { class: "buttons" }, h("button", { class: "main" }, "Play"), [
        h("button", { type: "button", onclick }, "Cancel"),
      ]),
    ]);
    const title = h("h2", { id: "play-on-title" }, "Play on from here");
    const properties = { class: "card ask", "aria-labelledby": "play-on-title" };
    this.#element = h("dialog", properties, title, this.#form);
    this.#listen(signal);
    document.body.append(this.#element);
    this.#element.showModal();
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const element = this.#element;
    const end = new AbortController();
    element.addEventListener("close", () => {
      end.abort();
      element.remove();
    });
    const close = () => element.close();
    signal.addEventListener("abort", close, { signal: end.signal });
    player.on("started", close, end.signal);
    player.on("error", ({ match, message }) => match ?? this.#show(message), end.signal);
    player.on(
      "rejected",
      ({ reason }) => this.#show(`The arena rejects the player: ${reason}.`),
      end.signal,
    );
  }

  #createSides() {
    const toMove = this.#position.moves.length % 2 ? 2 : 1;
    const sides = [
      [toMove, "the player to move"],
      [3 - toMove, "the other player"],
    ].map(([side, text], at) => {
      const input = { type: "radio", name: "side", value: side, checked: at === 0 };
      return h("label", { class: "choice" }, h("input", input), ` ${text}`);
    });
    return h("fieldset", { class: "field" }, h("legend", {}, "You are"), sides);
  }

  #play() {
    this.#show("");
    this.#form.querySelector("button")?.setAttribute("disabled", "");
    const { arena } = this.#connection;
    const games = arena?.games.map(({ name }) => name) ?? [];
    const side = Number(new FormData(this.#form).get("side")) === 2 ? 2 : 1;
    const opponent = this.#opponent.value;
    player.challenge(ownName(), games, { ...this.#position, you: side, opponent, time: null });
  }

  /** @param {string} problem */
  #show(problem) {
    this.#problem.textContent = problem;
    this.#form.querySelector("button")?.removeAttribute("disabled");
  }
}
