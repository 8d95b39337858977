// Tests with a browser whose time, sockets and observers they control, and which is reset after each.
import { mock, test as nodeTest } from "node:test";
import "./page.js";
import { player } from "/play/player_connection.js";

const START = Date.UTC(2026, 0, 2, 12);
const FRAME = 16; // milliseconds

/** A WebSocket whose other end is the test. */
export class FakeSocket {
  /** @type {FakeSocket[]} those of this test */
  static all = [];
  sent = [];
  isClosed = false;

  constructor(url) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  static get latest() {
    return FakeSocket.all.at(-1);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
    queueMicrotask(() => this.lose(1005));
  }

  open() {
    this.onopen?.();
  }

  receive(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  lose(code = 1006, reason = "") {
    this.onclose?.({ code, reason });
  }

  /** Return the questions of a type that were sent. */
  questions(type) {
    return this.sent.filter(message => message.type === type);
  }

  /** Answer the last question of a type, or the one given, and wait until the page has dealt with it. */
  async answer(type, answer, question = this.questions(type).at(-1)) {
    this.receive({ type, ...answer, request: question.request });
    await settle();
  }

  /** Answer the last question of a type with an error. */
  fail(type, message, code = "failed") {
    return this.answer(type, { type: "error", message, code });
  }
}

/** An observer of visibility or sizes, which reports what the test says. */
class FakeObserver {
  observed = new Set();

  constructor(report) {
    this.report = report;
    observers.add(this);
  }

  observe(element) {
    this.observed.add(element);
  }

  unobserve(element) {
    this.observed.delete(element);
  }

  disconnect() {
    observers.delete(this);
  }
}
class FakeIntersectionObserver extends FakeObserver {}
class FakeResizeObserver extends FakeObserver {}

/** @type {Set<FakeObserver>} */
const observers = new Set();

/** Report an element as visible or not. */
export const setVisible = (element, isIntersecting = true) =>
  notify(FakeIntersectionObserver, { target: element, isIntersecting });

/** Give an element sizes such as clientWidth, for good: the DOM of the tests has no layout. */
export function setSizes(element, sizes) {
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(element, name, { value, configurable: true, writable: true });
  }
}

/** Give an element new sizes, of which its observers are told. */
export function resize(element, sizes = {}) {
  setSizes(element, sizes);
  notify(FakeResizeObserver, { target: element });
}

/** Whether an element is watched by any observer. */
export const isObserved = element => [...observers].some(({ observed }) => observed.has(element));

function notify(kind, entry) {
  for (const observer of observers) {
    if (observer instanceof kind && observer.observed.has(entry.target)) observer.report([entry]);
  }
}

const FAKES = {
  WebSocket: FakeSocket,
  IntersectionObserver: FakeIntersectionObserver,
  ResizeObserver: FakeResizeObserver,
  requestAnimationFrame: run => setTimeout(run, FRAME),
  cancelAnimationFrame: timer => clearTimeout(timer),
  // Those of happy-dom ignore signals: they and all views that ever listened to one would remain.
  matchMedia: media => Object.assign(new EventTarget(), { media, matches: false }),
};

// What the DOM of the tests lacks of a browser's.
if (!("rows" in HTMLTableSectionElement.prototype)) {
  Object.defineProperty(HTMLTableSectionElement.prototype, "rows", {
    get() {
      return [...this.children];
    },
  });
}

/** @type {AbortController} */
let controller;

/** The signal of the view of this test, and its end. */
export const signal = () => controller.signal;
export const leaveView = () => controller.abort();

/** End the listeners of the window and the document with the test. */
function endListeners() {
  for (const target of [globalThis, document]) {
    const listen = target.addEventListener;
    mock.method(target, "addEventListener", (type, listener, options) => {
      const signals = [controller.signal, options?.signal].filter(Boolean);
      const how = { ...Object(options), signal: AbortSignal.any(signals) };
      listen.call(target, type, listener, how);
    });
  }
}

// The DOM of the tests tells changes of the address late, and those of the history, too: goTo does it.
let isRunning = false;
addEventListener("hashchange", event => {
  if (isRunning && event.newURL) event.stopImmediatePropagation();
});

/** Define a test in a fresh browser; the body may be asynchronous. */
export const test = (name, body) =>
  nodeTest(name, async t => {
    const real = Object.fromEntries(Object.keys(FAKES).map(key => [key, globalThis[key]]));
    mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: START });
    mock.method(performance, "now", () => Date.now() - START + 1000);
    Object.assign(globalThis, FAKES);
    FakeSocket.all = [];
    observers.clear();
    controller = new AbortController();
    endListeners();
    isRunning = true;
    try {
      await body(t);
    } finally {
      isRunning = false;
      controller.abort();
      player.leave();
      await pass(1);
      for (const state of [player.turns, player.takebackRequests, player.absences]) state.clear();
      player.name = "";
      mock.reset(); // restoreAll would keep them, and restore them again after each test
      Object.assign(globalThis, real);
      document.body.replaceChildren();
      document.title = "";
      localStorage.clear();
      sessionStorage.clear();
      history.replaceState(null, "", "/");
    }
  });

/** Wait for promises, also those of loaded modules. */
export async function settle() {
  for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve));
}

/** Follow a link to another view. */
export async function goTo(hash) {
  location.hash = hash;
  dispatchEvent(new Event("hashchange"));
  await settle();
}

/** Wait until something is the case that the loading of modules brings about. */
export async function until(isTrue) {
  for (let turn = 0; turn < 2000 && !isTrue(); turn++) await settle();
}

/** Let time pass, in steps so that timers may start others. */
export function tick(milliseconds) {
  const step = Math.ceil(milliseconds / 5000);
  for (let left = milliseconds; left > 0; left -= step) mock.timers.tick(Math.min(step, left));
}

/** Let time pass, then wait for promises. */
export async function pass(milliseconds) {
  tick(milliseconds);
  await settle();
}

/** Hold the pointer or the focus on an element, or no longer. */
export function hold(element, isHeld = true) {
  const asksThat = selector => selector === ":hover, :focus-within";
  element.matches = isHeld ? asksThat : Element.prototype.matches;
}

/** Make the page hidden in the background, or visible. */
export function hidePage(isHidden) {
  mock.getter(document, "hidden", () => isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Make another value readable, such as that of an API which the DOM of the tests lacks. */
export function replaceProperty(object, name, value) {
  const own = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  controller.signal.addEventListener("abort", () => {
    if (own) Object.defineProperty(object, name, own);
    else delete object[name];
  });
}

/** Return a function that defines tests, each after a set-up. */
export const testAfter = setUp => (name, body) =>
  test(name, async t => {
    await setUp(t);
    await body(t);
  });
