// The standings: ratings with confidence intervals, and the crosstable of each game.

import { count, h, setText, skeleton } from "../dom.js";
import { throttle } from "../events.js";
import { gameTitle, rankTexts } from "../format.js";
import { Sorting } from "../sorting.js";
import { isKnockout, ranking } from "../tournament/ranking.js";
import { Rounds } from "../tournament/rounds.js";
import { gauntletTable, pointsTable } from "../tournament/tables.js";
import { Crosstable } from "./crosstable.js";
import { Plots } from "./plots.js";
import { COLUMNS, RatingScale, Row } from "./rating_table.js";

/** @import { LeaderboardRow, Child, Leaderboard, Margins, ViewOptions } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { RankedRow } from "./rating_table.js" */

const CROSSTABLE_BOTS = 100; // of a leaderboard, which have all of their meetings
const REFERENCES = 10; // that have theirs in a larger one
const INTERVAL = 1000; // milliseconds between updates
const LINES = 20; // while the tables are being loaded

/** @param {ViewOptions} options */
export function view({ main, connection, signal }) {
  /** @type {Map<string, GameSection>} */
  const sections = new Map();
  const nothing = h("p", { class: "faint", hidden: true }, "No rated match has finished yet.");
  const loading = skeleton(LINES, "Loading the standings…");
  const rounds = new Rounds(connection, signal); // from now on it follows the live matches
  main.append(h("h1", {}, "Standings"), nothing, loading);
  /** @param {Leaderboard[]} games */
  const update = games => {
    const shown = games.filter(({ bots }) => bots.length);
    nothing.hidden = shown.length > 0;
    loading.remove();
    for (const standings of shown) {
      const { game } = standings;
      const section =
        sections.get(game) ??
        new GameSection(game, gameTitle(connection.arena, game), rounds, connection, signal);
      if (!sections.has(game)) main.append(section.element);
      sections.set(game, section);
      section.update(standings);
    }
  };
  const throttled = throttle(INTERVAL, signal, update);
  connection.on("tables", ({ tables }) => throttled(tables), signal);
  connection.watch(null);
}

/**
 * A region that can be scrolled sideways.
 * @param {string} label
 * @param {...Child} children
 */
const scrollable = (label, ...children) => {
  const properties = { class: "wide card", role: "region", tabindex: 0, "aria-label": label };
  return h("div", properties, children);
};

