// The finished matches, latest first.
import { count, h } from "../dom.js";
import {
  casualBadge,
  endingElement,
  gameText,
  playerName,
  playerResult,
  timeElement,
} from "../format.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, MatchSummary, Player, ViewOptions } from "../types.js" */
/** @typedef {{ bot: string | null, game: string | null }} Filter */

const PAGE = 50; // matches of one request

/** @param {ViewOptions} options */
export function view({ main, connection, query, signal }) {
  const filter = { bot: query.get("bot") || null, game: query.get("game") || null };
  const list = new MatchList(connection, filter, signal);
  const filters = h("div");
  main.append(h("h1", {}, "Matches"), filters, ...list.parts);
  const start = () => {
    if (!connection.arena) return;
    filters.replaceChildren(filterForm(connection.arena, filter));
    if (list.isEmpty) list.load();
  };
  connection.on("about", start, signal);
  if (connection.isConnected) start();
}

/** A list of matches that is loaded page by page. */
class MatchList {
  #connection;
  #filter;
  #signal;
  #list = h("ol", { class: "played-games card", role: "list" });
  #more = h("button", { type: "button", hidden: true, onclick: () => this.load() }, "Load more");
  #status = h("p", { class: "faint", role: "status" }, "Loading…");
  #isLoading = false;
  #isComplete = false;

  /**
   * @param {SpectatorConnection} connection
   * @param {Filter} filter
   * @param {AbortSignal} signal
   */
  constructor(connection, filter, signal) {
    this.#connection = connection;
    this.#filter = filter;
    this.#signal = signal;
    this.parts = [this.#list, this.#status, h("p", {}, this.#more)];
  }

  get isEmpty() {
    return !this.#list.children.length;
  }

  /** Load the next page. */
  async load() {
    if (this.#isLoading || this.#isComplete) return;
    this.#isLoading = true;
    try {
      await this.#loadPage();
    } catch (error) {
      this.#status.textContent = /** @type {Error} */ (error).message;
    }
    this.#isLoading = false;
    this.#more.hidden = this.#isComplete || this.isEmpty;
  }

  async #loadPage() {
    const last = /** @type {HTMLElement | null} */ (this.#list.lastElementChild);
    const before = last ? Number(last.dataset.match) : null;
    const question = { limit: PAGE, before, ...this.#filter };
    const { games, more } = await this.#connection.ask("find_games", question);
    if (this.#signal.aborted) return;
    const isFocused = document.activeElement === this.#more;
    const rows = games.map(summary => matchRow(this.#connection.arena, summary));
    this.#list.append(...rows);
    this.#isComplete = !more;
    this.#status.textContent = statusText(this.#list.children.length, this.#isComplete);
    // Keyboard users continue with the first new match.
    if (isFocused) rows[0]?.querySelector("a")?.focus();
  }
}

/**
 * @param {number} shown
 * @param {boolean} isComplete
 */
function statusText(shown, isComplete) {
  if (!shown) return "No matches found.";
  const matches = count(shown, "match", "matches");
  return isComplete ? `${matches}, no earlier ones.` : `The latest ${matches}.`;
}

/**
 * The filter is kept in the address, so that it can be shared.
 * @param {ArenaInfo} arena
 * @param {Filter} filter
 */
function filterForm(arena, { bot, game }) {
  const names = new Map(arena.games.map(({ name, title }) => [name, title]));
  if (game && !names.has(game)) names.set(game, game);
  const options = [["", "All games"], ...names].map(([value, title]) =>
    h("option", { value, selected: value === (game ?? "") }, title),
  );
  const botInput = h("input", {
    name: "bot",
    value: bot,
    autocomplete: "off",
    spellcheck: "false",
  });
  return h(
    "form",
    { role: "search", onsubmit: applyFilter },
    h("label", {}, "Bot or player", botInput),
    h("label", {}, "Game", h("select", { name: "game", onchange: applyFilter }, options)),
    h("button", { class: "main" }, "Show"),
    (bot || game) && h("a", { href: "#/games" }, "Show all"),
  );
}

/** @param {Event} event */
function applyFilter(event) {
  event.preventDefault();
  const target = /** @type {HTMLFormElement | HTMLSelectElement} */ (event.target);
  const form = target instanceof HTMLSelectElement ? target.form : target;
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form ?? undefined)) {
    if (value) query.set(name, String(value));
  }
  location.hash = `#/games?${query}`.replace(/\?$/, "");
}

/**
 * @param {ArenaInfo | null} arena
 * @param {MatchSummary} summary
 */
function matchRow(arena, { facts, result, plies }) {
  /** @param {Player} side */
  const player = side => {
    const text = playerResult(result, side);
    const sign = { won: "✓ won", draw: "½", "": "" }[text];
    const mark = h("span", { class: text }, h("span", { class: "hidden-text" }, " "), sign);
    return h("span", { class: "side" }, playerName(facts, side, !text), sign && mark);
  };
  const against = h("span", { class: "hidden-text" }, " against ");
  return h(
    "li",
    { data: { match: facts.match } },
    h("a", { class: "cover", href: `#/match/${facts.match}` }, player(1), against, player(2)),
    h("span", {}, gameText(arena, facts), casualBadge(facts)),
    h("span", {}, endingElement(result)),
    h("span", {}, count(plies, "ply", "plies")),
    h("span", {}, timeElement(result.finished_at)),
  );
}
