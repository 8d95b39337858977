// The layout that happy-dom does not have: sizes of elements, and the observers of their changes.
import { after, before } from "node:test";
import "./page.js";

/** The callbacks by observed elements. */
const observers = new WeakMap();

/** Observe sizes in the tests of the describe block that calls this. */
export function observeSizes() {
  const { ResizeObserver } = globalThis;
  before(() => {
    globalThis.ResizeObserver = class {
      constructor(callback) {
        this.callback = callback;
      }
      observe(element) {
        observers.set(element, this.callback);
      }
    };
  });
  after(() => {
    globalThis.ResizeObserver = ResizeObserver;
  });
}

/** Give an element sizes such as clientWidth, for good. */
export function setSizes(element, sizes) {
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(element, name, { value, configurable: true, writable: true });
  }
}

/** Give an element sizes, and tell the board that observes it. */
export function resize(element, sizes) {
  setSizes(element, sizes);
  observers.get(element)();
}
