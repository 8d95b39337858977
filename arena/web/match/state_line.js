// The line over the board: what it says, and the own mistake to which it leads.

import { moveText } from "../boards/game_modules.js";
import { h, isolated, setText } from "../dom.js";
import { isDraw } from "../format.js";
import { player as person } from "../play/player_connection.js";
import { clockText, controlOf, isUntimed } from "./match_state.js";

/** @import { MatchState } from "./match_state.js" */
/** @import { GameModule, Player, Child, MatchResult } from "../types.js" */
/** @import { MoveNames } from "../boards/create_board.js" */

const SECOND = 1000; // milliseconds between updates of how long the opponent takes

/**
 * One line: whose turn it is or how the match has ended, then what can be done about it.
 *
 * A message takes the place of the state until the position changes.
 */
export class StateLine {
  #side;
  #module;
  /** @type {MatchState | null} */
  #match = null;
  #message = "";
  #position = ""; // in which the message was said
  #words = h("span");
  #clock = h("span", { "aria-hidden": "true" }); // or it would be announced each second
  #text = h("p", { role: "status" }, this.#words, this.#clock);
  actions = h("span", { class: "buttons" });

  /**
   * @param {Player | null} side
   * @param {GameModule | null} module
   * @param {AbortSignal} signal
   */
  constructor(side, module, signal) {
    this.#side = side;
    this.#module = module;
    this.element = h("div", { class: "state-line" }, this.#text, this.actions);
    const timer = side && setInterval(() => this.#show(), SECOND);
    signal.addEventListener("abort", () => clearInterval(timer ?? undefined));
  }

  /** What the line says, without the clock. */
  get words() {
    return this.#words.textContent;
  }

  /** @param {MatchState} match */
  update(match) {
    this.#match = match;
    if (positionOf(match) !== this.#position) this.#message = "";
    this.#show();
  }

  /**
   * Say something about the position, or nothing any more.
   * @param {string} message
   */
  say(message, isProblem = false) {
    this.#message = message;
    this.#position = this.#match ? positionOf(this.#match) : "";
    this.#text.classList.toggle("problem", isProblem && message !== "");
    this.#show();
  }

  #show() {
    const match = this.#match;
    if (!match) return;
    const isOwn = match.isLive && match.playerToMove() === this.#side;
    const { classList } = this.element;
    classList.toggle("is-live", match.isLive);
    classList.toggle("own", isOwn);
    classList.toggle("won", Boolean(match.result?.winner) && match.result?.winner === this.#side);
    setText(this.#clock, this.#message ? "" : thinkingText(match, this.#side));
    if (this.#message) {
      setText(this.#words, this.#message);
      return;
    }
    this.#text.classList.remove("problem");
    const parts = h("p", {}, stateText(match, this.#side, this.#module));
    // The same text is not announced again.
    if (this.#words.textContent !== parts.textContent) {
      this.#words.replaceChildren(...parts.childNodes);
    }
  }
}

/** @param {MatchState} match */
const positionOf = match => `${match.isLive} ${match.moves}`;

// Whose turn it is and how the match has ended, in words for its players and for spectators

const PATIENCE = 5000; // milliseconds of a turn before the clock of the opponent is mentioned

/**
 * "Your move: a factor or a multiple of 9", "greedy is thinking", "You lost: ...", "ann won: ...".
 * @param {MatchState} match
 * @param {Player | null} side that of the person who plays, null for a spectator
 * @param {GameModule | null} module
 * @returns {Child[]}
 */
export function stateText(match, side, module) {
  const { result, problem } = match;
  if (result) return endingText(match, result, side, module);
  if (problem !== null) return [problem];
  const player = match.playerToMove();
  if (player === side) {
    const rule = module?.describeTurn?.(match.facts.setup, match.moves);
    return [rule ? `Your move: ${rule}` : "Your move"];
  }
  const name = isolated(match.playerName(player));
  if (side && person.absences.has(match.facts.match)) return [name, " is away"];
  return [name, " is thinking"];
}

/**
 * Tell a player how long the opponent may think on; nothing early in a turn.
 * @param {MatchState} match
 * @param {Player | null} side that of the person who plays, null for a spectator
 */
export function thinkingText(match, side) {
  const { result, problem, turnStartedAt } = match;
  const player = match.playerToMove();
  const isThinking = side && player !== side && !result && problem === null;
  if (!isThinking || person.absences.has(match.facts.match)) return "";
  if (isUntimed(controlOf(match.facts, player))) return "";
  if (turnStartedAt === null || performance.now() - turnStartedAt < PATIENCE) return "";
  return `: the clock decides in ${clockText(match.remainingMs(player))}`;
}

/**
 * @param {MatchState} match
 * @param {MatchResult} result
 * @param {Player | null} side
 * @param {GameModule | null} module
 * @returns {Child[]}
 */
function endingText(match, result, side, module) {
  const { winner, termination, reason } = result;
  if (!winner) return [isDraw(result) ? "Draw" : "No winner", ": ", isolated(reason)];
  const own = winner === side ? "You won" : "You lost";
  const head = side ? [own] : [isolated(match.playerName(winner)), " won"];
  const rule = termination === "no_legal_move" && module?.describeEnd;
  const kept = side ? keptText(match, side, module) : "";
  if (rule) return [...head, `: ${rule(match.facts.setup, match.moves)}${kept}`];
  return [...head, ": ", ...cause(match, reason, side), kept];
}

/**
 * Say, in a match that was played on from a position, whether its win was kept.
 * @param {MatchState} match
 * @param {Player} side
 * @param {GameModule | null} module
 */
function keptText(match, side, module) {
  const { opening } = match.facts;
  const { winners } = match;
  if (!opening || !winners || winners.length <= opening) return "";
  if (winners[opening] !== side) {
    return match.result?.winner === side ? ". You won a lost position" : ". The position was lost";
  }
  const lost = match.blunders.find(ply => match.playerToMove(ply) === side);
  if (lost === undefined) return ". You kept the win";
  return `. ${moveText(module, match.moves[lost])} gave the win away`;
}

/**
 * A reason such as "player 2 (bob) resigned", with the names that a person knows: "you resigned".
 * @param {MatchState} match
 * @param {string} reason
 * @param {Player | null} side
 * @returns {Child[]}
 */
function cause(match, reason, side) {
  const player = reason.startsWith("player 1 (") ? 1 : 2;
  const name = match.playerName(player);
  const start = `player ${player} (${name}) `;
  if (!reason.startsWith(start)) return [isolated(reason)];
  const text = reason.slice(start.length);
  if (player === side)
    return ["you ", isolated(text.replace(/^was /, "were ").replace(/^has /, "have "))];
  return [isolated(name), " ", isolated(text)];
}

// The first blunder of the person who has played

const FEW = 3; // better moves that are named

/** A button that leads to the position before the blunder, and the text about it. */
export class OwnMistake {
  #side;
  #onShow;
  /** @type {number | null} its ply */
  #ply = null;
  #isShown = false;
  element = h("button", { type: "button", hidden: true, onclick: () => this.#show() });

  /**
   * @param {Player | null} side
   * @param {(ply: number) => void} onShow called with the position to show
   */
  constructor(side, onShow) {
    this.#side = side;
    this.#onShow = onShow;
    this.element.textContent = "Show my mistake";
  }

  #show() {
    this.#isShown = true;
    if (this.#ply !== null) this.#onShow(this.#ply);
  }

  /** @param {MatchState} match */
  update(match) {
    const own = match.blunders.filter(ply => match.playerToMove(ply) === this.#side);
    this.#ply = match.isOver ? (own[0] ?? null) : null;
    this.element.hidden = this.#ply === null;
  }

  /**
   * Say what would have been better, empty where the mistake is not shown.
   * @param {MatchState} match
   * @param {number} ply the position shown
   * @param {number[]} winning the moves that win there, none until they are known
   * @param {MoveNames} names
   */
  text(match, ply, winning, names) {
    if (!this.#isShown || ply !== this.#ply || !winning.length) return "";
    const better = winning.map(move => names.text(ply, move));
    const list = winning.length > FEW ? "Each ★" : better.join(" or ");
    return `Your mistake was ${names.text(ply, match.moves[ply])}. ${list} would have won.`;
  }
}
