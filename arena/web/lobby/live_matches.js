// The live matches of the lobby.
import { theme } from "../boards/colours.js";
import { loadGameModule, moveText } from "../boards/game_modules.js";
import { count, h, setText } from "../dom.js";
import { endingText, gameText, playerName } from "../format.js";
import { isFollowed } from "../links.js";
import { clockText, controlOf, isUntimed, MatchState } from "../match/match_state.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { LobbyUpdate, MatchInfo, MatchResult, MoveUpdate, ArenaInfo, GameModule, Player } from "../types.js" */

const RESULT_SHOWN = 1500; // milliseconds for which a finished match stays
const FADE = 400; // milliseconds, as in the style sheet
const CLOCK_INTERVAL = 100; // milliseconds

/**
 * The cards of all live matches, in the order in which the matches began; those of followed bots
 * come first.
 *
 * The layout is stable: a finished match stays for a moment, then a waiting one takes its place.
 */
export class LiveMatches {
  element = h("ul", { class: "lives", role: "list" });
  /** @type {Map<number, LiveCard>} by match, with those that have finished */
  #cards = new Map();
  /** @type {Set<number>} finished matches whose cards are still shown */
  #finished = new Set();
  /** @type {Map<number, MatchState>} matches that wait for a place */
  #waiting = new Map();
  /** @type {Map<number, MatchResult>} the latest results, by match */
  #results = new Map();
  /** @type {WeakMap<Element, LiveCard>} */
  #byElement = new WeakMap();
  #frame = 0;
  #connection;
  #visibility = new IntersectionObserver(
    entries => {
      for (const entry of entries) this.#changeVisibility(entry);
    },
    { rootMargin: "200px" },
  );
  #sizes = new ResizeObserver(entries => {
    for (const { target } of entries) this.#invalidate(this.#byElement.get(target));
  });

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#connection = connection;
    const clocks = setInterval(() => this.#updateClocks(), CLOCK_INTERVAL);
    const redraw = () => {
      for (const card of this.#cards.values()) this.#invalidate(card);
    };
    theme.addEventListener("change", redraw, { signal });
    signal.addEventListener("abort", () => {
      clearInterval(clocks);
      cancelAnimationFrame(this.#frame);
      this.#visibility.disconnect();
      this.#sizes.disconnect();
    });
  }

  /** The number of live matches. */
  get count() {
    return this.#cards.size - this.#finished.size + this.#waiting.size;
  }

  get isEmpty() {
    return !this.#cards.size;
  }

  /** @param {LobbyUpdate} update */
  update({ full, started = [], moves = [], over = [], results }) {
    if (full) this.#clear();
    if (results) this.#results = new Map(results.map(({ result }) => [result.match, result]));
    for (const update of moves) this.#applyMoves(update);
    for (const id of over) this.#end(id);
    // Matches start after others have ended, as they may take the places of those.
    const ids = new Set(started.map(({ match }) => match));
    for (const facts of started) if (!over.includes(facts.match)) this.#start(facts);
    for (const update of moves) if (ids.has(update.match)) this.#applyMoves(update);
    for (const id of this.#finished) this.#showResult(this.#cards.get(id));
    this.#resizeCards();
  }

  #clear() {
    for (const card of this.#cards.values()) this.#forget(card);
    this.#waiting.clear();
    this.element.replaceChildren();
  }

  /** @param {MatchInfo} facts */
  #start(facts) {
    const match = new MatchState(facts);
    if (this.#waiting.size < this.#finished.size) this.#waiting.set(facts.match, match);
    else if (facts.players.some(isFollowed)) this.element.prepend(this.#createCard(match));
    else this.element.append(this.#createCard(match));
  }

  /** @param {MatchState} match */
  #createCard(match) {
    const { facts } = match;
    const { arena } = this.#connection;
    const card = new LiveCard(match, arena);
    this.#cards.set(facts.match, card);
    this.#byElement.set(card.element, card);
    this.#visibility.observe(card.element);
    this.#sizes.observe(card.element);
    loadGameModule(facts.game, arena).then(module => {
      card.module = module;
      this.#invalidate(card);
    });
    return card.element;
  }

  /** @param {LiveCard} card */
  #forget({ element, match }) {
    this.#visibility.unobserve(element);
    this.#sizes.unobserve(element);
    this.#cards.delete(match.facts.match);
    this.#finished.delete(match.facts.match);
  }

  /** @param {MoveUpdate} update */
  #applyMoves(update) {
    const card = this.#cards.get(update.match);
    const match = card?.match ?? this.#waiting.get(update.match);
    match?.apply(update);
    this.#invalidate(card);
  }

  /** @param {number} id */
  #end(id) {
    const card = this.#cards.get(id);
    if (this.#waiting.delete(id) || !card) return;
    this.#finished.add(id);
    card.match.turnStartedAt = null;
    setTimeout(() => this.#fadeOut(card), RESULT_SHOWN);
  }

  /** @param {LiveCard | undefined} card */
  #showResult(card) {
    if (!card || card.match.isOver) return;
    const result = this.#results.get(card.match.facts.match);
    if (!result) return;
    card.finish(result);
    this.#invalidate(card);
  }

  /**
   * Let a finished match fade, but not while the user is about to open it.
   * @param {LiveCard} card
   */
  #fadeOut(card) {
    const { element } = card;
    if (element.matches(":hover, :focus-within")) {
      setTimeout(() => this.#fadeOut(card), RESULT_SHOWN);
      return;
    }
    element.classList.add("leaving");
    setTimeout(() => element.isConnected && this.#replace(card), FADE);
  }

  /** @param {LiveCard} card */
  #replace(card) {
    this.#forget(card);
    const [next] = this.#waiting.values();
    if (next) {
      this.#waiting.delete(next.facts.match);
      card.element.replaceWith(this.#createCard(next));
    } else card.element.remove();
    this.#resizeCards();
  }

  /** Choose smaller cards for more matches, with hysteresis so that the size does not flicker. */
  #resizeCards() {
    const { dataset } = this.element;
    const cards = this.#cards.size;
    const isSmall = cards > (dataset.size === "small" ? 20 : 30);
    const isLarge = cards <= (dataset.size === "large" ? 6 : 4);
    if (isSmall) dataset.size = "small";
    else dataset.size = isLarge ? "large" : "normal";
  }

  /** @param {IntersectionObserverEntry} entry */
  #changeVisibility({ target, isIntersecting }) {
    const card = this.#byElement.get(target);
    if (!card) return;
    card.isVisible = isIntersecting;
    if (card.isDirty) this.#invalidate(card);
  }

  /** @param {LiveCard | undefined} card */
  #invalidate(card) {
    if (!card) return;
    card.isDirty = true;
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    for (const card of this.#cards.values()) if (card.isVisible && card.isDirty) card.draw();
  }

  #updateClocks() {
    if (document.hidden || !this.#connection.isConnected) return;
    for (const card of this.#cards.values()) {
      if (card.isVisible && !card.match.isOver) card.updateClocks();
    }
  }
}