/** The standings of one game. */
class GameSection {
  /** @type {Map<string, Row>} by bot */
  #rows = new Map();
  #body = h("tbody");
  #axis = h("th", { scope: "col", class: "plot" });
  #counts = h("p", { class: "faint" });
  #note = h("p", { class: "warning" });
  #firstMove = h("p", { class: "faint" });
  #format = h("div");
  #rounds;
  #sorting = new Sorting(COLUMNS, "#", () => {
    if (this.#standings) this.#showRows(this.#standings);
  });
  #game;
  #connection;
  #table;
  #crosstable;
  #plots;
  /** @type {Leaderboard | null} */
  #standings = null;
  /** @type {Margins | null} the last known ones of a table that is sent without */
  #margins = null;
  #isAsking = false;

  /**
   * @param {string} game
   * @param {string} title
   * @param {Rounds} rounds those of the tournament
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(game, title, rounds, connection, signal) {
    this.#game = game;
    this.#rounds = rounds;
    this.#connection = connection;
    this.#crosstable = new Crosstable(game, title);
    this.#plots = new Plots({ game }, `Plots of ${title}`, connection, signal);
    const left = this.#sorting.heads("#", "Bot", "Elo", "±");
    const right = this.#sorting.heads("Won", "Drawn", "Lost", "Pairs", "Accuracy", "Forfeits");
    const head = h("thead", {}, h("tr", {}, left, this.#axis, right));
    this.#table = h("table", { class: "standings" }, head, this.#body);
    const parts = [
      h("h2", {}, title),
      this.#counts,
      this.#format,
      this.#note,
      scrollable(`Standings in ${title}`, this.#table),
      this.#firstMove,
      this.#crosstable.element,
      this.#plots.element,
    ];
    this.element = h("section", {}, parts);
  }

  /** @param {Leaderboard} standings */
  update(standings) {
    this.#standings = standings;
    if (standings.bots.some(lacksMargin)) this.#askForMargins();
    this.#show(this.#withMargins(standings));
  }

  /** Ask for the margins of a large table: one question at a time. */
  async #askForMargins() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      this.#margins = await this.#connection.ask("find_margins", { game: this.#game });
      if (this.#standings) this.#show(this.#withMargins(this.#standings));
    } catch {
      // Too many bots, a busy arena, or a lost connection: the table stays without.
    } finally {
      this.#isAsking = false;
    }
  }

  /**
   * Fill the margins that are known into a table that was sent without.
   * @param {Leaderboard} standings
   * @returns {Leaderboard}
   */
  #withMargins(standings) {
    if (!this.#margins || !standings.bots.some(lacksMargin)) return standings;
    const { margins, first_move } = this.#margins;
    const bots = standings.bots.map(bot => ({ ...bot, margin: margins[bot.bot] ?? null }));
    return { ...standings, bots, first_move };
  }

  /** @param {Leaderboard} standings */
  #show(standings) {
    const { bots, finished, judged, first_move: firstMove, note, omitted } = standings;
    const accuracies = `; accuracies from ${judged.toLocaleString("en")} of them`;
    const rest = `; ${count(omitted, "bot", "bots")} with fewer matches not shown`;
    const counts = count(finished, "match", "matches");
    setText(this.#counts, counts + (judged ? accuracies : "") + (omitted ? rest : ""));
    const isRated = bots.some(({ elo }) => elo !== null);
    const rated = firstMove.replaceAll("+-", "±").replace(/-(?=\d)/g, "−");
    setText(this.#firstMove, isRated ? rated : "No bot has a rating yet.");
    setText(this.#note, note);
    // The few matches of a knockout give no ratings worth showing.
    const hasRatings = !isKnockout(standings);
    this.#note.hidden = !note || !hasRatings;
    this.#firstMove.hidden = !hasRatings;
    this.#table.classList.toggle("unranked", !hasRatings);
    this.#table.classList.toggle(
      "unjudged",
      bots.every(({ accuracy }) => accuracy === null),
    );
    this.#table.classList.toggle(
      "undrawn",
      bots.every(({ draws }) => !draws),
    );
    this.#table.classList.toggle(
      "unpaired",
      bots.every(({ pairs }) => pairs.every(number => !number)),
    );
    this.#showRows(standings);
    this.#showFormat(standings);
    this.#plots.update(finished);
  }

  /** @param {Leaderboard} standings */
  #showRows(standings) {
    const { bots } = this.#withMargins(standings);
    const ranks = rankTexts(bots);
    const ranked = isKnockout(standings)
      ? ranking(standings).lines.map(({ rank, bot }) => ({ ...bot, rank }))
      : bots.map((bot, at) => ({ ...bot, rank: ranks[at] }));
    const scale = new RatingScale(bots);
    this.#axis.replaceChildren(scale.drawAxis());
    for (const [place, bot] of this.#sorting.sort(ranked).entries()) {
      this.#placeRow(bot, place, scale);
    }
    while (this.#body.rows.length > bots.length) this.#body.lastChild?.remove();
  }

  /**
   * Update the row of a bot, and move it only if its place has changed.
   * @param {RankedRow} bot
   * @param {number} place
   * @param {RatingScale} scale
   */
  #placeRow(bot, place, scale) {
    const row = this.#rows.get(bot.bot) ?? new Row(bot.bot);
    this.#rows.set(bot.bot, row);
    const present = this.#body.rows[place] ?? null;
    if (present !== row.element) this.#body.insertBefore(row.element, present);
    row.update(bot, scale);
  }

  /**
   * Show the points and rounds of a Swiss, the bracket of a knockout, the scores of a gauntlet, or
   * of any other format the crosstable.
   * @param {Leaderboard} standings
   */
  #showFormat(standings) {
    const { game, points, rounds } = standings;
    const tournament = this.#connection.arena?.tournament;
    const references = tournament?.game === game ? tournament.references : 0;
    const most = standings.bots.length > CROSSTABLE_BOTS ? REFERENCES : references;
    const playing = tournament?.bots.slice(0, Math.min(references, most)) ?? [];
    const parts = playing.flatMap(bot =>
      titled(`${bot} against the others`, gauntletTable(bot, standings)),
    );
    if (points.length) parts.push(...titled("Points", pointsTable(points)));
    const format = h("div", {}, parts);
    if (!format.isEqualNode(this.#format)) {
      this.#format.replaceWith(format);
      this.#format = format;
    }
    if (rounds.length) this.#showRounds(standings);
    this.#crosstable.element.hidden = references > 0 || isKnockout(standings);
    if (!this.#crosstable.element.hidden) this.#crosstable.update(standings);
  }

  /** @param {Leaderboard} standings */
  #showRounds(standings) {
    this.#rounds.show(standings);
    if (this.#rounds.element.isConnected) return; // it may be scrolled: it stays
    const heading = h("h3", {}, isKnockout(standings) ? "Bracket" : "Rounds");
    this.#format.after(heading, this.#rounds.element);
  }
}

/**
 * @param {string} heading
 * @param {HTMLElement} table
 */
const titled = (heading, table) => [h("h3", {}, heading), scrollable(heading, table)];

/** @param {LeaderboardRow} bot */
const lacksMargin = ({ elo, margin }) => elo !== null && margin === null;
