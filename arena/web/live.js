// The matches that are being played, a card each.
import { loadBoard, moveName } from "/boards.js";
import { theme } from "/colours.js";
import { h } from "/dom.js";
import { Match, clockWords, isUntimed, terminationWords } from "/model.js";
import { casualBadge, gameWords, playerName, write } from "/words.js";

const LINGER = 1500; // milliseconds for which a match that has ended is still shown
const FADE = 400; // milliseconds, as in the style sheet
const TICK = 100; // milliseconds between two looks at the clocks

/** A match on a card. It is drawn when it is on screen and something has changed. */
class Card {
  isVisible = false;
  isDirty = true;
  board = null; // the module that draws the game
  #canvas = h("canvas", { "aria-hidden": "true" });
  #stage = h("div", { class: "stage" }, this.#canvas);
  #clocks = [1, 2].map(() => h("span", { class: "time-left" }));
  #note = h("span");

  constructor(match, about) {
    const { facts } = this.match = match, words = gameWords(about, facts);
    const hidden = text => h("span", { class: "hidden-text" }, text);
    this.element = h("li", { class: "live-card" }, this.#stage,
      h("a", { class: "cover", href: `#/match/${facts.match}` },
        playerName(facts, 1), hidden(" against "), playerName(facts, 2), hidden(`, ${words}`)),
      h("div", { class: "times-left" }, this.#clocks),
      h("p", { class: "faint" }, h("span", {}, words), casualBadge(facts), this.#note));
    this.draw();
  }

  /** Say who has won. */
  finish(result) {
    this.match.result = result;
    this.element.classList.add("over");
    const { winner, termination } = result;
    this.#stage.append(h("div", { class: `ended by-${winner}` },
      winner === null ? terminationWords(termination) : [playerName(this.match.facts, winner), "won"]));
  }

  draw() {
    this.isDirty = false;
    const { moves, facts, result } = this.match;
    this.board?.drawThumbnail(this.#canvas, facts.setup, moves);
    this.#clocks.forEach((clock, at) => clock.classList.toggle("running", !result && at === moves.length % 2));
    const latest = result ? terminationWords(result.termination) : moves.length && `last ${moveName(this.board, moves.at(-1))}`;
    write(this.#note, ` · ply ${moves.length}` + (latest ? ` · ${latest}` : ""));
    this.tick();
  }

  tick() {
    if (isUntimed(this.match.facts.control)) return;
    this.#clocks.forEach((clock, at) => write(clock, clockWords(this.match.remaining(at + 1))));
  }
}

/**
 * All cards. Nothing jumps about: they stand in the order in which the matches began, one that has
 * ended lingers, and then the next match takes its place.
 */
export class LiveMatches {
  element = h("ul", { class: "lives", role: "list" });
  #cards = new Map(); // by match, also those that linger
  #lingering = new Set();
  #waiting = new Map(); // matches for which a place becomes free
  #results = new Map(); // the latest, by match
  #byElement = new WeakMap();
  #frame = 0;
  #socket;
  #seen = new IntersectionObserver(entries => entries.forEach(entry => this.#look(entry)), { rootMargin: "200px" });
  #sizes = new ResizeObserver(entries => entries.forEach(({ target }) => this.#touch(this.#byElement.get(target))));

  constructor(socket, signal) {
    this.#socket = socket;
    const clocks = setInterval(() => this.#tick(), TICK);
    theme.addEventListener("change", () => this.#cards.forEach(card => this.#touch(card)), { signal });
    signal.addEventListener("abort", () => {
      clearInterval(clocks);
      cancelAnimationFrame(this.#frame);
      this.#seen.disconnect();
      this.#sizes.disconnect();
    });
  }

  /** How many matches are being played. */
  get count() {
    return this.#cards.size - this.#lingering.size + this.#waiting.size;
  }

  get isEmpty() {
    return !this.#cards.size;
  }

  /** What the arena says of the matches in a Lobby. */
  hear({ full, started = [], moves = [], over = [], results }) {
    if (full) this.#clear();
    if (results) this.#results = new Map(results.map(({ facts, result }) => [facts.match, result]));
    for (const told of moves) this.#move(told);
    for (const id of over) this.#end(id);
    // Only now, as the places of those that have just ended may be taken.
    const begun = new Set(started.map(({ match }) => match));
    for (const facts of started) if (!over.includes(facts.match)) this.#start(new Match(facts));
    for (const told of moves) if (begun.has(told.match)) this.#move(told);
    for (const id of this.#lingering) this.#tellResult(this.#cards.get(id));
    this.#fit();
  }

  #clear() {
    this.#cards.forEach(card => this.#forget(card));
    this.#waiting.clear();
    this.element.replaceChildren();
  }

  #start(match) {
    if (this.#waiting.size < this.#lingering.size) this.#waiting.set(match.facts.match, match);
    else this.element.append(this.#show(match));
  }

  #show(match) {
    const { facts } = match, { about } = this.#socket;
    const card = new Card(match, about);
    this.#cards.set(facts.match, card);
    this.#byElement.set(card.element, card);
    this.#seen.observe(card.element);
    this.#sizes.observe(card.element);
    loadBoard(facts.game, about).then(board => {
      card.board = board;
      this.#touch(card);
    });
    return card.element;
  }

  #forget({ element, match }) {
    this.#seen.unobserve(element);
    this.#sizes.unobserve(element);
    this.#cards.delete(match.facts.match);
    this.#lingering.delete(match.facts.match);
  }

  #move(told) {
    const card = this.#cards.get(told.match);
    (card?.match ?? this.#waiting.get(told.match))?.apply(told);
    if (card) this.#touch(card);
  }

  #end(id) {
    const card = this.#cards.get(id);
    if (this.#waiting.delete(id) || !card) return;
    this.#lingering.add(id);
    card.match.thinkingSince = null;
    setTimeout(() => this.#leave(card), LINGER);
  }

  #tellResult(card) {
    const result = this.#results.get(card.match.facts.match);
    if (!result || card.match.isOver) return;
    card.finish(result);
    this.#touch(card);
  }

  /** A match has been shown for long enough; but it stays while somebody is about to open it. */
  #leave(card) {
    const { element } = card;
    if (element.matches(":hover, :focus-within")) {
      setTimeout(() => this.#leave(card), LINGER);
      return;
    }
    element.classList.add("leaving");
    setTimeout(() => element.isConnected && this.#replace(card), FADE);
  }

  #replace(card) {
    this.#forget(card);
    const [next] = this.#waiting.values();
    if (next) {
      this.#waiting.delete(next.facts.match);
      card.element.replaceWith(this.#show(next));
    } else card.element.remove();
    this.#fit();
  }

  /** The more matches, the smaller the cards; not back again at once, so that nothing flutters. */
  #fit() {
    const { dataset } = this.element, cards = this.#cards.size;
    const isSmall = cards > (dataset.size === "small" ? 20 : 30), isLarge = cards <= (dataset.size === "large" ? 6 : 4);
    dataset.size = isSmall ? "small" : isLarge ? "large" : "normal";
  }

  #look({ target, isIntersecting }) {
    const card = this.#byElement.get(target);
    card.isVisible = isIntersecting;
    if (card.isDirty) this.#touch(card);
  }

  #touch(card) {
    card.isDirty = true;
    this.#frame ||= requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    this.#frame = 0;
    this.#cards.forEach(card => card.isVisible && card.isDirty && card.draw());
  }

  #tick() {
    if (document.hidden || !this.#socket.isConnected) return;
    this.#cards.forEach(card => card.isVisible && !card.match.isOver && card.tick());
  }
}
