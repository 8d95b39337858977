// The connection of a person who plays, by the protocol of bots.
import { webSocketUrl } from "../dom.js";
import { Emitter } from "../events.js";
import { load, save, TAB } from "../storage.js";

/** @import { Challenge, Player, PlayerEvents } from "../types.js" */

const FIRST_DELAY = 250; // milliseconds between attempts to connect
const LAST_DELAY = 5000;
const REJECTED = 1008; // close code of a connection that is not admitted
const STORED = "player"; // in the storage: another tab, or a reload, continues the session
const CONFIRMATION = 2000; // milliseconds after a welcome in which each running match is started

/**
 * A WebSocket that plays matches under a name.
 *
 * Emits each message under its type, "started" only for a new match, "rejected" if the arena does
 * not admit the player, and "disconnected" when a connection without matches is lost. It connects
 * with the first challenge and reconnects as long as there is a match, an open challenge or an unsent
 * message.
 *
 * All tabs of a browser know the latest session, and one of them plays. "replaced" is emitted when
 * another one has taken over, "known" when it is known from elsewhere which matches go on.
 * @extends {Emitter<PlayerEvents>}
 */
export class PlayerConnection extends Emitter {
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
  /** @type {string | null} the open challenge of this person, or the one that was accepted */
  #challenge = null;
  /** @type {[challenge: string, match: number] | null} the latest match that a link has led to */
  #invitation = null;
  #tab = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  /** @type {Set<number>} known matches of which the arena has not said that they go on */
  #unconfirmed = new Set();
  /** @type {number | undefined} */
  #confirmation;

  constructor() {
    super();
    const [latest, own] = [stored(), stored(TAB)];
    // Two people may play each other in two tabs of a browser.
    this.#restore(own.matches?.length && own.name !== latest.name ? own : latest);
  }

