// The page of a bot: its live matches, its standing in each game, and its latest matches.

import { h, isolated, setText, skeleton } from "../dom.js";
import { throttle } from "../events.js";
import { gameTitle } from "../format.js";
import { botLink, follow, isFollowed, matchesAddress } from "../links.js";
import { resultRow } from "../lobby/latest_results.js";
import { LiveMatches } from "../lobby/live_matches.js";
import { GameSection } from "./game_section.js";
import { playedIn } from "./score_table.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { BotStanding, LobbyUpdate, MatchSummary, ViewOptions } from "../types.js" */

const INTERVAL = 6000; // milliseconds between questions: the arena computes no more often
const LATEST = 5; // matches in the list
const NAMES = 20; // similar names at most: matches that are looked through for them
const LINES = 20; // while the page is being loaded

/**
 * Show #/bot/NAME.
 * @param {ViewOptions} options
 */
export function view({ main, connection, parameters: [name], signal }) {
  if (!name) {
    const link = h("a", { href: "#/tables" }, "the standings");
    main.append(h("h1", {}, "Bot not found"), h("p", {}, "A bot has a name: see ", link, "."));
    return;
  }
  document.title = `${name} · Arena`;
  new BotPage(name, main, connection, signal);
  connection.watch(null);
}

class BotPage {
  #bot;
  #connection;
  #signal;
  #live;
  #playing = h("section", { class: "bot-live", hidden: true });
  #loading = skeleton(LINES, "Loading the bot…");
  #note = h("p", { class: "faint", role: "status", hidden: true });
  #games = h("div");
  #list = h("ul", { class: "results", role: "list" });
  #latest = h("section", { hidden: true });
  /** @type {Map<string, GameSection>} by game */
  #sections = new Map();
  /** @type {Set<string>} the connected bots */
  #connected = new Set();
  #played = -1; // number of its matches in the latest answer
  #isAsking = false;
  #askLater;

  /**
   * @param {string} bot
   * @param {HTMLElement} main
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(bot, main, connection, signal) {
    this.#bot = bot;
    this.#connection = connection;
    this.#signal = signal;
    this.#live = new LiveMatches(connection, signal);
    this.#playing.append(h("h2", {}, "Playing now"), this.#live.element);
    const all = h("a", { href: matchesAddress({ bot }) }, "All its matches");
    this.#latest.append(h("h2", {}, "Latest matches"), this.#list, h("p", {}, all));
    const head = h("div", { class: "bot-head" }, h("h1", {}, isolated(bot)), followButton(bot));
    const parts = [this.#playing, this.#loading, this.#note, this.#games, this.#latest];
    main.append(head, ...parts);
    this.#askLater = throttle(INTERVAL, signal, () => this.#ask());
    connection.on("about", () => this.#askLater(), signal);
    connection.on("tables", () => this.#askLater(), signal);
    connection.on("lobby", update => this.#update(update), signal);
    if (connection.isConnected) this.#askLater();
  }

  /** @param {LobbyUpdate} update */
  #update(update) {
    const isOwn = (/** @type {{ players: string[] }} */ { players }) => players.includes(this.#bot);
    this.#live.update({ ...update, started: update.started?.filter(isOwn) });
    this.#playing.hidden = this.#live.isEmpty;
    if (update.bots) this.#connected = new Set(update.bots);
  }

  async #ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const { games } = await this.#connection.ask("find_bot", { bot: this.#bot });
      if (this.#signal.aborted) return;
      this.#showStandings(games);
      const played = games.reduce((sum, { score }) => sum + playedIn(score), 0);
      if (played && played === this.#played) return;
      const filter = { bot: this.#bot, limit: NAMES };
      const { games: matches } = await this.#connection.ask("find_games", filter);
      if (this.#signal.aborted) return;
      this.#played = played;
      this.#showMatches(games.length > 0, matches);
    } catch (error) {
      this.#fail(/** @type {Error} */ (error).message);
    } finally {
      this.#isAsking = false;
    }
  }

  /** @param {string} message */
  #fail(message) {
    if (this.#signal.aborted || !this.#connection.isConnected) return; // asked again with `about`
    this.#note.hidden = false;
    setText(this.#note, message);
    this.#askLater();
  }

  /** @param {BotStanding[]} standings */
  #showStandings(standings) {
    for (const standing of standings) {
      const { game } = standing;
      let section = this.#sections.get(game);
      if (!section) {
        const title = gameTitle(this.#connection.arena, game);
        section = new GameSection(this.#bot, game, title, this.#connection, this.#signal);
        this.#sections.set(game, section);
        this.#games.append(section.element);
      }
      section.update(standing);
    }
    if (standings.length) this.#loading.remove();
  }

  /**
   * @param {boolean} isRated
   * @param {MatchSummary[]} matches of the bot, or of players whose names begin with its name
   */
  #showMatches(isRated, matches) {
    const { arena } = this.#connection;
    this.#loading.remove();
    const own = matches.filter(({ facts }) => facts.players.includes(this.#bot));
    this.#latest.hidden = !own.length;
    if (!this.#list.contains(document.activeElement)) {
      this.#list.replaceChildren(...own.slice(0, LATEST).map(match => resultRow(arena, match)));
    }
    this.#note.hidden = isRated;
    if (!isRated) this.#note.replaceChildren(...this.#absence(own, matches));
  }

  /**
   * Explain why there are no standings.
   * @param {MatchSummary[]} own
   * @param {MatchSummary[]} matches
   */
  #absence(own, matches) {
    const { tournament } = this.#connection.arena ?? {};
    if (own.length) return ["It has finished no rated match yet: only those have ratings."];
    if (!this.#live.isEmpty) return ["Its first match is being played."];
    if (this.#connected.has(this.#bot)) return ["It is connected and waits for its first match."];
    if (tournament?.bots.includes(this.#bot))
      return ["It plays in the tournament: no match of it has ended yet."];
    const start = this.#bot.toLowerCase();
    const names = matches.flatMap(({ facts }) => facts.players);
    const similar = new Set(names.filter(name => name.toLowerCase().startsWith(start)));
    const standings = h("a", { href: "#/tables" }, "standings");
    return [
      "Nobody of this name has finished a match here. See the ",
      standings,
      ...(similar.size ? [", or names that begin so: "] : ["."]),
      ...[...similar].flatMap((name, at) => [at ? ", " : "", botLink(name)]),
    ];
  }
}

/**
 * Return the button that follows a bot in this browser.
 * @param {string} bot
 */
function followButton(bot) {
  const star = h("span", { "aria-hidden": "true" });
  const button = h("button", { type: "button", class: "follow-button" }, star, " Follow");
  button.title =
    "A star marks the bot in lists, its live matches come first in the lobby, and the TV prefers" +
    " them. Only this browser keeps that.";
  const show = () => {
    const isOn = isFollowed(bot);
    button.setAttribute("aria-pressed", String(isOn));
    setText(star, isOn ? "★" : "☆");
  };
  button.addEventListener("click", () => {
    follow(bot, !isFollowed(bot));
    show();
  });
  show();
  return button;
}
