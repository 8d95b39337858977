// The connection of a person who plays, by the protocol of bots.
import { webSocketUrl } from "../dom.js";
import { Emitter } from "../emitter.js";
import { load, save, TAB } from "../storage.js";

/** @import { Challenge, Player, PlayerEvents } from "../types.js" */

const FIRST_DELAY = 250; // milliseconds between attempts to connect
const LAST_DELAY = 5000;
const REJECTED = 1008; // close code of a connection that is not admitted
const STORED = "player"; // in the storage of this tab: a reload continues the session

/**
 * A WebSocket that plays matches under a name.
 *
 * Emits each message under its type, "rejected" if the arena does not admit the player, and
 * "disconnected" when a connection without matches is lost. It connects with the first challenge
 * and reconnects as long as there is a match or an unsent message.
 * @extends {Emitter<PlayerEvents>}
 */
class PlayerConnection extends Emitter {
  /** @type {WebSocket | null} */
  #socket = null;
  #isAdmitted = false;
  #delay = FIRST_DELAY;
  /** @type {object[]} messages to send once the arena has admitted the player */
  #queue = [];
  /** @type {string | null} */
  #session = null;
  /** @type {string[]} */
  #games = [];
  name = "";
  /** @type {Map<number, Player>} the matches being played, with the person's side */
  matches = new Map();
  /** @type {Set<number>} matches in which the person is to move */
  turns = new Set();
  /** @type {Set<number>} matches in which the opponent requests a takeback */
  takebackRequests = new Set();
  /**
   * Matches whose opponent is disconnected: when a result can be claimed, and when the match ends,
   * by performance.now().
   * @type {Map<number, { claimAt: number, endAt: number }>}
   */
  absences = new Map();

  constructor() {
    super();
    const { name = "", session = null, games = [], matches = [] } = this.#restore();
    this.name = name;
    this.matches = new Map(matches);
    this.#session = session;
    this.#games = games;
  }

  /** Return to the matches that this tab has played before; once, on the arena's own page. */
  resume() {
    if (this.matches.size) this.#connect();
  }

  /**
   * Return the side of the person in a match, null if it is another's match.
   * @param {number} match
   */
  sideIn(match) {
    return this.matches.get(match) ?? null;
  }

  /**
   * Challenge a bot or, without an opponent, the first player who accepts.
   * @param {string} name
   * @param {string[]} games the games that the person can play
   * @param {Challenge} challenge
   */
  challenge(name, games, challenge) {
    this.#join(name, games);
    this.#send({ type: "challenge", ...challenge });
  }

  /**
   * Accept a challenge.
   * @param {string} name
   * @param {string[]} games
   * @param {string} challenge
   */
  accept(name, games, challenge) {
    this.#join(name, games);
    this.#send({ type: "accept", challenge });
  }

  /**
   * @param {number} match
   * @param {number} ply
   * @param {number} move
   */
  move(match, ply, move) {
    this.turns.delete(match);
    this.#send({ type: "move", match: String(match), ply, move });
  }

  /** @param {number} match */
  resign(match) {
    this.#send({ type: "resign", match: String(match) });
  }

  /**
   * Request a takeback, or accept that of the opponent.
   * @param {number} match
   */
  takeBack(match) {
    this.takebackRequests.delete(match);
    this.#send({ type: "take_back", match: String(match) });
  }

  /**
   * End a match whose opponent has left: with a win, or without a winner.
   * @param {number} match
   * @param {"win" | "none"} result
   */
  claim(match, result) {
    this.#send({ type: "claim", match: String(match), result });
  }

  /** Disconnect, which withdraws an open challenge. */
  leave() {
    this.matches.clear();
    this.#queue = [];
    this.#session = null;
    this.#store();
    this.#socket?.close();
  }

  /**
   * Connect, or reconnect if the name is another.
   * @param {string} name
   * @param {string[]} games
   */
  #join(name, games) {
    this.#games = games;
    if (name === this.name && this.#socket) return;
    this.#drop();
    this.name = name;
    this.#session = null;
    this.#connect();
  }

  #drop() {
    if (!this.#socket) return;
    this.#socket.onclose = null;
    this.#socket.onmessage = null;
    this.#socket.close();
    this.#socket = null;
    this.#isAdmitted = false;
  }

  /** @param {object} message */
  #send(message) {
    if (this.#isAdmitted) this.#socket?.send(JSON.stringify(message));
    else this.#queue.push(message);
  }

  #connect() {
    const socket = new WebSocket(webSocketUrl("/play"));
    socket.onopen = () => socket.send(JSON.stringify(this.#hello));
    socket.onmessage = event => this.#receive(JSON.parse(event.data));
    socket.onclose = event => this.#handleClose(event);
    this.#socket = socket;
  }

  get #hello() {
    return {
      type: "hello",
      protocol: 1,
      name: this.name,
      games: this.#games,
      matches: 10,
      session: this.#session,
      casual: true,
    };
  }

  /** @param {any} message */
  #receive(message) {
    const match = Number(message.match);
    if (message.type === "welcome") this.#admit(message.session);
    if (message.type === "started") this.matches.set(match, message.you);
    if (message.type === "finished" || message.code === "unknown_match") this.matches.delete(match);
    if (message.type === "take_back_asked") this.takebackRequests.add(match);
    if (message.type === "turn") {
      this.turns.add(match);
      this.takebackRequests.delete(match);
    }
    this.#receiveAbsence(message, match);
    if (["welcome", "started", "finished", "error"].includes(message.type)) this.#store();
    this.emit(message.type, message);
  }

  /**
   * @param {any} message
   * @param {number} match
   */
  #receiveAbsence({ type, claim_ms, grace_ms }, match) {
    const now = performance.now();
    if (type === "opponent_left") {
      this.absences.set(match, { claimAt: now + claim_ms, endAt: now + grace_ms });
    }
    if (type === "opponent_back" || type === "finished") this.absences.delete(match);
  }

  /**
   * Begin to send; another session is that of an arena that has forgotten all matches.
   * @param {string} session
   */
  #admit(session) {
    if (this.#session !== null && this.#session !== session) this.matches.clear();
    this.absences.clear();
    this.turns.clear();
    this.#session = session;
    this.#isAdmitted = true;
    this.#delay = FIRST_DELAY;
    for (const message of this.#queue.splice(0)) this.#send(message);
  }

  /** @param {CloseEvent} event */
  #handleClose({ code, reason }) {
    const wasAdmitted = this.#isAdmitted;
    this.#socket = null;
    this.#isAdmitted = false;
    if (code === REJECTED && !wasAdmitted) {
      this.matches.clear();
      this.#queue = [];
      this.#store();
      this.emit("rejected", { reason });
    } else if (this.matches.size || this.#queue.length) {
      setTimeout(() => this.#socket || this.#connect(), this.#delay);
      this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
    } else if (wasAdmitted) this.emit("disconnected", {});
  }

  #restore() {
    try {
      return JSON.parse(load(STORED, TAB) ?? "{}");
    } catch {
      return {}; // another program has used this address before
    }
  }

  #store() {
    const state = {
      name: this.name,
      session: this.#session,
      games: this.#games,
      matches: [...this.matches],
    };
    save(STORED, JSON.stringify(state), TAB);
  }
}

export const player = new PlayerConnection();