  /** Return to the matches, unless another tab plays them; once, on the arena's own page. */
  resume() {
    addEventListener("storage", ({ key }) => key === STORED && this.#follow());
    addEventListener("pagehide", () => this.#isPlaying && this.#store(null));
    if (this.matches.size && this.#isPlaying) this.#connect();
  }

  /** Play the matches in this tab, from now on. */
  takeOver() {
    if (!this.#socket) this.#connect();
  }

  /** Whether no other tab plays under this name. */
  get #isPlaying() {
    const { name, tab } = stored();
    return name !== this.name || !tab || tab === this.#tab;
  }

  /** Know what the tab that plays has stored. */
  #follow() {
    const { name } = stored();
    if (this.#socket || (this.matches.size && name !== this.name)) return;
    this.#restore(stored());
    this.emit("known", {});
  }

  /**
   * Return the side of the person in a match, null if it is another's match.
   * @param {number} match
   */
  sideIn(match) {
    return this.matches.get(match) ?? null;
  }

  /**
   * Return the match of this person that a challenge has led to, null if there is none.
   * @param {string} challenge
   */
  matchOf(challenge) {
    return this.#invitation?.[0] === challenge ? this.#invitation[1] : null;
  }

  /** Whether another tab plays the matches of this person. */
  get isElsewhere() {
    return !this.#socket && this.matches.size > 0 && !this.#isPlaying;
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
    this.#challenge = challenge;
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
   * Request a takeback, or answer that of the opponent.
   * @param {number} match
   */
  takeBack(match, accept = true) {
    this.takebackRequests.delete(match);
    this.#send({ type: "take_back", match: String(match), accept });
  }

  /**
   * End a match whose opponent has left: with a win, or without a winner.
   * @param {number} match
   * @param {"win" | "none"} result
   */
  claim(match, result) {
    this.#send({ type: "claim", match: String(match), result });
  }

  /** Disconnect, which withdraws an open challenge; another tab that plays goes on. */
  leave() {
    if (!this.#isPlaying) return;
    this.matches.clear();
    this.#queue = [];
    this.#challenge = null;
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
    if (name !== this.name) this.#session = null;
    this.name = name;
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
    this.#store();
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
    const isKnown = this.matches.has(match);
    if (message.type === "welcome") this.#admit(message.session);
    if (message.type === "started") this.#start(match, message.you);
    if (message.type === "finished" || message.code === "unknown_match") this.matches.delete(match);
    if (message.type === "take_back_asked") this.takebackRequests.add(match);
    if (message.type === "turn") {
      this.turns.add(match);
      this.takebackRequests.delete(match);
    }
    this.#receiveAbsence(message, match);
    if (message.type === "challenged") this.#challenge = message.challenge;
    if (message.type === "error" && message.match === null) this.#challenge = null;
    const isStored = ["welcome", "started", "finished", "error"].includes(message.type);
    if (isStored && this.#isPlaying) this.#store();
    if (message.type !== "started" || !isKnown) this.emit(message.type, message);
  }

  /**
   * @param {number} match
   * @param {Player} side
   */
  #start(match, side) {
    const isNew = !this.matches.has(match);
    if (isNew && this.#challenge) this.#invitation = [this.#challenge, match];
    if (isNew) this.#challenge = null;
    this.matches.set(match, side);
    this.#unconfirmed.delete(match);
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
   * Begin to send; another session is that of an arena that has forgotten all matches. Each match
   * that goes on is started again, the others have ended meanwhile.
   * @param {string} session
   */
  #admit(session) {
    if (this.#session !== null && this.#session !== session) this.matches.clear();
    this.#unconfirmed = new Set(this.matches.keys());
    clearTimeout(this.#confirmation);
    this.#confirmation = setTimeout(() => this.#forgetEnded(), CONFIRMATION);
    this.absences.clear();
    this.turns.clear();
    this.#session = session;
    this.#isAdmitted = true;
    this.#delay = FIRST_DELAY;
    for (const message of this.#queue.splice(0)) this.#send(message);
  }

  #forgetEnded() {
    if (!this.#unconfirmed.size || !this.#isAdmitted) return;
    for (const match of this.#unconfirmed) this.matches.delete(match);
    this.#store();
    this.emit("known", {});
  }

  /** @param {CloseEvent} event */
  #handleClose({ code, reason }) {
    const wasAdmitted = this.#isAdmitted;
    this.#socket = null;
    this.#isAdmitted = false;
    if (!this.#isPlaying) {
      this.#queue = [];
      this.turns.clear();
      this.emit("replaced", {});
    } else if (code === REJECTED && !wasAdmitted) {
      this.matches.clear();
      this.#queue = [];
      this.#store();
      this.emit("rejected", { reason });
    } else if (this.matches.size || this.#queue.length || this.#challenge !== null) {
      setTimeout(() => this.#socket || this.#connect(), this.#delay);
      this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
    } else if (wasAdmitted) this.emit("disconnected", {});
  }

  /** @param {Stored} state */
  #restore({ name = "", session = null, games = [], matches = [], invitation = null }) {
    this.#invitation = invitation;
    this.name = name;
    this.matches = new Map(matches);
    this.#session = session;
    this.#games = games;
  }

  #store(/** @type {string | null} */ tab = this.#tab) {
    const state = {
      name: this.name,
      session: this.#session,
      games: this.#games,
      matches: [...this.matches],
      invitation: this.#invitation,
      tab,
    };
    const text = JSON.stringify(state);
    save(STORED, text);
    save(STORED, text, TAB);
  }
}

/**
 * `tab` is the one that plays, null once it is closed.
 * @typedef {{
 *   name?: string,
 *   session?: string | null,
 *   games?: string[],
 *   matches?: [number, Player][],
 *   invitation?: [challenge: string, match: number] | null,
 *   tab?: string | null,
 * }} Stored
 */

/**
 * @param {import("../storage.js").Area} [area]
 * @returns {Stored}
 */
function stored(area) {
  try {
    return JSON.parse(load(STORED, area) ?? "{}");
  } catch {
    return {}; // another program has used this address before
  }
}

export const player = new PlayerConnection();
