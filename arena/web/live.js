// The matches that are being played, a card each.
import { loadBoard, moveName } from "/boards.js";
import { h } from "/dom.js";
import { Match, clockWords, isUntimed, terminationWords } from "/model.js";
import { gameWords, playerName, write } from "/words.js";

const LINGER = 2500; // milliseconds for which a match that has ended is still shown
const FADE = 400; // milliseconds, as in the style sheet
const TICK = 100; // milliseconds between two looks at the clocks

/** A match on a card. It is drawn when it is on screen and something has changed. */
class Card {
  isVisible = false;
  isDirty = true;
  drawing = null; // the module that draws the game

  constructor(facts, about) {
    this.match = new Match(facts);
    this.about = about;
    this.canvas = h("canvas", { class: "thumb", "aria-hidden": "true" });
    this.clocks = [1, 2].map(() => h("span", { class: "time-left" }));
    this.note = h("span");
    this.element = h("li", { class: "live-card" }, h("div", { class: "stage" }, this.canvas), this.#link(),
      h("div", { class: "times-left" }, this.clocks),
      h("p", { class: "faint" }, h("span", {}, gameWords(about, facts)), this.note));
  }

  #link() {
    const { facts } = this.match;
    return h("a", { class: "cover", href: `#/match/${facts.match}` },
      playerName(facts, 1), h("span", { class: "hidden-text" }, " against "), playerName(facts, 2),
      h("span", { class: "hidden-text" }, `, ${gameWords(this.about, facts)}`));
  }

  /** Say who has won, in place of what is going on. */
  finish(result) {
    const { match } = this;
    match.result = result;
    this.element.classList.add("over");
    const how = terminationWords(result.termination);
    const said = result.winner === null ? how : [playerName(match.facts, result.winner), h("span", {}, "won")];
    this.element.querySelector(".ended")?.remove();
    this.element.firstChild.append(h("p", { class: `ended by-${result.winner ?? "nobody"}` }, said));
    this.isDirty = true;
  }

  tick() {
    const { match, clocks } = this;
    if (isUntimed(match.facts.control)) return;
    clocks.forEach((clock, place) => write(clock, clockWords(match.remaining(place + 1))));
  }

  draw() {
    this.isDirty = false;
    const { match } = this;
    this.drawing?.drawThumbnail(this.canvas, match.facts.setup, match.moves);
    const toMove = match.isOver ? null : match.playerAt();
    this.clocks.forEach((clock, place) => clock.classList.toggle("running", place + 1 === toMove));
    write(this.note, this.#words());
    this.tick();
  }

  #words() {
    const { moves, result } = this.match;
    if (result) return ` · ${terminationWords(result.termination)} · ply ${moves.length}`;
    return ` · ply ${moves.length}` + (moves.length ? ` · last ${moveName(this.drawing, moves.at(-1))}` : "");
  }
}

/**
 * All cards. Nothing jumps about: they stand in the order in which the matches began, one that has
 * ended lingers, and then the next match takes its place.
 */
export class LiveMatches {
  element = h("ul", { class: "lives" });
  #cards = new Map(); // by match, also those that linger
  #lingering = new Set();
  #waiting = []; // facts of matches for which a place becomes free
  #running = new Map(); // the moves of those, until they are shown
  #results = new Map(); // the latest, by match
  #frame = 0;
  #socket;
  #seen = new IntersectionObserver(entries => this.#look(entries), { rootMargin: "200px" });
  #sizes = new ResizeObserver(entries => { for (const { target } of entries) this.#touch(this.#byElement.get(target)); });
  #byElement = new WeakMap();

