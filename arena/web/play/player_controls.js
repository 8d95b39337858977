// The controls of a person who plays, besides the board.

import { illegalText, parseMove } from "../boards/game_modules.js";
import { h, isolated } from "../dom.js";
import { mayHelp } from "../match/match_state.js";
import { player } from "./player_connection.js";
import { AbsencePanel, TurnSignal } from "./signals.js";

/** @import { MoveNames } from "../boards/create_board.js" */
/** @import { MatchState } from "../match/match_state.js" */
/** @import { StateLine } from "../match/state_line.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Analysis, GameModule, Marks, Player } from "../types.js" */

/**
 * `onChange` is called when there is a hint to show, or another tab plays; `state` is the line over
 * the board, in which the controls say what they do.
 * @typedef {{
 *   match: MatchState,
 *   side: Player,
 *   connection: SpectatorConnection,
 *   module: GameModule | null,
 *   names: MoveNames,
 *   state: StateLine,
 *   signal: AbortSignal,
 *   onChange: () => void,
 * }} ControlsOptions
 */

const HINT_DEPTH = 6; // plies, for games without a solver

/** Buttons for hints, takebacks, resignation and a rematch, and a field for typed moves. */
export class PlayerControls {
  #match;
  #side;
  #connection;
  #module;
  #names;
  #onChange;
  #absence;
  #hint = { key: "", move: /** @type {number | null} */ (null) };
  #state;
  #signal = new TurnSignal(() => this.update(this.#match));
  /** @type {HTMLInputElement} */
  #input = h("input", {
    id: "typed",
    autocomplete: "off",
    inputmode: "numeric",
    size: 8,
    oninput: () => this.#state.say(""),
    onblur: () => this.#leaveForm(),
  });
  #form = h("form", { class: "typing", hidden: true, onsubmit: event => this.#submit(event) }, [
    h("label", { for: "typed" }, "Your move"),
    this.#input,
    h("button", {}, "Play"),
  ]);
  #hintButton = button("Hint", () => this.#askHint());
  #takeback = button("Take back", () => this.#requestTakeback());
  #resign = button("Resign", () => this.#asked.showModal());
  #asked = h("dialog", { class: "card ask", "aria-labelledby": "asked" }, [
    h("p", { id: "asked" }, "Resign this match?"),
    h("form", { method: "dialog", class: "buttons" }, [
      h("button", { class: "main", autofocus: true }, "Play on"),
      button("Resign", () => this.#doResign()),
    ]),
  ]);
  #elsewhere = h(
    "p",
    { class: "request", role: "alert", hidden: true },
    "This match is open in another tab. ",
    button("Play here", () => player.takeOver()),
  );
  #answered = ""; // the position in which a move was sent; there is one move for each turn
  #rematch = button("Rematch", () => this.#playAgain(), "main");
  #takebackRequest = h(
    "p",
    { class: "request", role: "alert", hidden: true },
    "Your opponent requests a takeback. ",
    button("Accept", () => this.#answerTakeback(true)),
    " ",
    button("Decline", () => this.#answerTakeback(false)),
  );
  #rematchRequest = h("div", { class: "request", role: "alert", hidden: true });

  /** @param {ControlsOptions} options */
  constructor({ match, side, connection, module, names, state, signal, onChange }) {
    this.#match = match;
    this.#side = side;
    this.#connection = connection;
    this.#module = module;
    this.#names = names;
    this.#state = state;
    if (!module) this.#input.inputMode = "text"; // for names of moves
    this.#onChange = onChange;
    const bar = h("div", { class: "buttons" }, this.#hintButton, this.#takeback, this.#resign);
    const opponent = match.playerName(side === 1 ? 2 : 1);
    this.#absence = new AbsencePanel(match.facts.match, opponent, signal);
    const requests = [this.#elsewhere, this.#takebackRequest, this.#absence.element];
    const parts = [requests, this.#form, bar, this.#asked];
    this.element = h("div", { class: "controls", "data-dock": "" }, parts);
    state.element.append(this.#rematchRequest);
    state.actions.append(this.#rematch, this.#signal.element);
    this.#listen(signal);
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    /** @param {{ match: string | null }} message */
    const isThis = message => Number(message.match) === this.#id;
    player.on("error", error => this.#receiveError(error, isThis(error)), signal);
    for (const type of /** @type {const} */ (["welcome", "replaced"])) {
      player.on(type, () => this.#onChange(), signal);
    }
    for (const type of /** @type {const} */ ([
      "take_back_asked",
      "opponent_left",
      "opponent_back",
    ])) {
      player.on(type, event => isThis(event) && this.update(this.#match), signal);
    }
    const decline = () => this.#state.say("Your takeback was declined.");
    player.on("take_back_declined", event => isThis(event) && decline(), signal);
    player.on("challenge_received", event => this.#receiveChallenge(event), signal);
    player.on("turn", turn => isThis(turn) && this.#beginTurn(), signal);
    player.on("finished", event => isThis(event) && this.#signal.play(), signal);
    document.addEventListener("keydown", event => this.#keyDown(event), { signal });
    signal.addEventListener("abort", () => this.#signal.close());
  }

  /**
   * Show the field for moves when a number is typed, or the name of a move that only the arena knows.
   * @param {KeyboardEvent} event
   */
  #keyDown({ key, target, ctrlKey, metaKey, altKey }) {
    const isElsewhere = /** @type {Element} */ (target).closest("input, select, textarea, dialog");
    const isTyped = (this.#module ? /^\d$/ : /^\w$/).test(key);
    if (isElsewhere || ctrlKey || metaKey || altKey || !isTyped) return;
    if (!this.canMove(this.#match)) return;
    this.#showForm(true);
    this.#input.focus(); // the key is typed into it
  }

  /** @param {boolean} isShown */
  #showForm(isShown) {
    this.#form.hidden = !isShown;
  }

  #leaveForm() {
    if (this.#input.value === "") this.#showForm(false);
  }

  #beginTurn() {
    this.#answered = "";
    this.#state.say("");
    this.#signal.play();
  }

  /**
   * @param {{ message: string, match: string | null }} error
   * @param {boolean} isThis whether it concerns this match
   */
  #receiveError({ message, match }, isThis) {
    if (isThis || match === null) this.#state.say(message.replace(/^match \d+: /, ""), true);
    if (match === null) this.#rematch.disabled = false;
  }

  get #id() {
    return this.#match.facts.match;
  }

  /** @param {MatchState} match */
  canMove(match) {
    return match.isLive && match.playerToMove() === this.#side && !player.isElsewhere;
  }

  /**
   * Return the hint for the latest position, if there is one.
   * @param {MatchState} match
   * @returns {Marks}
   */
  marks(match) {
    const { key, move } = this.#hint;
    const isShown = move !== null && match.isLive && match.moves.join() === key;
    return isShown ? new Map([[move, "hint"]]) : new Map();
  }

  /**
   * Send a move; another one in the same turn is a slip of the finger.
   * @param {number} move
   */
  play(move) {
    this.#state.say("");
    const position = `after ${this.#match.moves}`;
    if (position === this.#answered) return;
    this.#answered = position;
    player.move(this.#id, this.#match.moves.length, move);
  }

  /**
   * Say why a chosen move is illegal.
   * @param {number} move
   */
  refuse(move) {
    this.#state.say(this.#illegalText(move), true);
  }

  /** Say that the opponent is to move. */
  refuseUntimely() {
    if (!this.canMove(this.#match) && this.#match.isLive) {
      this.#state.say("It is not your turn.", true);
    }
  }

  /** @param {number} move */
  #illegalText(move) {
    const { facts, moves } = this.#match;
    return illegalText(this.#module, facts.setup, moves, move);
  }

  /** @param {MatchState} match */
  update(match) {
    this.#match = match;
    const isOver = !match.isLive;
    const isTurn = this.canMove(match);
    const isElsewhere = player.isElsewhere && !isOver;
    this.#elsewhere.hidden = !isElsewhere;
    for (const part of [this.#resign, this.#takeback, this.#hintButton]) {
      part.hidden = isOver || isElsewhere;
    }
    this.element.hidden = isOver;
    if (isOver) {
      this.#asked.close();
      this.#showForm(false);
    }
    this.#rematch.hidden = !isOver;
    this.#hintButton.disabled = !isTurn;
    this.#hintButton.hidden ||= !mayHelp(match, this.#connection.arena);
    // Own moves can be taken back, those of the opening cannot.
    this.#takeback.disabled = match.moves.length - (isTurn ? 1 : 0) <= match.facts.opening;
    this.#takebackRequest.hidden = isOver || !player.takebackRequests.has(this.#id);
    this.#absence.update();
    this.#signal.showTitle(`${match.facts.players.join(" – ")} · Arena`, isTurn);
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    try {
      this.play(await this.#parseInput());
      this.#input.value = "";
      this.#showForm(false);
    } catch (error) {
      this.#state.say(/** @type {Error} */ (error).message, true);
    }
  }

  async #parseInput() {
    const text = this.#input.value.trim();
    const before = this.#match.moves.join();
    const ply = this.#match.moves.length;
    const legal = await this.#findLegalMoves();
    const named = legal.find(move => this.#names.text(ply, move) === text);
    const move = named ?? parseMove(this.#module, text);
    if (!this.canMove(this.#match) || this.#match.moves.join() !== before) {
      throw new Error("It is not your turn.");
    }
    if (legal.includes(move)) return move;
    throw new Error(this.#illegalText(move));
  }

  /** Return the legal moves: without a module, only the arena knows the rules. */
  async #findLegalMoves() {
    const { facts, moves } = this.#match;
    const { game, setup } = facts;
    if (this.#module) return this.#module.legalMoves(setup, moves);
    const asked = [...moves];
    const position = await this.#connection.ask("find_position", { game, setup, moves: asked });
    this.#names.learn(asked, asked.length, position);
    return position.legal_moves;
  }

  async #askHint() {
    const { facts, moves } = this.#match;
    const key = moves.join();
    const question = { game: facts.game, setup: facts.setup, moves };
    this.#state.say("Searching for a hint…");
    try {
      let analysis = await this.#connection.ask("analyse", { ...question, depth: HINT_DEPTH });
      // Without an evaluation, only a search to the end of the game may find a move.
      if (analysis.search_error && !analysis.winning_moves?.length) {
        analysis = await this.#connection.ask("analyse", { ...question, depth: 0 });
      }
      this.#showHint(key, analysis);
    } catch (error) {
      this.#state.say(/** @type {Error} */ (error).message, true);
    }
  }

  /**
   * @param {string} key the position of the hint
   * @param {Analysis} analysis
   */
  #showHint(key, { winning_moves: winning, search, search_error: error }) {
    if (!this.canMove(this.#match) || this.#match.moves.join() !== key) {
      return; // the answer is late
    }
    const move = winning?.[0] ?? search?.move ?? null;
    if (move === null) {
      const lost = winning && "No move wins against perfect play.";
      this.#state.say(lost ?? `There is no hint: ${error}.`);
      return;
    }
    this.#hint = { key, move };
    const name = this.#names.text(this.#match.moves.length, move);
    if (winning?.length) this.#state.say(`${name} wins with perfect play.`);
    else if (winning) this.#state.say(`No move wins against perfect play. Try ${name}.`);
    else this.#state.say(`Best move found: ${name}.`);
    this.#onChange();
  }

  #requestTakeback() {
    this.#state.say("Takeback requested…");
    player.takeBack(this.#id);
  }

  /** @param {boolean} isAccepted */
  #answerTakeback(isAccepted) {
    player.takeBack(this.#id, isAccepted);
    this.update(this.#match);
  }

  #doResign() {
    this.#asked.close();
    player.resign(this.#id);
  }

  /**
   * Show that the opponent asks for a rematch.
   * @param {{ challenge: string, player: string }} event
   */
  #receiveChallenge({ challenge, player: name }) {
    if (name !== this.#match.playerName(this.#side === 1 ? 2 : 1)) return;
    const games = this.#connection.arena?.games.map(known => known.name) ?? [];
    const accept = () => player.accept(player.name, games, challenge);
    this.#rematchRequest.hidden = false;
    this.#rematchRequest.replaceChildren(
      isolated(name),
      " asks for a rematch. ",
      button("Accept", accept),
    );
  }

  /** Challenge the opponent again with the sides swapped. */
  #playAgain() {
    const { game, setup, control } = this.#match.facts;
    const { arena } = this.#connection;
    const side = this.#side === 1 ? 2 : 1;
    const opponent = this.#match.playerName(side);
    const name = this.#match.playerName(this.#side);
    const games = arena?.games.map(known => known.name) ?? [];
    this.#rematch.disabled = true;
    if (!arena?.offers[opponent]) this.#state.say("Rematch requested…");
    player.challenge(name, games, {
      ...{ game, setup, you: side, opponent, time: control.text },
      hints: this.#match.facts.hints ?? false,
    });
  }
}

/**
 * @param {string} text
 * @param {() => void} onclick
 * @param {string | null} [className]
 */
function button(text, onclick, className = null) {
  return h("button", { type: "button", class: className, onclick }, text);
}
