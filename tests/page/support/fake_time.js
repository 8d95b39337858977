// Time that passes only when a test says so.
import "./page.js";

const FRAME = 16; // milliseconds

let timers;

/** Stop the clock and all timers at 0 for a test; frames of the browser are timers, too. */
export function stopTime({ mock }) {
  ({ timers } = mock);
  timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 0 });
  mock.method(performance, "now", () => Date.now());
  mock.method(globalThis, "requestAnimationFrame", run => setTimeout(run, FRAME));
  mock.method(globalThis, "cancelAnimationFrame", timer => clearTimeout(timer));
}

/** Let milliseconds pass, one by one: a timer may start another, which counts from its time. */
export function pass(milliseconds) {
  for (let passed = 0; passed < milliseconds; passed++) timers.tick(1);
}
