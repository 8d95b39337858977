// The lobby: live matches, standings, latest results and connected bots.

import { h, setText, skeleton } from "../dom.js";
import { throttle } from "../events.js";
import { columnHeads, gameTitle } from "../format.js";
import { botLink } from "../links.js";
import { ranking } from "../tournament/ranking.js";
import { beginner, firstBoard } from "./first_board.js";
import { LatestResults } from "./latest_results.js";
import { LiveMatches } from "./live_matches.js";
import { isTournamentOver, showHeader, showWorkers } from "./lobby_header.js";

/** @import { Finale } from "./finale.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, Leaderboard, LobbyUpdate, ViewOptions, WorkersInfo } from "../types.js" */

const TOP = 5; // bots of each game
const LIST_INTERVAL = 1000; // milliseconds between updates of a list
const STATE_INTERVAL = 250; // milliseconds between updates of the number of matches
const LINES = 12; // of a part that is being loaded

/** @param {ViewOptions} options */
export function view({ main, connection, signal }) {
  new Lobby(main, connection, signal);
  connection.watch(null);
}

/** The sections of the lobby. */
class Lobby {
  #connection;
  #live;
  #signal;
  #header = h("section", { class: "welcome" });
  #first = h("section", { class: "begin", "aria-label": "First match" });
  #run = ""; // of the arena that is shown
  #number = h("span", { class: "faint" });
  #tv = h("a", { class: "tv", href: "/?present=tv" }, "Best match on TV");
  #heading = h("div", { class: "spread" }, h("h2", {}, "Live matches ", this.#number), this.#tv);
  #nothing = h("div", { class: "nothing" });
  #loading = h("div");
  /** @type {Finale | null} loaded if there is a tournament */
  #finale = null;
  #end = h("div", { hidden: true });
  #standings = card();
  #results;
  #connected = card();
  #aside = h("div", { class: "aside" }, placeholderCard("Loading the standings…"));
  #layout = h("div", { class: "lobby" });
  #isAsideShown = false;
  #finished = 0;
  #hasFinale = false;
  /** @type {WorkersInfo | null} */
  #workers = null;
  /** @type {string[]} */
  #bots = [];
  /** @type {Leaderboard[]} */
  #tables = [];

