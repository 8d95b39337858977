// What a player can do in a match besides picking from the board.
import { h, nameOf } from "/dom.js";
import { isUntimed } from "/model.js";
import { seat } from "/seat.js";

const HINT_DEPTH = 6; // plies, where no solver knows better

/** The controls of who plays a match; `onchange()` is called when hints have changed. */
export class Controls {
  #match;
  #you;
  #socket;
  #module;
  #onchange;
  #hint = { key: "", move: null };
  #said = h("p", { class: "hint", role: "status" });
  #problem = h("p", { class: "problem", role: "alert" });
  #text = h("input", { id: "typed", autocomplete: "off", inputmode: "numeric", size: 8 });
  #typing = h("form", { class: "typing", onsubmit: event => { event.preventDefault(); this.#type(); } },
    h("label", { for: "typed" }, "Your move"), this.#text, h("button", {}, "Play"));
  #hintButton = h("button", { type: "button", onclick: () => this.#askHint() }, "Hint");
  #back = h("button", { type: "button", onclick: () => this.#takeBack() }, "Take back");
  #resign = h("button", { type: "button", onclick: () => this.#giveUp() }, "Resign");
  #again = h("button", { type: "button", class: "main", onclick: () => this.#playAgain() }, "Play again");
  #asked = h("p", { class: "asked", hidden: true }, "Your opponent wants the last move back. ",
    h("button", { type: "button", onclick: () => { seat.takeBack(this.#match.facts.match); this.show(this.#match); } }, "Allow it"));

  constructor({ match, you, socket, module, signal, onchange }) {
    Object.assign(this, { element: h("div", { class: "controls" }, this.#typing,
      h("div", { class: "buttons" }, this.#hintButton, this.#back, this.#resign, this.#again), this.#asked, this.#problem, this.#said) });
    this.#match = match;
    this.#you = you;
    this.#socket = socket;
    this.#module = module;
    this.#onchange = onchange;
    const on = (type, act) => seat.addEventListener(type, event => Number(event.detail.match) === match.facts.match && act(event.detail), { signal });
    on("error", ({ message }) => this.#refuse(message.replace(/^match \d+: /, "")));
    on("take_back_asked", () => this.show(this.#match));
    on("turn", () => this.#said.textContent = "");
    this.#text.addEventListener("input", () => this.#refuse(""));
  }

  /** Whether the player may move. */
  canMove(match) {
    return !match.isOver && match.playerAt() === this.#you;
  }

  /** The move that is hinted at, as marks for the board. */
  marks(match) {
    return match.moves.join() === this.#hint.key && this.#hint.move !== null ? new Map([[this.#hint.move, "hint"]]) : new Map();
  }

  play(move) {
    this.#refuse("");
    seat.move(this.#match.facts.match, this.#match.moves.length, move);
  }

  show(match) {
    this.#match = match;
    const { isOver } = match, isTurn = this.canMove(match);
    this.#typing.hidden = this.#resign.hidden = this.#back.hidden = this.#hintButton.hidden = isOver;
    this.#again.hidden = !isOver;
    this.#hintButton.disabled = !isTurn;
    // Only moves of one's own can be taken back, never those of the opening.
    this.#back.disabled = match.moves.length - (isTurn ? 1 : 0) <= match.facts.opening;
    this.#asked.hidden = isOver || !seat.asked.has(match.facts.match);
  }

  #refuse(message) {
    this.#problem.textContent = message;
  }

  #type() {
    const { setup } = this.#match.facts;
    try {
      const move = this.#module.parseMove(this.#text.value);
      if (!this.canMove(this.#match)) throw new Error("It is not your turn.");
      if (!this.#module.legalMoves(setup, this.#match.moves).includes(move)) throw new Error(`${this.#module.moveName(move)} is not legal now.`);
      this.#text.value = "";
      this.play(move);
    } catch (error) {
      this.#refuse(error.message);
    }
  }

  async #askHint() {
    const { facts: { game, setup }, moves } = this.#match, key = moves.join();
    this.#said.textContent = "Thinking…";
    try {
      const answer = await this.#socket.ask({ type: "analyse", game, setup, moves, depth: HINT_DEPTH });
      const [winning] = answer.winning_moves ?? [];
      const move = winning ?? answer.search?.move ?? null;
      this.#hint = { key, move };
      const name = move === null ? "" : this.#module?.moveName(move) ?? move;
      if (winning !== undefined) this.#said.textContent = `${name} wins with perfect play.`;
      else if (answer.winning_moves) this.#said.textContent = `No move wins against perfect play. ${name} is a try.`;
      else this.#said.textContent = `${name} looks best.`;
      this.#onchange();
    } catch (error) {
      this.#said.textContent = error.message;
    }
  }

  #takeBack() {
    this.#refuse("");
    this.#said.textContent = "Asking for the move back…";
    seat.takeBack(this.#match.facts.match);
  }

  #giveUp() {
    if (this.#resign.dataset.sure) seat.resign(this.#match.facts.match);
    this.#resign.dataset.sure = "yes";
    this.#resign.replaceChildren("Really resign?");
    this.#resign.addEventListener("blur", () => {
      delete this.#resign.dataset.sure;
      this.#resign.replaceChildren("Resign");
    }, { once: true });
  }

  #playAgain() {
    const { game, setup, players, control } = this.#match.facts;
    const opponent = players[2 - this.#you];
    const time = isUntimed(control) ? "" : control.text;
    if (this.#socket.about.offers[opponent]) {
      seat.challenge(players[this.#you - 1], this.#socket.about.games.map(known => known.name), { game, setup, you: 3 - this.#you, opponent, time: time || null });
    } else location.hash = `#/play?${new URLSearchParams({ opponent: "", game, ...setup, side: 3 - this.#you, time })}`;
  }
}
