// Events with typed details.

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
