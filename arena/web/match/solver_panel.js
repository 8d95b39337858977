// The solver beside a match: the winner under perfect play as text and as a graph, and the answers
// about single positions.
import { moveText } from "../boards/game_modules.js";
import { h, isolated, s, setStyle } from "../dom.js";
import { load, save } from "../storage.js";

/** @import { MatchState } from "./match_state.js" */
/** @import { GameModule, Marks, Player, Analysis, Matching } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

/**
 * `onSelect` is called with the ply of a click on the graph.
 * @typedef {{
 *   module: GameModule | null,
 *   isSolved: boolean,
 *   title: string,
 *   onSelect: (ply: number) => void,
 * }} PanelOptions
 */

const STARS = "★ wins with perfect play.";
const PATIENCE = 500; // milliseconds for which the verdict on an earlier ply stays
const PLAYERS = /** @type {const} */ ([1, 2]);

/** A switch that shows or hides the winner, remembered apart for players and for spectators. */
export class SpoilerSwitch {
  #box;

  /**
   * @param {boolean} isPlaying
   * @param {() => void} onChange
   */
  constructor(isPlaying, onChange) {
    const key = isPlaying ? "spoilers-playing" : "spoilers";
    const stored = load(key);
    this.isOn = stored === null ? !isPlaying : stored === "on";
    const change = () => {
      this.isOn = this.#box.checked;
      save(key, this.isOn ? "on" : "off");
      onChange();
    };
    this.#box = h("input", { type: "checkbox", role: "switch", onchange: change });
    this.#box.checked = this.isOn;
    this.element = h("label", { class: "switch" }, this.#box, "Show who is winning");
  }

  /** Show the winner in this match, whatever is remembered. */
  show() {
    this.isOn = true;
    this.#box.checked = true;
  }
}

/** The winner of the position shown, whether the last move was a blunder, and a graph of all plies. */
export class SolverPanel {
  #options;
  #bar = h("p", { class: "bar" });
  #note = h("p", { class: "note" });
  #lanes = PLAYERS.map(player => s("path", { class: player === 1 ? "one" : "two" }));
  #drawing = s("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, this.#lanes);
  #ticks = h("div", { class: "ticks", "aria-hidden": "true" });
  #cursor = h("div", { class: "cursor", "aria-hidden": "true" });
  #drawn = "";
  #last = 1; // ply at the right end of the graph
  /** @type {number | undefined} runs while the verdict that is shown is that of an earlier ply */
  #pending;

  /** @param {PanelOptions} options */
  constructor(options) {
    this.#options = options;
    /** @param {MouseEvent} event */
    const onclick = ({ clientX }) => options.onSelect(this.#plyAt(clientX));
    const parts = [this.#drawing, this.#ticks, this.#cursor];
    this.graph = h("div", { class: "graph", onclick }, parts);
    this.element = h("div", { class: "solver" }, this.#bar, this.#note);
  }

  /** @param {number} clientX */
  #plyAt(clientX) {
    const { left, width } = this.graph.getBoundingClientRect();
    const ply = Math.round(((clientX - left) / width) * this.#last);
    return Math.min(this.#last, Math.max(0, ply));
  }

  /**
   * Show the winner after `ply` moves.
   * @param {MatchState} match
   * @param {number} ply
   * @param {number[]} blunders plies
   * @param {Marks} [marks] of the board
   */
  update(match, ply, blunders, marks = new Map()) {
    this.#updateBar(match, ply);
    const stars = [...marks.values()].includes("winning") ? [STARS] : [];
    this.#note.replaceChildren(
      ...(blunders.includes(ply - 1) ? this.#blunderText(match, ply) : stars),
    );
    this.#note.hidden = !match.winners;
    if (match.winners) this.#draw(match.winners, match.moves.length, ply, blunders);
  }

  /**
   * In a live match the verdict follows a move after a moment, in which the last one stays.
   * @param {MatchState} match
   * @param {number} ply
   */
  #updateBar(match, ply) {
    const isEnd = ply === match.moves.length;
    const winner = match.winners?.[ply] ?? (isEnd ? match.result?.winner : null);
    const isPending = this.#options.isSolved && match.winners && !winner;
    if (isPending) {
      this.#pending ??= setTimeout(() => this.#showUnknown("Working out who wins…"), PATIENCE);
      return;
    }
    clearTimeout(this.#pending);
    this.#pending = undefined;
    if (winner) this.#showWinner(match, ply, winner === 1 ? 1 : 2);
    else this.#showUnknown(this.#unknownText);
  }

  /** @param {string} text */
  #showUnknown(text) {
    this.#bar.className = "bar unknown";
    this.#bar.replaceChildren(text);
  }

  /**
   * @param {MatchState} match
   * @param {number} ply
   * @param {Player} winner
   */
  #showWinner(match, ply, winner) {
    // A match can also be lost on time, by the player who would win.
    const hasWon = ply === match.moves.length && match.result?.winner === winner;
    this.#bar.className = `bar ${winner === 1 ? "one" : "two"}`;
    this.#bar.replaceChildren(
      h("span", { class: "shape" }),
      h("span", {}, isolated(match.playerName(winner))),
      hasWon ? " has won" : " wins with perfect play",
    );
  }

  get #unknownText() {
    const { isSolved, title } = this.#options;
    if (!isSolved) return `${title} has no solver: the winner is unknown.`;
    return "The solver ran out of time: the winner is unknown.";
  }

