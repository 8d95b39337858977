// The list of moves.
import { moveName } from "/boards.js";
import { h } from "/dom.js";

const seconds = ms => ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;

export class MoveList {
  #module;
  #onpick;
  #links = []; // of each move
  #rounds = h("ol", { class: "rounds" });
  #current = null;
  #height = 0; // at which the current move was last brought into sight

  /** `onpick(ply)` is told of a move that is clicked, `address(ply)` is its link. */
  constructor({ module, onpick, address }) {
    this.#module = module;
    this.#onpick = onpick;
    this.address = address;
    this.#rounds.addEventListener("click", event => this.#click(event));
    this.element = h("nav", { class: "moves", "aria-label": "Moves" }, this.#rounds);
  }

  /** Show the moves of a match; `blunders` are the plies to be marked. */
  show({ moves, charged, facts }, ply, blunders) {
    this.#cut(moves);
    for (let at = this.#links.length; at < moves.length; at++) this.#add(at, moves[at], charged[at], at < facts.opening);
    const marked = new Set(blunders);
    this.#links.forEach((link, at) => {
      if (link.classList.contains("blunder") !== marked.has(at)) markBlunder(link, marked.has(at));
    });
    this.#point(this.#links[ply - 1] ?? null);
  }

  /** Take away what is not so any more. */
  #cut(moves) {
    let same = 0;
    while (same < this.#links.length && this.#links[same].move === moves[same]) same++;
    for (const link of this.#links.splice(same).reverse()) {
      const round = link.parentElement;
      link.remove();
      if (!round.querySelector("a")) round.remove();
    }
  }

  #add(at, move, charged, isOpening) {
    const link = h("a", { href: this.address(at + 1), class: isOpening ? "opening" : null, title: isOpening ? "set as an opening" : null },
      h("span", { class: "name" }, moveName(this.#module, move)), h("small", {}, isOpening ? "set" : seconds(charged)));
    Object.assign(link, { move, ply: at + 1 });
    this.#links.push(link);
    if (at % 2 === 0) this.#rounds.append(h("li", {}, h("span", { class: "round" }, `${at / 2 + 1}.`)));
    this.#rounds.lastChild.append(link);
  }

  #point(link) {
    const box = this.element, height = box.clientHeight;
    if (link === this.#current && height === this.#height) return;
    this.#height = height;
    this.#current?.removeAttribute("aria-current");
    this.#current = link;
    link?.setAttribute("aria-current", "step");
    // Only the list is scrolled, never the page.
    const top = link ? link.offsetTop : 0;
    if (top < box.scrollTop + 8) box.scrollTop = top - 40;
    else if (top + 40 > box.scrollTop + height) box.scrollTop = top + 40 - height;
  }

  #click(event) {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#onpick(link.ply);
  }
}

function markBlunder(link, isBlunder) {
  link.classList.toggle("blunder", isBlunder);
  link.querySelector(".mark")?.remove();
  link.removeAttribute("title");
  if (!isBlunder) return;
  link.title = "threw away a won game";
  link.firstChild.after(h("span", { class: "mark" }, "??", h("span", { class: "hidden-text" }, " threw away a won game")));
}
