// The list of moves.

import { h, setText } from "../dom.js";

/** @import { MoveInfos } from "./record_details.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { MoveNames } from "../boards/create_board.js" */

/**
 * `onSelect` is called with the ply of a clicked move, `address` returns the link to a ply.
 * @typedef {{
 *   names: MoveNames,
 *   onSelect: (ply: number) => void,
 *   address: (ply: number) => string,
 * }} ListOptions
 */

/** @typedef {{ link: HTMLAnchorElement, name: HTMLElement, move: number }} Entry */

const BLUNDER = "blunder: gave up a winning position";
const EDGE = 8; // pixels at the top of the box in which a move is not visible enough
const LINE = 40; // pixels of a line, and some

const SHORT = 50; // milliseconds of a move whose time says nothing

/** @param {number} ms */
const durationText = ms => (ms < SHORT ? "" : `${(ms / 1000).toFixed(1)} s`);

/** The moves in rounds of two, each with its time. */
export class MoveList {
  #options;
  /** @type {Entry[]} */
  #entries = [];
  #rounds = h("ol", { class: "rounds" });
  /** @type {HTMLAnchorElement | null} */
  #current = null;
  #height = 0; // of the box, when the current move was last scrolled to

  /** @param {ListOptions} options */
  constructor(options) {
    this.#options = options;
    this.#rounds.addEventListener("click", event => this.#click(event));
    this.element = h("nav", { class: "moves", "aria-label": "Moves" }, this.#rounds);
  }

  /**
   * Show the moves of a match up to the latest, with the one at `ply` as the current one.
   * @param {MatchState} match
   * @param {number} ply
   * @param {number[]} blunders plies
   * @param {MoveInfos} infos
   */
  update({ moves, chargedMs, facts }, ply, blunders, infos) {
    this.#truncate(moves);
    for (let at = this.#entries.length; at < moves.length; at++) {
      const isOpening = at < facts.opening;
      this.#append(at, moves[at], isOpening ? null : durationText(chargedMs[at]));
    }
    const marked = new Set(blunders);
    for (const [at, { link }] of this.#entries.entries()) {
      if (link.classList.contains("blunder") !== marked.has(at)) markBlunder(link, marked.has(at));
    }
    for (const [at, { link, name, move }] of this.#entries.entries()) {
      setText(name, this.#options.names.text(at, move));
      infos.mark(at, link);
    }
    this.#setCurrent(this.#entries[ply - 1]?.link ?? null);
  }

  /**
   * Remove the moves that were taken back or replaced.
   * @param {number[]} moves
   */
  #truncate(moves) {
    let common = 0;
    while (this.#entries[common] && this.#entries[common].move === moves[common]) common++;
    for (const { link } of this.#entries.splice(common).reverse()) {
      const round = link.parentElement;
      link.remove();
      if (!round?.querySelector("a")) round?.remove();
    }
  }

  /**
   * @param {number} at
   * @param {number} move
   * @param {string | null} time null for a move of the opening
   */
  #append(at, move, time) {
    const opening = time === null && { class: "opening", title: "opening move" };
    const name = h("span", { class: "name" });
    const link = h(
      "a",
      { href: this.#options.address(at + 1), ...opening },
      name,
      h("small", {}, time ?? "opening"),
    );
    link.dataset.ply = String(at + 1);
    this.#entries.push({ link, name, move });
    if (at % 2 === 0) {
      this.#rounds.append(h("li", {}, h("span", { class: "round" }, `${at / 2 + 1}.`)));
    }
    this.#rounds.lastElementChild?.append(link);
  }

  /** @param {HTMLAnchorElement | null} link */
  #setCurrent(link) {
    const box = this.element;
    const height = box.clientHeight;
    if (link === this.#current && height === this.#height) return;
    this.#height = height;
    this.#current?.removeAttribute("aria-current");
    this.#current = link;
    link?.setAttribute("aria-current", "step");
    // Only the list is scrolled, never the page.
    const top = link ? link.offsetTop : 0;
    if (top < box.scrollTop + EDGE) box.scrollTop = top - LINE;
    else if (top + LINE > box.scrollTop + height) box.scrollTop = top + LINE - height;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#options.onSelect(Number(link.dataset.ply));
  }
}

/**
 * @param {HTMLAnchorElement} link
 * @param {boolean} isBlunder
 */
function markBlunder(link, isBlunder) {
  link.classList.toggle("blunder", isBlunder);
  link.querySelector(".mark")?.remove();
  link.removeAttribute("title");
  if (!isBlunder) return;
  link.title = BLUNDER;
  const text = h("span", { class: "hidden-text" }, ` ${BLUNDER}`);
  link.firstElementChild?.after(h("span", { class: "mark" }, "??", text));
}
