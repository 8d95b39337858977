// The connection of a spectator.
import { Emitter } from "./events.js";

/** @import { ArenaInfo, Questions, SpectatorEvents } from "./types.js" */

const ARENA_CLOSED = 1000; // close code of an arena that stops
const FIRST_DELAY = 250; // milliseconds between attempts to connect
const LAST_DELAY = 5000;
const FIRST_RETRY = 400; // milliseconds before a question is asked again, on average
const LAST_RETRY = 3000;
const PATIENCE = 3000; // milliseconds of retries before it is mentioned
const SLEEP = 30_000; // milliseconds in the background after which a connection is tested

/**
 * A WebSocket that reconnects, watches the lobby or a match, and answers requests.
 *
 * Emits each message under its type, "status" when the connection is made or lost, and "waiting"
 * when a busy arena lets the person wait for an answer, or no longer. After a reconnection it watches the same thing again, and the arena sends its whole state anew.
 * @extends {Emitter<SpectatorEvents>}
 */
export class SpectatorConnection extends Emitter {
  /** @type {WebSocket | null} */
  #socket = null;
  #url;
  #delay = FIRST_DELAY;
  /** @type {number | undefined} */
  #timer;
  /**
   * A match's id, null for the lobby, undefined before the first `watch`.
   * @type {number | null | undefined}
   */
  #watched;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  #requests = new Map();
  #lastRequest = 0;
  #waiting = 0; // questions that a busy arena has not answered for long
  #hiddenAt = 0;
  /** @type {ArenaInfo | null} */
  arena = null;
  isConnected = false;

  /** @param {string} url */
  constructor(url) {
    super();
    this.#url = url;
    addEventListener("online", () => this.#connect());
    document.addEventListener("visibilitychange", () => this.#changeVisibility());
    this.#connect();
  }

  /**
   * Watch a match, or the lobby if it is null.
   * @param {number | null} match
   */
  watch(match) {
    this.#watched = match;
    if (this.isConnected) this.#send({ type: "watch", match });
  }

  /**
   * Send a question, again as long as the arena is busy, and return its answer. Rejects with the
   * error that the arena reports, whose code is the cause.
   * @template {keyof Questions} T
   * @param {T} type
   * @param {Questions[T]["question"]} question
   * @returns {Promise<Questions[T]["answer"]>}
   */
  async ask(type, question) {
    const waiting = new AbortController();
    try {
      for (let delay = FIRST_RETRY; ; delay = Math.min(2 * delay, LAST_RETRY)) {
        try {
          return await this.#askOnce(type, question);
        } catch (error) {
          if (/** @type {Error} */ (error).cause !== "busy") throw error;
        }
        if (delay === FIRST_RETRY) this.#mentionWaiting(waiting.signal);
        await new Promise(resolve => setTimeout(resolve, jittered(delay)));
      }
    } finally {
      waiting.abort();
    }
  }

  /**
   * Emit that an answer is waited for once that takes long, until the signal aborts.
   * @param {AbortSignal} signal
   */
  #mentionWaiting(signal) {
    const timer = setTimeout(() => {
      this.#countWaiting(1);
      signal.addEventListener("abort", () => this.#countWaiting(-1));
    }, PATIENCE);
    signal.addEventListener("abort", () => clearTimeout(timer));
  }

  /** @param {1 | -1} change */
  #countWaiting(change) {
    this.#waiting += change;
    this.emit("waiting", { isWaiting: this.#waiting > 0 });
  }

  /**
   * @template {keyof Questions} T
   * @param {T} type
   * @param {Questions[T]["question"]} question
   * @returns {Promise<Questions[T]["answer"]>}
   */
  #askOnce(type, question) {
    return new Promise((resolve, reject) => {
      if (!this.isConnected) {
        reject(new Error("Not connected to the arena."));
        return;
      }
      this.#lastRequest++;
      this.#requests.set(this.#lastRequest, { resolve, reject });
      this.#send({ type, ...question, request: this.#lastRequest });
    });
  }

  /** Test the connection of a phone that was asleep: it may be dead without an event. */
  #changeVisibility() {
    if (document.hidden) this.#hiddenAt = performance.now();
    else if (!this.#socket) this.#connect();
    else if (this.isConnected && performance.now() - this.#hiddenAt > SLEEP) this.#resume();
  }

  #resume() {
    if (this.#watched !== undefined) this.watch(this.#watched);
  }

  /** @param {object} message */
  #send(message) {
    this.#socket?.send(JSON.stringify(message));
  }

  #connect() {
    if (this.#socket) return;
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#url);
    socket.onmessage = event => this.#receive(JSON.parse(event.data));
    socket.onclose = ({ code }) => this.#handleClose(code === ARENA_CLOSED);
    this.#socket = socket;
  }

  /** @param {any} message */
  #receive(message) {
    const request = this.#requests.get(message.request);
    if (message.type === "about") this.#open(message);
    else if (!request) this.emit(message.type, message);
    else {
      this.#requests.delete(message.request);
      if (message.type === "error") {
        request.reject(new Error(message.message, { cause: message.code }));
      } else request.resolve(message);
    }
  }

  /** @param {ArenaInfo} arena */
  #open(arena) {
    this.#delay = FIRST_DELAY;
    this.isConnected = true;
    this.arena = arena;
    this.emit("about", arena);
    this.emit("status", { isConnected: true, isClosed: false });
    this.#resume();
  }

  /** @param {boolean} isClosed whether the arena has stopped */
  #handleClose(isClosed) {
    this.#socket = null;
    const wasConnected = this.isConnected;
    this.isConnected = false;
    for (const { reject } of this.#requests.values()) reject(new Error("Connection lost."));
    this.#requests.clear();
    if (wasConnected) this.emit("status", { isConnected: false, isClosed });
    this.#timer = setTimeout(() => this.#connect(), jittered(this.#delay));
    this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
  }
}

/**
 * Vary a delay: all pages that wait for the same arena shall not return at once.
 * @param {number} milliseconds
 */
const jittered = milliseconds => milliseconds * (0.75 + Math.random() / 2);
