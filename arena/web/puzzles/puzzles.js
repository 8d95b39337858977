// The view of puzzles: positions of stored matches in which few moves win.

import { loadGameModule } from "../boards/game_modules.js";
import { copyButtons } from "../copy.js";
import { h, sentence, setText, skeleton } from "../dom.js";
import { load, save } from "../storage.js";
import { loadProgress, noteResult, ProgressPanel } from "./progress.js";
import { PuzzleScreen } from "./puzzle_screen.js";
import { LEVELS, puzzleAddress, puzzleKey } from "./puzzle_texts.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { PuzzleInfo, Questions, ViewOptions } from "../types.js" */

/** @typedef {Questions["find_puzzle"]["question"]} Question */

const LEVEL_KEY = "puzzle-level";
const DRAWS = 3; // puzzles that are looked at for one that the person has not seen
const EXPLANATION = "A puzzle is a position of a finished, rated match in which few moves win.";
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/**
 * Show #/puzzles, the puzzle of the day, or #/puzzles/MATCH/PLY.
 * @param {ViewOptions} options
 */
export function view({ main, connection, parameters: [match, ply], signal }) {
  const isPlace = [match, ply].every(part => /^\d{1,15}$/.test(part ?? ""));
  const question = isPlace ? { match: Number(match), ply: Number(ply) } : {};
  const page = new PuzzlePage(connection, signal);
  main.append(h("h1", { class: "hidden-text" }, "Puzzles"), page.element);
  const start = () => page.open(question);
  connection.on("about", start, signal);
  if (connection.isConnected) start();
}

/** The puzzle that is shown, the way to others, and the progress. */
class PuzzlePage {
  #connection;
  #signal;
  /** @type {PuzzleScreen | null} */
  #screen = null;
  #isLoading = false;
  #shown = h("div", { class: "puzzle-shown" }, skeleton(8, "Loading the puzzle…"));
  #problem = h("p", { class: "problem", role: "status" });
  #next = h("button", { type: "button", onclick: () => this.#openNext() }, "Next puzzle");
  #level = createLevelSelect(() => this.#openNext());
  #none;
  #more; // hidden at first, so that it does not move later
  #progress = new ProgressPanel();

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#connection = connection;
    this.#signal = signal;
    const level = h("label", {}, "Level", this.#level);
    const daily = h("a", { href: "#/puzzles" }, "Puzzle of the day");
    const others = h("div", { class: "puzzle-others" }, this.#next, level, daily);
    this.#more = h("div", { hidden: true }, others, this.#progress.element);
    this.#none = h("div", { class: "puzzle-none" }, this.#problem, h("p", {}, EXPLANATION));
    this.element = h("div", { class: "puzzle" }, this.#shown, this.#more);
  }

  /**
   * Show a puzzle; after a reconnection go on with the one that is shown.
   * @param {Question} question
   */
  async open(question) {
    if (this.#screen) this.#screen.resume();
    else {
      const puzzle = await this.#ask(() => this.#find(question));
      if (puzzle) this.#show(puzzle);
    }
  }

  async #openNext() {
    const puzzle = await this.#ask(() => this.#draw());
    if (!puzzle) return;
    history.pushState(null, "", puzzleAddress(puzzle));
    await this.#show(puzzle);
  }

  /**
   * Find the puzzle that was asked for; on an arena's first day there is none of the day.
   * @param {Question} question
   */
  async #find(question) {
    try {
      return await this.#connection.ask("find_puzzle", question);
    } catch (error) {
      const isDaily = !("match" in question);
      if (!isDaily || /** @type {Error} */ (error).cause !== "no_puzzle") throw error;
      return this.#draw();
    }
  }

  /** Draw a puzzle, again if the person has seen it: a small arena may have few. */
  async #draw() {
    const { results } = loadProgress();
    const level = /** @type {PuzzleInfo["level"] | null} */ (Number(this.#level.value) || null);
    let puzzle = null;
    for (let draw = 0; draw < DRAWS && (!puzzle || results[puzzleKey(puzzle)]); draw++) {
      const seed = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
      puzzle = await this.#connection.ask("find_puzzle", { seed, level });
    }
    return puzzle;
  }

  /**
   * Return the answer to a question, null if there is none: then the reason is shown.
   * @param {() => Promise<PuzzleInfo | null>} ask
   */
  async #ask(ask) {
    if (this.#isLoading) return null;
    this.#isLoading = true;
    try {
      const puzzle = await ask();
      setText(this.#problem, "");
      return this.#signal.aborted ? null : puzzle;
    } catch (error) {
      if (!this.#screen) this.#fill(this.#none);
      const { message } = /** @type {Error} */ (error);
      setText(this.#problem, sentence(message));
      return null;
    } finally {
      this.#isLoading = false;
    }
  }

  /** @param {PuzzleInfo} puzzle */
  async #show(puzzle) {
    const connection = this.#connection;
    const { arena } = connection;
    const module = await loadGameModule(puzzle.game, arena);
    if (this.#signal.aborted) return;
    this.#screen?.close();
    const game = arena?.games.find(({ name }) => name === puzzle.game);
    const key = puzzleKey(puzzle);
    const screen = new PuzzleScreen({
      puzzle,
      module,
      connection,
      hasMatching: game?.has_matching ?? false,
      signal: this.#signal,
      onResult: result => {
        noteResult(key, result);
        this.#progress.update();
      },
      onOver: () => this.#lead(),
    });
    this.#screen = screen;
    const link = copyButtons([["Link", () => new URL(puzzleAddress(puzzle), location.href).href]]);
    const side = h("section", { class: "card puzzle-side", "aria-label": "Puzzle" });
    side.append(...seenNote(key), ...screen.parts, this.#problem, link.element);
    this.#fill(
      h("div", { class: "puzzle-head" }, h("h2", {}, title(puzzle)), screen.head),
      screen.board,
      side,
    );
    this.#next.classList.remove("main");
  }

  /** @param {...Node} parts */
  #fill(...parts) {
    this.#shown.replaceChildren(...parts);
    this.#more.hidden = false;
  }

  /** Lead on from a puzzle that is over. */
  #lead() {
    this.#next.classList.add("main");
    const isLost = document.activeElement === document.body || !document.activeElement;
    if (isLost) this.#next.focus({ preventScroll: true });
  }
}

/** @param {PuzzleInfo} puzzle */
const title = ({ day, match }) =>
  day ? `Puzzle of ${DAY.format(new Date(day))}` : `From match ${match}`;

/**
 * Say how the person has done in a puzzle before, if at all.
 * @param {string} key
 */
function seenNote(key) {
  const texts = {
    solved: "You have solved this puzzle.",
    helped: "You have solved this puzzle with a hint.",
    failed: "You have failed at this puzzle.",
  };
  const result = loadProgress().results[key];
  return result ? [h("p", { class: "hint" }, texts[result])] : [];
}

/** @param {() => void} onchange called when another level is chosen */
function createLevelSelect(onchange) {
  const stored = load(LEVEL_KEY);
  const options = ["Any", ...LEVELS].map((text, level) =>
    h("option", { value: level, selected: stored === String(level) }, text),
  );
  const select = h("select", {}, options);
  select.addEventListener("change", () => {
    save(LEVEL_KEY, select.value);
    onchange();
  });
  return select;
}
