// The lobby: live matches, standings, latest results and connected bots.
import { h, isolated, setText } from "../dom.js";
import {
  casualBadge,
  columnHeads,
  eloText,
  endingElement,
  gameText,
  gameTitle,
  marginText,
  meetingElements,
  refreshTimes,
  timeElement,
} from "../format.js";
import { throttle } from "../timing.js";
import { LiveMatches } from "./live_matches.js";
import { showHeader, showWorkers } from "./lobby_header.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, LeaderboardRow, Leaderboard, LobbyUpdate, MatchSummary, ViewOptions, WorkersInfo } from "../types.js" */

const TOP = 5; // bots of each game
const LATEST = 8; // results
const LIST_INTERVAL = 1000; // milliseconds between updates of a list
const STATE_INTERVAL = 250; // milliseconds between updates of the number of matches
const TIME_INTERVAL = 20_000; // milliseconds between updates of relative times

/** @param {ViewOptions} options */
export function view({ main, connection, signal }) {
  new Lobby(main, connection, signal);
  connection.watch(null);
}

/** The sections of the lobby. */
class Lobby {
  #connection;
  #live;
  #header = h("section", { class: "welcome" });
  #number = h("span", { class: "faint" });
  #nothing = h("div", { class: "nothing" });
  #standings = card();
  #results = card();
  #connected = card();
  #finished = 0;
  /** @type {WorkersInfo | null} */
  #workers = null;
  /** @type {string[]} */
  #bots = [];
  #listResults;

