// The connection of a person who plays: an ordinary player to the arena, by the protocol of bots.
import { socketAddress } from "/dom.js";
import { keep, kept, TAB } from "/storage.js";

const FIRST_DELAY = 250, LAST_DELAY = 5000; // milliseconds between attempts to connect
const STORED = "seat"; // in the storage of this tab: a reload takes the seat again

/**
 * Tells what the arena says as events named by the type of the message, with the message as
 * `detail`, and as "refused" why it does not let the player in. It is connected from the first wish
 * to play on, as long as there is a match or a challenge to come back to.
 */
class Seat extends EventTarget {
  #socket = null;
  #isIn = false;
  #delay = FIRST_DELAY;
  #waiting = []; // messages to be sent once the arena has let the player in
  #session = null;
  #games = [];
  name = "";
  matches = new Map(); // id -> which player the person is, 1 or 2
  asked = new Set(); // ids of matches in which the opponent wants its last move back

  constructor() {
    super();
    const { name = "", session = null, games = [], matches = [] } = this.#stored();
    Object.assign(this, { name, matches: new Map(matches) });
    this.#session = session;
    this.#games = games;
    if (this.matches.size) this.#connect();
  }

  /** Which player the person is in a match, 1 or 2; null if none. */
  playerIn(match) {
    return this.matches.get(match) ?? null;
  }

  /** Ask for a match, under a name; `games` are the names of those that can be played here. */
  challenge(name, games, challenge) {
    this.#enter(name, games);
    this.#say({ type: "challenge", ...challenge });
  }

  /** Take up somebody's challenge. */
  accept(name, games, challenge) {
    this.#enter(name, games);
    this.#say({ type: "accept", challenge });
  }

  move(match, ply, move) {
    this.#say({ type: "move", match: String(match), ply, move });
  }

  resign(match) {
    this.#say({ type: "resign", match: String(match) });
  }

  /** Want the last move back, or let the opponent have its own. */
  takeBack(match) {
    this.asked.delete(match);
    this.#say({ type: "take_back", match: String(match) });
  }

  /** Leave: an open challenge goes with it. Matches are given up by `resign`. */
  leave() {
    this.matches.clear();
    this.#waiting = [];
    this.#session = null;
    this.#keep();
    this.#socket?.close();
  }

  #enter(name, games) {
    this.#games = games;
    if (name === this.name && this.#socket) return;
    if (this.#socket) this.#drop();
    this.name = name;
    this.#session = null;
    this.#connect();
  }

  #drop() {
    this.#socket.onclose = this.#socket.onmessage = null;
    this.#socket.close();
    this.#socket = null;
    this.#isIn = false;
  }

  #say(message) {
    if (this.#isIn) this.#socket.send(JSON.stringify(message));
    else this.#waiting.push(message);
  }

  #connect() {
    const socket = this.#socket = new WebSocket(socketAddress("/play"));
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: 1, name: this.name, games: this.#games, matches: 10, session: this.#session, casual: true }));
    socket.onmessage = event => this.#hear(JSON.parse(event.data));
    socket.onclose = event => this.#lost(event);
  }

  #hear(message) {
    const match = Number(message.match);
    if (message.type === "welcome") this.#let(message);
    if (message.type === "started") this.matches.set(match, message.you);
    if (message.type === "finished" || message.code === "unknown_match") this.matches.delete(match);
    if (message.type === "take_back_asked") this.asked.add(match);
    if (message.type === "turn") this.asked.delete(match);
    if (["welcome", "started", "finished", "error"].includes(message.type)) this.#keep();
    this.#tell(message.type, message);
  }

  #let({ session }) {
    this.#session = session;
    this.#isIn = true;
    this.#delay = FIRST_DELAY;
    for (const message of this.#waiting.splice(0)) this.#say(message);
  }

  #lost({ code, reason }) {
    const wasIn = this.#isIn;
    this.#socket = null;
    this.#isIn = false;
    if (code === 1008 && !wasIn) {
      this.matches.clear();
      this.#waiting = [];
      this.#keep();
      this.#tell("refused", { reason });
    } else if (this.matches.size || this.#waiting.length) {
      setTimeout(() => this.#socket || this.#connect(), this.#delay);
      this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
    } else if (wasIn) this.#tell("left", {});
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #stored() {
    try {
      return JSON.parse(kept(STORED, TAB)) ?? {};
    } catch {
      return {}; // another program has been at this address before
    }
  }

  #keep() {
    keep(STORED, JSON.stringify({ name: this.name, session: this.#session, games: this.#games, matches: [...this.matches] }), TAB);
  }
}

export const seat = new Seat();