  /**
   * @param {MatchState} match
   * @param {number} ply
   */
  #blunderText(match, ply) {
    const move = moveText(this.#options.module, match.moves[ply - 1]);
    const name = match.playerName(match.playerToMove(ply - 1));
    return [h("b", {}, "?? "), isolated(name), ` gave up a winning position with ${move}.`];
  }

  /**
   * @param {number[]} winners
   * @param {number} moves
   * @param {number} ply
   * @param {number[]} blunders
   */
  #draw(winners, moves, ply, blunders) {
    const last = Math.max(1, moves, winners.length - 1);
    this.#last = last;
    setStyle(this.#cursor, { left: `${(ply / last) * 100}%` });
    const key = `${last}:${winners.join("")}`;
    if (key === this.#drawn) return;
    this.#drawn = key;
    // Each position is drawn around its ply, as far as it is on the graph.
    this.#drawing.setAttribute("viewBox", `0.5 0 ${last} 2`);
    for (const [at, lane] of this.#lanes.entries()) {
      const boxes = winningRuns(winners, PLAYERS[at]).map(
        ([from, to]) => `M${from} ${at}H${to}V${at + 1}H${from}Z`,
      );
      lane.setAttribute("d", boxes.join(""));
    }
    const ticks = blunders.map(at => {
      const left = `${((at + 1) / last) * 100}%`;
      return h("span", { title: `move ${at + 1} gave up a winning position`, style: { left } });
    });
    this.#ticks.replaceChildren(...ticks);
  }
}

/**
 * Return the runs of positions that a player wins, each with its start and its end.
 * @param {number[]} winners
 * @param {Player} player
 */
function winningRuns(winners, player) {
  /** @type {[from: number, to: number][]} */
  const runs = [];
  for (const [at, winner] of winners.entries()) {
    if (winner !== player) continue;
    const last = runs.at(-1);
    if (last?.[1] === at) last[1] = at + 1;
    else runs.push([at, at + 1]);
  }
  return runs;
}

// What the solver says about the position on the board

/** @typedef {{ analyse: Analysis, find_matching: Matching }} Answers by the questions */

const DELAY = 250; // milliseconds without a step before the solver is asked

/**
 * Asks one question about one position after another.
 * @template {keyof Answers} Q
 */
export class SolverAnswers {
  #question;
  #connection;
  #onChange;
  /** @type {string | null} the position, as its moves */
  #key = null;
  /** @type {Answers[Q] | null} */
  #answer = null;
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {Q} question
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   * @param {() => void} onChange called when an answer is known
   */
  constructor(question, connection, signal, onChange) {
    this.#question = question;
    this.#connection = connection;
    this.#onChange = onChange;
    signal.addEventListener("abort", () => {
      this.#key = null;
      clearTimeout(this.#timer);
    });
  }

  /**
   * Return the answer after `ply` moves, null until it is known, and ask for it if it is not.
   * @param {MatchState} match
   * @param {number} ply
   */
  find(match, ply) {
    const moves = match.moves.slice(0, ply);
    const key = moves.join();
    if (this.#key !== key) {
      this.#key = key;
      this.#answer = null;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(key, match, moves), DELAY);
    }
    return this.#answer;
  }

  /**
   * @param {string} key
   * @param {MatchState} match
   * @param {number[]} moves
   */
  async #ask(key, { facts: { game, setup } }, moves) {
    try {
      const answer = await this.#connection.ask(this.#question, { game, setup, moves });
      if (this.#key !== key) return;
      this.#answer = /** @type {any} */ (answer);
      this.#onChange();
    } catch {
      if (this.#key === key) this.#key = null; // asks again at the next step
    }
  }
}
