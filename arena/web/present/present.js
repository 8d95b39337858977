// The page on a big screen: the live match, the rounds, the standings and the upsets take turns, or with
// ?present=tv the live match alone.
import { h, setText } from "../dom.js";
import { gameTitle } from "../format.js";
import { isTournamentOver, playedText } from "../lobby/lobby_header.js";
import { isKnockout } from "../tournament/ranking.js";
import { LiveSlide } from "./live_slide.js";
import { Ratings, RoundsSlide, StandingsSlide, UpsetsSlide } from "./slides.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Leaderboard, LobbyUpdate, ViewOptions } from "../types.js" */

const TURN = 15_000; // milliseconds for which a slide is shown
const STATE_INTERVAL = 500; // milliseconds between updates of the heading

/**
 * A part of the presentation; one without content is passed over.
 * @typedef {{ element: HTMLElement, isEmpty: boolean, tick?(): void }} Slide
 */

/** @param {ViewOptions} options */
export function view({ main, connection, signal }) {
  new Presentation(main, connection, signal);
  connection.watch(null);
  keepAwake(signal);
}

/** The slides and their turns. Space pauses, the arrow keys change the slide. */
class Presentation {
  #connection;
  #heading = h("h1", {}, "Connecting to the arena…");
  #played = h("p", { class: "faint" });
  #paused = h("p", { class: "badge", role: "status" });
  #waiting = h("p", { class: "slide waiting" });
  #live;
  #rounds;
  #standings = new StandingsSlide();
  #upsets = new UpsetsSlide();
  /** @type {Slide[]} */
  #slides;
  #shown = 0;
  #turnEnds = performance.now() + TURN;
  #finished = 0;
  /** @type {Leaderboard[]} */
  #tables = [];

  /**
   * @param {HTMLElement} main
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(main, connection, signal) {
    this.#connection = connection;
    this.#live = new LiveSlide(connection, signal);
    this.#rounds = new RoundsSlide(connection, signal);
    const isTv = new URLSearchParams(location.search).get("present") === "tv";
    const lists = [this.#rounds, this.#standings, this.#upsets];
    this.#slides = isTv ? [this.#live] : [this.#live, ...lists];
    const head = h("div", { class: "present-head" }, this.#heading, this.#paused, this.#played);
    const elements = this.#slides.map(({ element }) => element);
    main.append(h("div", { class: "present" }, head, this.#waiting, elements));
    connection.on("about", () => this.#showState(), signal);
    connection.on("lobby", update => this.#update(update), signal);
    connection.on("tables", ({ tables }) => this.#rate(tables), signal);
    const timer = setInterval(() => this.#tick(), STATE_INTERVAL);
    signal.addEventListener("abort", () => clearInterval(timer));
    addEventListener("keydown", event => this.#pressKey(event), { signal });
    this.#showState();
  }

  /** @param {LobbyUpdate} update */
  #update(update) {
    this.#finished = update.finished ?? this.#finished;
    this.#live.update(update);
    setText(this.#waiting, "The next match is shown here as soon as it begins.");
    if (update.results) this.#upsets.add(update.results);
    this.#showState();
  }

  /** @param {Leaderboard[]} tables */
  #rate(tables) {
    this.#tables = tables;
    const ratings = new Ratings(tables);
    this.#live.rate(ratings);
    this.#standings.update(this.#connection.arena, tables);
    this.#rounds.update(tables);
    // The few matches of a knockout give no ratings by which a result is a surprise.
    this.#upsets.rate(new Ratings(tables.filter(table => !isKnockout(table))));
  }

  get #isPaused() {
    return this.#turnEnds === Infinity;
  }

  #tick() {
    this.#live.tick();
    if (performance.now() > this.#turnEnds) this.#step(1);
    this.#showState();
  }

  /**
   * Show the next slide that has content, in one of the two directions.
   * @param {1 | -1} direction
   */
  #step(direction) {
    const { length } = this.#slides;
    for (let steps = 1; steps <= length; steps++) {
      const next = (this.#shown + direction * steps + steps * length) % length;
      if (this.#slides[next].isEmpty) continue;
      this.#shown = next;
      break;
    }
    if (!this.#isPaused) this.#turnEnds = performance.now() + TURN;
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    if (event.key === " ") this.#turnEnds = this.#isPaused ? performance.now() + TURN : Infinity;
    else if (event.key === "ArrowRight") this.#step(1);
    else if (event.key === "ArrowLeft") this.#step(-1);
    else return;
    event.preventDefault();
    this.#showState();
  }

  #showState() {
    const { arena } = this.#connection;
    if (arena) {
      const { tournament, games } = arena;
      const title = games.map(({ name }) => gameTitle(arena, name)).join(", ");
      setText(this.#heading, tournament ? `${title} tournament` : title);
      const isOver = isTournamentOver(tournament, this.#finished, this.#tables);
      setText(this.#played, playedText(tournament, this.#finished, isOver));
    }
    setText(this.#paused, this.#isPaused ? "paused" : "");
    this.#paused.hidden = !this.#isPaused;
    if (this.#slides[this.#shown].isEmpty) this.#step(1);
    const shown = this.#slides[this.#shown];
    for (const slide of this.#slides) slide.element.hidden = slide !== shown || slide.isEmpty;
    this.#waiting.hidden = !shown.isEmpty;
  }
}

/**
 * Keep the screen on where the browser allows it.
 * @param {AbortSignal} signal
 */
async function keepAwake(signal) {
  try {
    const lock = await navigator.wakeLock?.request("screen");
    signal.addEventListener("abort", () => lock?.release());
  } catch {
    // Only secure pages that are in the foreground may: the screen then follows its own settings.
  }
}
