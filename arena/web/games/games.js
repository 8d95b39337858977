// The finished matches, latest first.
import { count, h, setText, skeleton } from "../dom.js";
import { throttle } from "../events.js";
import {
  casualBadge,
  endingElement,
  gameText,
  playerLink,
  playerResult,
  timeElement,
} from "../format.js";
import { filterForm, readFilter } from "./match_filter.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, MatchFilter, MatchSummary, Player, ViewOptions } from "../types.js" */

const PAGE = 50; // matches of one request
const MOST = 100; // matches of one request to the arena
const SCROLL_INTERVAL = 300; // milliseconds between notes of the place

/** @param {ViewOptions} options */
export function view({ main, connection, query, signal }) {
  const content = h("div", {}, placeholder());
  main.append(h("h1", {}, "Matches"), content);
  /** @type {MatchList | null} */
  let list = null;
  const start = () => {
    if (!connection.arena) return;
    if (!list) {
      list = new MatchList(connection, readFilter(query), signal);
      content.replaceChildren(filterForm(connection.arena, query, signal), list.element);
    }
    list.start();
  };
  connection.on("about", start, signal);
  if (connection.isConnected) start();
}

const placeholder = () => skeleton(PAGE, "Loading the matches…");

/** A list of matches that is loaded page by page. */
class MatchList {
  #connection;
  #filter;
  #signal;
  #list = h("ol", { class: "played-games", role: "list" });
  #table = h("div", { class: "card match-table", hidden: true }, createHeads(), this.#list);
  #more = h("button", { type: "button", hidden: true, onclick: () => this.#load(PAGE) });
  #status = h("p", { class: "faint", role: "status" }, "\u00a0");
  #placeholder = placeholder();
  #total = 0;
  #isLoading = false;
  #isComplete = false;

  /**
   * @param {SpectatorConnection} connection
   * @param {MatchFilter} filter
   * @param {AbortSignal} signal
   */
  constructor(connection, filter, signal) {
    this.#connection = connection;
    this.#filter = filter;
    this.#signal = signal;
    const parts = [this.#status, this.#placeholder, this.#table, h("p", {}, this.#more)];
    this.element = h("div", {}, parts);
    const note = throttle(SCROLL_INTERVAL, signal, () => this.#notePlace());
    addEventListener("scroll", note, { signal });
  }

  get #shown() {
    return this.#list.children.length;
  }

  /** Load the first page, and after Back all that was shown before. */
  async start() {
    if (this.#shown) return;
    const { matches = PAGE, y = 0 } = history.state ?? {};
    await this.#load(matches);
    if (!this.#signal.aborted && y) scrollTo(0, y);
  }

  /** Keep the number of matches and the place on the page in the history, for Back. */
  #notePlace() {
    if (this.#shown) history.replaceState({ matches: this.#shown, y: scrollY }, "");
  }

  /**
   * Load more matches.
   * @param {number} number
   */
  async #load(number) {
    if (this.#isLoading || this.#isComplete) return;
    this.#isLoading = true;
    const isFocused = document.activeElement === this.#more;
    const first = this.#shown;
    try {
      while (this.#shown < first + number && !this.#isComplete && !this.#signal.aborted) {
        await this.#loadPage(Math.min(MOST, first + number - this.#shown));
      }
    } catch (error) {
      setText(this.#status, /** @type {Error} */ (error).message);
    }
    this.#isLoading = false;
    if (this.#signal.aborted) return;
    this.#showRest();
    // Keyboard users continue with the first new match.
    if (isFocused) this.#list.children[first]?.querySelector("a")?.focus();
    if (first) this.#notePlace();
  }

  /** @param {number} limit */
  async #loadPage(limit) {
    const last = /** @type {HTMLElement | null} */ (this.#list.lastElementChild);
    const before = last ? Number(last.dataset.match) : null;
    const question = { ...this.#filter, limit, before };
    const { games, more, total } = await this.#connection.ask("find_games", question);
    if (this.#signal.aborted) return;
    this.#total = total ?? this.#total;
    this.#isComplete = !more;
    const text = this.#total ? count(this.#total, "match", "matches") : "No matches found.";
    setText(this.#status, text);
    this.#placeholder.remove();
    this.#list.append(...games.map(summary => matchRow(this.#connection.arena, summary)));
  }

  #showRest() {
    this.#table.hidden = !this.#shown;
    this.#more.hidden = this.#isComplete || !this.#shown;
    const rest = Math.max(this.#total - this.#shown, 0).toLocaleString("en");
    setText(this.#more, `Load more (${rest} left)`);
  }
}

/** The heads of the columns, which the rows name for screen readers where they need it. */
const createHeads = () => {
  const players = h(
    "span",
    { class: "sides" },
    h("span", {}, "Player 1"),
    h("span", {}, "Player 2"),
  );
  const others = ["Game", "Ending", "Moves", "Ended"].map(text => h("span", {}, text));
  return h("div", { class: "match-heads", "aria-hidden": "true" }, players, others);
};

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
    return h("span", { class: "side" }, playerLink(facts, side, !text), sign && mark);
  };
  const label = h("span", { class: "hidden-text" }, facts.players.join(" against "));
  const link = h("a", { class: "cover", href: `#/match/${facts.match}` }, label);
  return h(
    "li",
    { data: { match: facts.match } },
    h("div", { class: "sides" }, link, player(1), player(2)),
    h("span", {}, gameText(arena, facts), casualBadge(facts)),
    h("span", {}, endingElement(result)),
    h("span", {}, plies, h("span", { class: "unit" }, plies === 1 ? " move" : " moves")),
    h("span", {}, timeElement(result.finished_at)),
  );
}