// A live match on a card

const LATEST = 5; // moves of a game without a thumbnail
const PLAYERS = /** @type {const} */ ([1, 2]);

/** A card, drawn when it is on screen and its match has changed. */
export class LiveCard {
  isVisible = false;
  isDirty = true;
  /** @type {GameModule | null | undefined} null if the game has none, undefined while it loads */
  module;
  #canvas = h("canvas", { "aria-hidden": "true" });
  #latestMoves = h("p", { class: "latest-moves", "aria-hidden": "true" });
  #stage = h("div", { class: "stage" }, this.#canvas);
  #clocks = PLAYERS.map(() => h("span", { class: "time-left" }));
  #note = h("span");

  /**
   * @param {MatchState} match
   * @param {ArenaInfo | null} arena
   */
  constructor(match, arena) {
    this.match = match;
    const { facts } = match;
    const game = gameText(arena, facts);
    const link = h("a", { class: "cover", href: `#/match/${facts.match}` }, [
      playerName(facts, 1),
      hidden(" against "),
      playerName(facts, 2),
      hidden(`, ${game}`),
    ]);
    const details = [h("span", {}, game), this.#note];
    const clocks = h("div", { class: "times-left" }, this.#clocks);
    const description = h("p", { class: "faint" }, details);
    this.element = h("li", { class: "live-card" }, this.#stage, link, clocks, description);
    this.draw();
  }

  /**
   * Show the result.
   * @param {MatchResult} result
   */
  finish(result) {
    this.match.finish(result);
    this.element.classList.add("over");
    const { winner } = result;
    const text = winner ? [playerName(this.match.facts, winner), "won"] : endingText(result);
    this.#stage.append(h("div", { class: `ended by-${winner}` }, text));
  }

  draw() {
    this.isDirty = false;
    const { moves, result } = this.match;
    this.#drawPosition();
    for (const [at, clock] of this.#clocks.entries()) {
      clock.classList.toggle("running", !result && at === moves.length % 2);
    }
    setText(this.#note, [` · ${count(moves.length, "move")}`, ...this.#latest].join(" · "));
    this.updateClocks();
  }

  /** Draw the thumbnail; a game whose thumbnail fails is shown as one without a module. */
  #drawPosition() {
    const { moves, facts } = this.match;
    try {
      this.module?.drawThumbnail(this.#canvas, facts.setup, moves);
    } catch (error) {
      console.error(`The thumbnail of ${facts.game} cannot be drawn:`, error);
      this.module = null;
    }
    if (this.module === null) this.#listLatestMoves();
  }

  /** Show the latest moves, for a game without a thumbnail. */
  #listLatestMoves() {
    const { moves } = this.match;
    const first = Math.max(0, moves.length - LATEST);
    const latest = moves.slice(first).map((move, at) => {
      const player = this.match.playerToMove(first + at);
      return h("span", { class: `player-${player}` }, move);
    });
    this.#latestMoves.replaceChildren(...latest);
    this.#canvas.replaceWith(this.#latestMoves);
  }

  /** The termination or the last move, if there is one. */
  get #latest() {
    const { moves, result } = this.match;
    if (result) return [endingText(result)];
    const last = moves.at(-1);
    return last === undefined ? [] : [`last ${moveText(this.module ?? null, last)}`];
  }

  updateClocks() {
    for (const player of PLAYERS) {
      if (!isUntimed(controlOf(this.match.facts, player))) this.#updateClock(player);
    }
  }

  /** @param {Player} player */
  #updateClock(player) {
    setText(this.#clocks[player - 1], clockText(this.match.remainingMs(player)));
  }
}

/** @param {string} text */
const hidden = text => h("span", { class: "hidden-text" }, text);
