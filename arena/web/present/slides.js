// The slides with rounds, standings and upsets.
import { h, isolated, setStyle, setText } from "../dom.js";
import { columnHeads, gameTitle, meetingElements } from "../format.js";
import { isKnockout, ranking } from "../tournament/ranking.js";
import { Rounds } from "../tournament/rounds.js";

/** @import { Leaderboard, ArenaInfo, MatchSummary } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Line } from "../tournament/ranking.js" */

/**
 * @param {string} game
 * @param {string} bot
 */
const key = (game, bot) => `${game} ${bot}`;

/** The known ratings. */
export class Ratings {
  /** @type {Map<string, number | null>} */
  #known;

  /** @param {Leaderboard[]} games */
  constructor(games) {
    this.#known = new Map(
      games.flatMap(({ game, bots }) => bots.map(({ bot, elo }) => [key(game, bot), elo])),
    );
  }

  /**
   * Return the Elo of a bot, NaN if it is unknown.
   * @param {string} game
   * @param {string} bot
   */
  of(game, bot) {
    return this.#known.get(key(game, bot)) ?? NaN;
  }
}

// The slide with the bracket of a knockout, or the round of a Swiss that is played

const BRACKET = 8; // encounters of a round that are read from afar

const COLUMN = 6; // encounters of a single round, before there is a further column
const COLUMNS = 3;

/** The rounds that matter now, as large as they fit. */
export class RoundsSlide {
  #heading = h("h2");
  #rounds;
  element;
  isEmpty = true;

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#rounds = new Rounds(connection, signal);
    const parts = [this.#heading, this.#rounds.element];
    this.element = h(
      "section",
      { class: "slide", "aria-label": "Rounds of the tournament" },
      parts,
    );
  }

  /** @param {Leaderboard[]} tables */
  update(tables) {
    const standings = tables.find(({ rounds }) => rounds.length);
    this.isEmpty = !standings;
    if (!standings) return;
    const { rounds } = standings;
    const latest = rounds.findIndex(round => round.some(([, , , decided]) => !decided));
    const current = latest < 0 ? rounds.length - 1 : latest;
    const isBracket = isKnockout(standings) && rounds[current].length <= BRACKET;
    const first = isBracket
      ? rounds.findIndex(({ length }) => length > 0 && length <= BRACKET)
      : current;
    const last = isBracket ? rounds.length : first + 1;
    setText(this.#heading, isKnockout(standings) ? "Knockout" : "Swiss");
    this.element.classList.toggle("single-round", !isBracket);
    const columns = isBracket ? 1 : Math.min(COLUMNS, Math.ceil(rounds[first].length / COLUMN));
    const rows = Math.ceil(rounds[first].length / columns) + 1;
    setStyle(this.element, { "--columns": String(columns), "--rows": String(rows) });
    this.#rounds.show(standings, [...rounds.keys()].slice(first, last));
  }
}

// The slide with the best bots of each game

const TOP = 10; // bots of a table that can be read from the last row of a lecture hall
const TABLES = 2; // side by side

/** Large tables without details, which fill the screen. */
export class StandingsSlide {
  element = h("section", { class: "slide", "aria-label": "Standings" });
  isEmpty = true;

  /**
   * @param {ArenaInfo | null} arena
   * @param {Leaderboard[]} games
   */
  update(arena, games) {
    const shown = games.filter(({ bots }) => bots.length);
    this.isEmpty = !shown.length;
    const length = Math.ceil(TOP / shown.length);
    this.element.replaceChildren(
      ...shown.flatMap(standings => {
        const title = shown.length > 1 && `, ${gameTitle(arena, standings.game)}`;
        const { heads, lines } = ranking(standings);
        const starts = Array.from({ length: TABLES }, (_, at) => at * length);
        const tables = starts
          .filter(start => start < lines.length)
          .map(start => table(heads, lines.slice(start, start + length)));
        const rows = shown.length * Math.min(length, lines.length);
        const fit = h("div", { class: "top-bots" }, tables);
        setStyle(fit, { "--rows": String(rows + 2 * shown.length) });
        return [h("h2", {}, "Standings", title), fit];
      }),
    );
  }
}

/**
 * @param {string[]} heads
 * @param {Line[]} lines
 */
function table(heads, lines) {
  const rows = lines.map(({ rank, bot: { bot }, values }) =>
    h(
      "tr",
      {},
      h("td", { class: "faint" }, rank),
      h("th", { scope: "row", class: "name" }, isolated(bot)),
      values.map(value => h("td", {}, value)),
    ),
  );
  const head = h("tr", {}, columnHeads("#", "Bot", ...heads));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, rows));
}

// The slide with the upsets: the latest wins of bots over higher rated ones

const SHOWN = 5;
const KEPT = 500; // results; older ones are no news
const SMALLEST = 50; // Elo between the bots, below which a win is no surprise

/** The largest upsets among the latest results, by the ratings of now. */
export class UpsetsSlide {
  element = h("section", { class: "slide", "aria-label": "Upsets" });
  isEmpty = true;
  /** @type {Map<number, MatchSummary>} by match */
  #results = new Map();
  #ratings = new Ratings([]);

  /** @param {MatchSummary[]} results */
  add(results) {
    for (const summary of results) this.#results.set(summary.result.match, summary);
    const ids = [...this.#results.keys()].sort((one, other) => one - other);
    for (const id of ids.slice(0, -KEPT)) this.#results.delete(id);
    this.#show();
  }

  /** @param {Ratings} ratings */
  rate(ratings) {
    this.#ratings = ratings;
    this.#show();
  }

  #show() {
    const all = [...this.#results.values()]
      .map(summary => ({ summary, elo: this.#difference(summary) }))
      .filter(({ elo }) => elo >= SMALLEST);
    // One for each two bots: two that meet often would fill the slide.
    const latest = new Map(all.map(upset => [meeting(upset.summary), upset]));
    const upsets = [...latest.values()].sort((one, other) => other.elo - one.elo).slice(0, SHOWN);
    this.isEmpty = !upsets.length;
    const rows = upsets.map(({ summary, elo }) =>
      h(
        "li",
        {},
        h("p", {}, meetingElements(summary)),
        h("p", { class: "faint" }, `${Math.round(elo)} Elo lower`),
      ),
    );
    const list = h("ol", { class: "upsets", style: { "--rows": String(rows.length + 1) } }, rows);
    this.element.replaceChildren(h("h2", {}, "Upsets"), list);
  }

  /**
   * Return by how much the loser is rated above the winner; NaN if that is unknown.
   * @param {MatchSummary} summary
   */
  #difference({ facts, result }) {
    if (!result.winner || facts.casual) return NaN;
    const [winner, loser] = [result.winner, 3 - result.winner].map(player =>
      this.#ratings.of(facts.game, facts.players[player - 1]),
    );
    return loser - winner;
  }
}

/**
 * The game, the winner and the loser of a result.
 * @param {MatchSummary} summary
 */
function meeting({ facts: { game, players }, result: { winner } }) {
  return [game, ...(winner === 2 ? [players[1], players[0]] : players)].join(" ");
}
