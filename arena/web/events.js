// Events with typed details, and timers.

/**
 * An event target whose events carry a value.
 * @template {object} Events
 */
export class Emitter extends EventTarget {
  /**
   * Call a listener with the value of each event, until the signal aborts.
   * @template {keyof Events & string} T
   * @param {T} type
   * @param {(detail: Events[T]) => void} listener
   * @param {AbortSignal} [signal]
   */
  on(type, listener, signal) {
    this.addEventListener(type, event => listener(/** @type {CustomEvent} */ (event).detail), {
      signal,
    });
  }

  /**
   * @template {keyof Events & string} T
   * @param {T} type
   * @param {Events[T]} detail
   */
  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

// Timers of the views
/**
 * Return a function that runs at once, and then at most once per interval, with the latest values.
 * @template {unknown[]} Values
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @param {(...values: Values) => void} run
 * @returns {(...values: Values) => void}
 */
export function throttle(milliseconds, signal, run) {
  /** @type {number | undefined} */
  let timer;
  /** @type {Values | null} */
  let latest = null;
  /** @param {Values} values */
  const start = values => {
    latest = null;
    run(...values);
    timer = setTimeout(() => {
      timer = undefined;
      if (latest) start(latest);
    }, milliseconds);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return (...values) => {
    if (timer === undefined && !signal.aborted) start(values);
    else latest = values;
  };
}

/** Named timeouts: setting one replaces the earlier one of that name. */
export class Timeouts {
  /** @type {Map<string, number>} */
  #timers = new Map();

  /**
   * @param {string} name
   * @param {number} milliseconds
   * @param {() => void} run
   */
  set(name, milliseconds, run) {
    clearTimeout(this.#timers.get(name));
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      run();
    }, milliseconds);
    this.#timers.set(name, timer);
  }

  /** @param {string} name */
  has(name) {
    return this.#timers.has(name);
  }

  clear() {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
