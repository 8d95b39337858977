// The connection to the arena for those who watch: it comes back by itself, and asks questions.

const OVER = 1000; // the code with which an arena closes that has nothing more to tell
const FIRST_DELAY = 250, LAST_DELAY = 5000; // milliseconds between attempts to connect
const SLEPT = 30_000; // milliseconds out of sight after which a connection is tried

/**
 * Tells what the arena says as events named by the type of the message, with the message as
 * `detail`, and as "status" whether it is connected, and if not whether the arena has come to its end.
 * After a break it says again what is followed, and the arena tells all of it anew.
 */
export class Socket extends EventTarget {
  #url;
  #socket = null;
  #delay = FIRST_DELAY;
  #followed; // a match's id, null for the lobby, undefined for nothing
  #requests = new Map();
  #number = 0;
  #hiddenAt = 0;
  about = null;
  isConnected = false;

  constructor(url) {
    super();
    this.#url = url;
    addEventListener("online", () => this.#connect());
    document.addEventListener("visibilitychange", () => this.#wake());
    this.#connect();
  }

  /** Follow a match by its id, or the lobby (null). */
  watch(match) {
    this.#followed = match;
    if (this.isConnected) this.#send({ type: "watch", match });
  }

  /** The answer to a question. Rejects with an Error that says why there is none. */
  ask(question) {
    return new Promise((resolve, reject) => {
      if (!this.isConnected) {
        reject(new Error("The arena cannot be reached."));
        return;
      }
      const request = ++this.#number;
      this.#requests.set(request, { resolve, reject });
      this.#send({ ...question, request });
    });
  }

  /** A phone that has slept may hold a connection that is dead, and find out only when it speaks. */
  #wake() {
    if (document.hidden) this.#hiddenAt = performance.now();
    else if (!this.#socket) this.#connect();
    else if (this.isConnected && this.#followed !== undefined && performance.now() - this.#hiddenAt > SLEPT) this.watch(this.#followed);
  }

  #send(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    if (this.#socket) return;
    clearTimeout(this.timer);
    const socket = this.#socket = new WebSocket(this.#url);
    socket.onmessage = event => this.#hear(JSON.parse(event.data));
    socket.onclose = ({ code }) => this.#lost(code === OVER);
  }

  #hear(message) {
    if (message.type === "about") {
      this.#delay = FIRST_DELAY;
      this.isConnected = true;
      this.about = message;
      this.#tell("about", message);
      this.#tell("status", { isConnected: true, isOver: false });
      if (this.#followed !== undefined) this.watch(this.#followed);
      return;
    }
    const question = this.#requests.get(message.request);
    if (question) {
      this.#requests.delete(message.request);
      if (message.type === "error") question.reject(new Error(message.message));
      else question.resolve(message);
      return;
    }
    this.#tell(message.type, message);
  }

  #lost(isOver) {
    this.#socket = null;
    const wasConnected = this.isConnected;
    this.isConnected = false;
    for (const { reject } of this.#requests.values()) reject(new Error("The connection was lost."));
    this.#requests.clear();
    if (wasConnected) this.#tell("status", { isConnected: false, isOver });
    this.timer = setTimeout(() => this.#connect(), this.#delay * (0.75 + Math.random() / 2));
    this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