  constructor(socket, signal) {
    this.#socket = socket;
    const clocks = setInterval(() => this.#tick(), TICK);
    const redraw = () => this.#redraw();
    const theme = new MutationObserver(redraw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw, { signal });
    signal.addEventListener("abort", () => {
      clearInterval(clocks);
      cancelAnimationFrame(this.#frame);
      this.#seen.disconnect();
      this.#sizes.disconnect();
      theme.disconnect();
    });
  }

  /** How many matches are being played. */
  get count() {
    return this.#cards.size - this.#lingering.size + this.#waiting.length;
  }

  get isEmpty() {
    return this.#cards.size === 0;
  }

  /** What the arena says of the matches in a Lobby. */
  hear({ full, started = [], moves = [], over = [], results }) {
    if (full) this.#clear();
    if (results) this.#results = new Map(results.map(({ facts, result }) => [facts.match, result]));
    for (const told of moves) this.#move(told);
    for (const id of over) this.#end(id);
    // Only now, as the places of those that have just ended may be taken.
    const begun = new Set(started.map(({ match }) => match));
    for (const facts of started) if (!over.includes(facts.match)) this.#start(facts);
    for (const told of moves) if (begun.has(told.match)) this.#move(told);
    for (const id of this.#lingering) this.#tellResult(this.#cards.get(id));
    this.#resize();
  }

  #clear() {
    for (const { element } of this.#cards.values()) this.#forget(element);
    for (const kept of [this.#cards, this.#lingering, this.#running]) kept.clear();
    this.#waiting = [];
    this.element.replaceChildren();
  }

  #forget(element) {
    this.#seen.unobserve(element);
    this.#sizes.unobserve(element);
  }

  #start(facts) {
    if (this.#waiting.length < this.#lingering.size) {
      this.#waiting.push(facts);
      this.#running.set(facts.match, new Match(facts));
    } else this.element.append(this.#card(facts).element);
  }

  #card(facts) {
    const card = new Card(facts, this.#socket.about);
    card.match = this.#running.get(facts.match) ?? card.match;
    this.#running.delete(facts.match);
    this.#cards.set(facts.match, card);
    this.#byElement.set(card.element, card);
    this.#seen.observe(card.element);
    this.#sizes.observe(card.element);
    loadBoard(facts.game, facts.setup, this.#socket.about).then(module => {
      card.drawing = module;
      this.#touch(card);
    });
    return card;
  }

  #move(told) {
    const card = this.#cards.get(told.match);
    (card?.match ?? this.#running.get(told.match))?.apply(told);
    if (card) this.#touch(card);
  }

  #end(id) {
    if (this.#running.delete(id)) {
      this.#waiting = this.#waiting.filter(({ match }) => match !== id);
      return;
    }
    const card = this.#cards.get(id);
    if (!card || this.#lingering.has(id)) return;
    this.#lingering.add(id);
    card.match.thinkingSince = null;
    this.#touch(card);
    setTimeout(() => this.#leave(card), LINGER);
  }

  #tellResult(card) {
    const result = this.#results.get(card.match.facts.match);
    if (!result || card.match.isOver) return;
    card.finish(result);
    this.#touch(card);
  }

  /** A match has been shown for long enough after its end; but not while somebody is about to open it. */
  #leave(card) {
    const { element, match } = card;
    if (!element.isConnected) return;
    if (element.matches(":hover, :focus-within")) {
      setTimeout(() => this.#leave(card), LINGER / 3);
      return;
    }
    element.classList.add("leaving");
    setTimeout(() => this.#replace(element, match.facts.match), FADE);
  }

  #replace(element, id) {
    if (!element.isConnected) return;
    this.#forget(element);
    this.#cards.delete(id);
    this.#lingering.delete(id);
    const next = this.#waiting.shift();
    if (next) element.replaceWith(this.#card(next).element);
    else element.remove();
    this.#resize();
  }

  /** The more matches, the smaller the cards; not back again at once, so that nothing flutters. */
  #resize() {
    const { size } = this.element.dataset, cards = this.#cards.size;
    const small = cards > (size === "small" ? 20 : 30), large = cards <= (size === "large" ? 6 : 4);
    const fitting = small ? "small" : large ? "large" : "normal";
    if (fitting === size) return;
    this.element.dataset.size = fitting;
  }

  #look(entries) {
    for (const { target, isIntersecting } of entries) {
      const card = this.#byElement.get(target);
      card.isVisible = isIntersecting;
      if (isIntersecting && card.isDirty) this.#touch(card);
    }
  }

  #touch(card) {
    card.isDirty = true;
    this.#frame ||= requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    this.#frame = 0;
    for (const card of this.#cards.values()) if (card.isVisible && card.isDirty) card.draw();
  }

  #redraw() {
    for (const card of this.#cards.values()) this.#touch(card);
  }

  #tick() {
    if (document.hidden || !this.#socket.isConnected) return;
    for (const card of this.#cards.values()) if (card.isVisible && !card.match.isOver) card.tick();
  }
}