  /**
   * @param {HTMLElement} main
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(main, connection, signal) {
    this.#connection = connection;
    this.#live = new LiveMatches(connection, signal);
    main.append(this.#layOut());
    this.#listResults = throttle(LIST_INTERVAL, signal, (/** @type {MatchSummary[]} */ summaries) =>
      listResults(this.#results, connection.arena, summaries),
    );
    const listTop = throttle(LIST_INTERVAL, signal, (/** @type {Leaderboard[]} */ games) =>
      listTopBots(this.#standings, connection.arena, games),
    );
    connection.on("about", () => this.#showHeader(), signal);
    connection.on("lobby", update => this.#update(update), signal);
    connection.on("tables", ({ tables }) => listTop(tables), signal);
    const timers = [
      setInterval(() => this.#showState(), STATE_INTERVAL),
      setInterval(() => refreshTimes(this.#results), TIME_INTERVAL),
    ];
    signal.addEventListener("abort", () => timers.forEach(clearInterval));
    this.#showHeader();
    this.#showState();
  }

  #layOut() {
    const heading = h("h2", {}, "Live matches ", this.#number);
    const live = h("section", { class: "now" }, heading, this.#nothing, this.#live.element);
    const aside = h("div", { class: "aside" }, this.#standings, this.#results, this.#connected);
    return h("div", { class: "lobby" }, this.#header, live, aside);
  }

  /** @param {LobbyUpdate} update */
  #update(update) {
    this.#live.update(update);
    this.#finished = update.finished ?? this.#finished;
    this.#bots = update.bots ?? this.#bots;
    this.#workers = update.workers ?? this.#workers;
    this.#showHeader();
    if (update.bots) listBots(this.#connected, update.bots);
    if (update.results) this.#listResults(update.results);
    // In an empty arena the first thing to know is how to connect a bot.
    if (update.full && this.#live.isEmpty && !this.#bots.length) {
      this.#header.querySelector("details")?.setAttribute("open", "");
    }
  }

  #showHeader() {
    const { arena } = this.#connection;
    if (arena) showHeader(this.#header, arena, this.#finished);
    if (this.#workers) showWorkers(this.#header, this.#workers);
  }

  #showState() {
    const { isEmpty, count } = this.#live;
    this.#nothing.hidden = !isEmpty;
    setText(this.#number, isEmpty ? "" : String(count));
    if (!isEmpty) return;
    const { arena } = this.#connection;
    const text = emptyText(arena, this.#bots.length, this.#finished, this.#workers);
    showNothing(this.#nothing, text, this.#bots.length);
  }
}

const card = () => h("section", { class: "card", hidden: true });

/**
 * Show that there are no live matches: two seats, of which a connected bot takes one.
 * @param {HTMLElement} element
 * @param {string} text
 * @param {number} bots
 */
function showNothing(element, text, bots) {
  if (element.lastChild?.textContent === text) return;
  const seats = [1, 2].map(seat => h("span", { class: bots >= seat ? "seat taken" : "seat" }));
  element.replaceChildren(
    h("div", { class: "seats", "aria-hidden": "true" }, seats),
    h("p", {}, text),
  );
}

/**
 * Explain why there are no live matches.
 * @param {ArenaInfo | null} arena
 * @param {number} bots
 * @param {number} finished
 * @param {WorkersInfo | null} workers
 */
function emptyText(arena, bots, finished, workers) {
  if (!arena) return "Connecting to the arena…";
  const { tournament } = arena;
  if (tournament && finished >= tournament.matches) {
    return "The tournament is over. All its matches can be replayed.";
  }
  if (workers) return "Workers play the matches. All finished matches can be replayed.";
  if (!arena.is_open && !tournament) return "No live matches. The stored matches can be replayed.";
  if (bots > 1) return "The next match is about to start.";
  if (bots) return "One bot is connected and waits for an opponent.";
  return "No bots connected yet. The first two to connect play each other.";
}

/**
 * @param {HTMLElement} section
 * @param {ArenaInfo | null} arena
 * @param {Leaderboard[]} games
 */
function listTopBots(section, arena, games) {
  const shown = games.filter(({ bots }) => bots.length);
  section.hidden = !shown.length;
  section.replaceChildren(
    h("h2", {}, "Standings"),
    ...shown.flatMap(({ game, bots }) => [
      h("h3", {}, gameTitle(arena, game)),
      topTable(bots.slice(0, TOP)),
    ]),
    h("p", {}, h("a", { href: "#/tables" }, "All standings")),
  );
}

/** @param {LeaderboardRow[]} bots */
function topTable(bots) {
  const rows = bots.map(({ bot, elo, margin }, rank) =>
    h(
      "tr",
      {},
      h("td", { class: "faint" }, rank + 1),
      h("th", { scope: "row", class: "name", title: bot }, isolated(bot)),
      h("td", {}, eloText(elo)),
      h("td", { class: "faint" }, marginText(margin)),
    ),
  );
  const head = h("thead", {}, h("tr", {}, columnHeads("#", "Bot", "Elo", "±")));
  return h("table", {}, head, h("tbody", {}, rows));
}

/**
 * @param {HTMLElement} section
 * @param {ArenaInfo | null} arena
 * @param {MatchSummary[]} summaries
 */
function listResults(section, arena, summaries) {
  section.hidden = !summaries.length;
  // A result that has the focus does not move away.
  if (section.matches(":focus-within")) return;
  const rows = summaries.slice(0, LATEST).map(summary => resultRow(arena, summary));
  section.replaceChildren(
    h("h2", {}, "Latest results"),
    h("ul", { class: "results", role: "list" }, rows),
    h("p", {}, h("a", { href: "#/games" }, "All matches")),
  );
}

/**
 * @param {ArenaInfo | null} arena
 * @param {MatchSummary} summary
 */
function resultRow(arena, { facts, result }) {
  const time = timeElement(result.finished_at);
  const game = gameText(arena, facts);
  return h(
    "li",
    {},
    h("a", { href: `#/match/${facts.match}` }, meetingElements({ facts, result })),
    h("p", { class: "faint" }, endingElement(result), ` · ${game} · `, time, casualBadge(facts)),
  );
}

/**
 * @param {HTMLElement} section
 * @param {string[]} bots
 */
function listBots(section, bots) {
  section.hidden = !bots.length;
  const names = [...bots].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const links = names.map(bot => {
    const href = `#/games?${new URLSearchParams({ bot })}`;
    return h("li", {}, h("a", { href, title: bot }, isolated(bot)));
  });
  section.replaceChildren(
    h("h2", {}, "Connected bots ", h("span", { class: "faint" }, bots.length)),
    h("ul", { class: "chips", role: "list" }, links),
  );
}
