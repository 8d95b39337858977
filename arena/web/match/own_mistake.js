// The first blunder of the person who has played.
import { h } from "../dom.js";

/** @import { MoveNames } from "../boards/move_names.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { Player } from "../types.js" */

const FEW = 3; // better moves that are named

/** A button that leads to the position before the blunder, and the text about it. */
export class OwnMistake {
  #side;
  #onShow;
  /** @type {number | null} its ply */
  #ply = null;
  #isShown = false;
  element = h("button", { type: "button", hidden: true, onclick: () => this.#show() });

  /**
   * @param {Player | null} side
   * @param {(ply: number) => void} onShow called with the position to show
   */
  constructor(side, onShow) {
    this.#side = side;
    this.#onShow = onShow;
    this.element.textContent = "Show my mistake";
  }

  #show() {
    this.#isShown = true;
    if (this.#ply !== null) this.#onShow(this.#ply);
  }

  /** @param {MatchState} match */
  update(match) {
    const own = match.blunders.filter(ply => match.playerToMove(ply) === this.#side);
    this.#ply = match.isOver ? (own[0] ?? null) : null;
    this.element.hidden = this.#ply === null;
  }

  /**
   * Say what would have been better, empty where the mistake is not shown.
   * @param {MatchState} match
   * @param {number} ply the position shown
   * @param {number[]} winning the moves that win there, none until they are known
   * @param {MoveNames} names
   */
  text(match, ply, winning, names) {
    if (!this.#isShown || ply !== this.#ply || !winning.length) return "";
    const better = winning.map(move => names.text(ply, move));
    const list = winning.length > FEW ? "Each ★" : better.join(" or ");
    return `Your mistake was ${names.text(ply, match.moves[ply])}. ${list} would have won.`;
  }
}