  /**
   * @param {HTMLElement} main
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(main, connection, signal) {
    this.#connection = connection;
    this.#signal = signal;
    this.#live = new LiveMatches(connection, signal);
    this.#results = new LatestResults(connection, signal);
    const placeholder = createPlaceholder();
    const layout = this.#layOut();
    main.append(placeholder);
    const listTop = throttle(LIST_INTERVAL, signal, (/** @type {Leaderboard[]} */ games) => {
      this.#tables = games;
      listTopBots(this.#standings, connection.arena, games);
      this.#showHeader();
      this.#showFinale();
      this.#showAside();
    });
    connection.on("about", () => this.#showHeader(), signal);
    connection.on(
      "lobby",
      update => {
        if (placeholder.isConnected) placeholder.replaceWith(layout);
        this.#update(update);
      },
      signal,
    );
    connection.on("tables", ({ tables }) => listTop(tables), signal);
    const timer = setInterval(() => this.#showState(), STATE_INTERVAL);
    signal.addEventListener("abort", () => clearInterval(timer));
    this.#showHeader();
    this.#showState();
  }

  #layOut() {
    const parts = [this.#end, this.#loading, this.#nothing, this.#live.element];
    const live = h("section", { class: "now" }, this.#heading, parts);
    this.#layout.append(this.#header, this.#first, live, this.#aside);
    return this.#layout;
  }

  /** Replace the placeholder of the lists, all at once. */
  #showAside() {
    if (this.#isAsideShown) return;
    this.#isAsideShown = true;
    this.#aside.replaceChildren(this.#standings, this.#results.element, this.#connected);
  }

  /** @param {LobbyUpdate} update */
  #update(update) {
    this.#live.update(update);
    this.#finished = update.finished ?? this.#finished;
    this.#bots = update.bots ?? this.#bots;
    this.#workers = update.workers ?? this.#workers;
    this.#showHeader();
    if (update.bots) listBots(this.#connected, update.bots);
    if (update.results) this.#results.update(update.results);
    if (!this.#finished) this.#showAside(); // there are no standings to wait for
    this.#showState(); // at once, so that nothing moves later
    // In an empty arena without opponents the first thing to know is how to connect a bot.
    const { arena } = this.#connection;
    if (update.full && this.#live.isEmpty && !this.#bots.length && arena && !beginner(arena)) {
      this.#header.querySelector("details")?.setAttribute("open", "");
    }
  }

  #showHeader() {
    const { arena } = this.#connection;
    if (arena) {
      showHeader(this.#header, arena, this.#finished, this.#isOver);
      // Its board is sized by its place.
      if (this.#layout.isConnected) this.#showArena(arena);
    }
    if (this.#workers) showWorkers(this.#header, this.#workers);
  }

  /**
   * Show what stays as long as the arena runs.
   * @param {ArenaInfo} arena
   */
  #showArena(arena) {
    if (this.#run === arena.run) return;
    this.#run = arena.run;
    if (arena.tournament) this.#loadFinale();
    const board = firstBoard(arena, this.#connection, this.#signal);
    this.#first.hidden = board === null;
    this.#first.replaceChildren(board ?? "");
  }

  get #isOver() {
    const tournament = this.#connection.arena?.tournament ?? null;
    return isTournamentOver(tournament, this.#finished, this.#tables);
  }

  #showFinale() {
    const game = this.#connection.arena?.tournament?.game;
    const standings = this.#tables.find(table => table.game === game);
    this.#hasFinale = this.#isOver && Boolean(standings?.bots.length);
    if (this.#hasFinale && standings) {
      if (this.#finale) this.#finale.show(standings);
      else this.#loadFinale();
    }
    this.#showState();
  }

  /** Load the finale early: an arena may close with the end of its tournament. */
  async #loadFinale() {
    try {
      const { Finale } = await import("./finale.js");
      this.#finale ??= new Finale(this.#connection, this.#signal);
    } catch {
      return; // a lost connection: the next table asks again
    }
    this.#end.append(this.#finale.element);
    this.#showFinale();
  }

  /** Whether the end of a tournament may be shown, and has not arrived completely. */
  get #awaitsFinale() {
    const isTournament = Boolean(this.#connection.arena?.tournament);
    if (!isTournament || !this.#live.isEmpty || !this.#finished) return false;
    return this.#hasFinale ? !this.#finale?.isComplete : !this.#tables.length;
  }

  #showState() {
    const { isEmpty, count } = this.#live;
    const isLoading = this.#awaitsFinale;
    const isFinale = this.#hasFinale && isEmpty;
    this.#end.hidden = !isFinale || isLoading;
    this.#showLoading(isLoading);
    this.#heading.hidden = isFinale;
    this.#nothing.hidden = !isEmpty || isFinale || isLoading;
    this.#tv.hidden = isEmpty;
    setText(this.#number, isEmpty ? "" : String(count));
    if (!isEmpty) return;
    const { arena } = this.#connection;
    const text = emptyText(arena, this.#bots.length, this.#isOver, this.#workers);
    showNothing(this.#nothing, text, this.#bots.length);
  }

  /** @param {boolean} isLoading */
  #showLoading(isLoading) {
    if (this.#loading.hasChildNodes() === isLoading) return;
    const parts = isLoading ? [skeleton(LINES, "Loading the final places…")] : [];
    this.#loading.replaceChildren(...parts);
    this.#layout.classList.toggle("loading", isLoading);
  }
}

const card = () => h("section", { class: "card", hidden: true });

/** The lobby before its first state has arrived. */
const createPlaceholder = () =>
  h("div", { class: "lobby" }, [
    h("section", { class: "welcome" }, h("p", {}, "Connecting to the arena…")),
    h("section", { class: "now" }, skeleton(LINES, "Loading the live matches…")),
    h("div", { class: "aside" }, placeholderCard("Loading the standings…")),
  ]);

/** @param {string} label */
const placeholderCard = label => h("section", { class: "card" }, skeleton(LINES, label));

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
 * @param {boolean} isOver
 * @param {WorkersInfo | null} workers
 */
function emptyText(arena, bots, isOver, workers) {
  const tournament = arena?.tournament;
  if (isOver) return "The tournament is over. All its matches can be replayed.";
  if (workers) return "Workers play the matches. All finished matches can be replayed.";
  if (!arena?.is_open && !tournament) return "No live matches. The stored matches can be replayed.";
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
    ...shown.flatMap(table => [h("h3", {}, gameTitle(arena, table.game)), topTable(table)]),
    h("p", {}, h("a", { href: "#/tables" }, "All standings")),
  );
}

/** @param {Leaderboard} standings */
function topTable(standings) {
  const { heads, lines } = ranking(standings);
  const rows = lines
    .slice(0, TOP)
    .map(({ rank, bot: { bot }, values }) =>
      h(
        "tr",
        {},
        h("td", { class: "faint" }, rank),
        h("th", { scope: "row", class: "name" }, botLink(bot, { class: "bot-link" })),
        h("td", {}, values[0]),
        h("td", { class: "faint" }, values[1]),
      ),
    );
  const head = h("thead", {}, h("tr", {}, columnHeads("#", "Bot", ...heads.slice(0, 2))));
  return h("table", {}, head, h("tbody", {}, rows));
}

/**
 * @param {HTMLElement} section
 * @param {string[]} bots
 */
function listBots(section, bots) {
  section.hidden = !bots.length;
  const names = [...bots].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const links = names.map(bot => h("li", {}, botLink(bot)));
  section.replaceChildren(
    h("h2", {}, "Connected bots ", h("span", { class: "faint" }, bots.length)),
    h("ul", { class: "chips", role: "list" }, links),
  );
}
