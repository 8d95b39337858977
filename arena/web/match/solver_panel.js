// Verdicts of the solver on a match: the winner under perfect play, as text and as a graph.

import { moveText } from "../boards/game_modules.js";
import { h, isolated, s, setStyle } from "../dom.js";
import { load, save } from "../storage.js";

/** @import { MatchState } from "./match_state.js" */
/** @import { GameModule, Player } from "../types.js" */

/**
 * `onSelect` is called with the ply of a click on the graph.
 * @typedef {{
 *   module: GameModule | null,
 *   isSolved: boolean,
 *   title: string,
 *   onSelect: (ply: number) => void,
 * }} PanelOptions
 */

const PLAYERS = /** @type {const} */ ([1, 2]);

/** A switch that shows or hides the winner, remembered apart for players and for spectators. */
export class SpoilerSwitch {
  /**
   * @param {boolean} isPlaying
   * @param {() => void} onChange
   */
  constructor(isPlaying, onChange) {
    const key = isPlaying ? "spoilers-playing" : "spoilers";
    const stored = load(key);
    this.isOn = stored === null ? !isPlaying : stored === "on";
    const change = () => {
      this.isOn = box.checked;
      save(key, this.isOn ? "on" : "off");
      onChange();
    };
    const box = h("input", { type: "checkbox", role: "switch", onchange: change });
    box.checked = this.isOn;
    this.element = h("label", { class: "switch" }, box, "Show who is winning");
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
  #positions = 1;

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
    const ply = Math.floor(((clientX - left) / width) * this.#positions);
    return Math.min(this.#positions - 1, Math.max(0, ply));
  }

  /**
   * Show the winner after `ply` moves.
   * @param {MatchState} match
   * @param {number} ply
   * @param {number[]} blunders plies
   */
  update(match, ply, blunders) {
    const winner = match.winners?.[ply];
    if (winner) this.#showWinner(match, ply, winner === 1 ? 1 : 2);
    else {
      this.#bar.className = "bar unknown";
      this.#bar.replaceChildren(this.#unknownText(match));
    }
    this.#note.replaceChildren(
      ...(blunders.includes(ply - 1) ? this.#blunderText(match, ply) : []),
    );
    this.#note.hidden = !match.winners;
    if (match.winners) this.#draw(match.winners, match.moves.length, ply, blunders);
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

  /** @param {MatchState} match */
  #unknownText({ winners }) {
    const { isSolved, title } = this.#options;
    if (!isSolved) return `${title} has no solver: the winner is unknown.`;
    return winners ? "Solving…" : "The solver ran out of time: the winner is unknown.";
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
    const positions = Math.max(moves + 1, winners.length);
    this.#positions = positions;
    setStyle(this.#cursor, { left: `${((ply + 0.5) / positions) * 100}%` });
    const key = `${positions}:${winners.join("")}`;
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#drawing.setAttribute("viewBox", `0 0 ${positions} 2`);
    for (const [at, lane] of this.#lanes.entries()) {
      const boxes = winningRuns(winners, PLAYERS[at]).map(
        ([from, to]) => `M${from} ${at}H${to}V${at + 1}H${from}Z`,
      );
      lane.setAttribute("d", boxes.join(""));
    }
    const ticks = blunders.map(at => {
      const left = `${((at + 1) / positions) * 100}%`;
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
