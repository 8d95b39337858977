// The steps in words: asked from the arena, many at a time, when they are wanted.
import { moveText } from "../boards/game_modules.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { GameModule, SearchStart } from "../types.js" */

const COUNT = 200; // steps of a request

/** The sentences of the steps of one search. */
export class StepTexts {
  #connection;
  #search;
  #module;
  #onMore;
  /** @type {Map<number, string[]>} by the number of the request */
  #texts = new Map();

  /**
   * @param {SpectatorConnection} connection
   * @param {SearchStart} search
   * @param {GameModule | null} module
   * @param {() => void} onMore called when sentences have come
   */
  constructor(connection, search, module, onMore) {
    this.#connection = connection;
    this.#search = search;
    this.#module = module;
    this.#onMore = onMore;
  }

  /**
   * Return the sentence of a step, null if it is not known yet: then it is asked for.
   * @param {number} step
   */
  of(step) {
    const number = Math.floor(step / COUNT);
    const texts = this.#texts.get(number);
    if (!texts) this.#ask(number);
    const text = texts?.[step % COUNT];
    if (text === undefined) return null;
    const signed = text.replace(/ -(?=[\di])/g, " −"); // at a hyphen a line would be broken
    return signed.replace(/\{(\d+)\}/g, (_, move) => moveText(this.#module, Number(move)));
  }

  /** @param {number} number */
  async #ask(number) {
    this.#texts.set(number, []);
    try {
      const question = { search: this.#search, first: number * COUNT, count: COUNT };
      const { texts } = await this.#connection.ask("explain_steps", question);
      this.#texts.set(number, texts);
    } catch {
      this.#texts.delete(number); // it is asked for again with the next step
      return;
    }
    this.#onMore();
  }
}
