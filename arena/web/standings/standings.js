// The standings: ratings with confidence intervals, and the crosstable of each game.

import { count, h, isolated, setText } from "../dom.js";
import { columnHeads, eloText, gameTitle, marginText, percentText } from "../format.js";
import { throttle } from "../timing.js";
import { Crosstable } from "./crosstable.js";
import { RatingScale } from "./rating_scale.js";

/** @import { LeaderboardRow, Child, Leaderboard, Margins, ViewOptions } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const INTERVAL = 1000; // milliseconds between updates

/** @param {ViewOptions} options */
export function view({ main, connection, signal }) {
  /** @type {Map<string, GameSection>} */
  const sections = new Map();
  const nothing = h("p", { class: "faint" }, "No rated match has finished yet.");
  main.append(h("h1", {}, "Standings"), nothing);
  /** @param {Leaderboard[]} games */
  const update = games => {
    const shown = games.filter(({ bots }) => bots.length);
    nothing.hidden = shown.length > 0;
    for (const standings of shown) {
      const { game } = standings;
      const section =
        sections.get(game) ?? new GameSection(game, gameTitle(connection.arena, game), connection);
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
  #blocks = h("div");
  #shownBlocks = "";
  #game;
  #connection;
  #table;
  #crosstable;
  /** @type {Leaderboard | null} */
  #standings = null;
  /** @type {Margins | null} the last known ones of a table that is sent without */
  #margins = null;
  #isAsking = false;

  /**
   * @param {string} game
   * @param {string} title
   * @param {SpectatorConnection} connection
   */
  constructor(game, title, connection) {
    this.#game = game;
    this.#connection = connection;
    this.#crosstable = new Crosstable(title);
    const left = columnHeads("#", "Bot", "Elo", "±");
    const right = columnHeads("Won", "Drawn", "Lost", "Accuracy", "Forfeits");
    const head = h("thead", {}, h("tr", {}, left, this.#axis, right));
    this.#table = h("table", { class: "standings" }, head, this.#body);
    const parts = [
      h("h2", {}, title),
      this.#counts,
      this.#note,
      scrollable(`Standings in ${title}`, this.#table),
      this.#firstMove,
      this.#blocks,
      this.#crosstable.element,
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
    const { bots, finished, judged, first_move: firstMove, note, blocks, omitted } = standings;
    const accuracies = `; accuracies from ${judged.toLocaleString("en")} of them`;
    const rest = `; ${count(omitted, "bot", "bots")} with fewer matches not shown`;
    const counts = count(finished, "match", "matches");
    setText(this.#counts, counts + (judged ? accuracies : "") + (omitted ? rest : ""));
    const isRated = bots.some(({ elo }) => elo !== null);
    setText(this.#firstMove, isRated ? firstMove : "No bot has a rating yet.");
    setText(this.#note, note);
    this.#note.hidden = !note;
    this.#table.classList.toggle(
      "unjudged",
      bots.every(({ accuracy }) => accuracy === null),
    );
    this.#table.classList.toggle(
      "undrawn",
      bots.every(({ draws }) => !draws),
    );
    const scale = new RatingScale(bots);
    this.#axis.replaceChildren(scale.drawAxis());
    for (const [rank, bot] of bots.entries()) this.#placeRow(bot, rank, scale);
    while (this.#body.rows.length > bots.length) this.#body.lastChild?.remove();
    this.#showBlocks(blocks);
    this.#crosstable.update(standings);
  }

  /**
   * Update the row of a bot, and move it only if its rank has changed.
   * @param {LeaderboardRow} bot
   * @param {number} rank
   * @param {RatingScale} scale
   */
  #placeRow(bot, rank, scale) {
    const row = this.#rows.get(bot.bot) ?? new Row(bot.bot, this.#game);
    this.#rows.set(bot.bot, row);
    const present = this.#body.rows[rank] ?? null;
    if (present !== row.element) this.#body.insertBefore(row.element, present);
    row.update(bot, rank, scale);
  }

  /** @param {Leaderboard["blocks"]} blocks */
  #showBlocks(blocks) {
    const texts = blocks.flat().join();
    if (this.#shownBlocks === texts) return;
    this.#shownBlocks = texts;
    this.#blocks.replaceChildren(
      ...blocks.flatMap(([heading, text]) => [
        h("h3", {}, heading),
        scrollable(heading, h("pre", {}, text)),
      ]),
    );
  }
}

/** @param {LeaderboardRow} bot */
const lacksMargin = ({ elo, margin }) => elo !== null && margin === null;

/** The row of a bot, with its confidence interval as a drawing. */
class Row {
  #cells = Array.from({ length: 8 }, () => h("td"));
  #plot = h("td", { class: "plot" });
  #drawn = "";

  /**
   * @param {string} bot
   * @param {string} game
   */
  constructor(bot, game) {
    const [rank, elo, margin, ...others] = this.#cells;
    const href = `#/games?${new URLSearchParams({ bot, game })}`;
    const properties = { scope: "row", class: "name", title: bot };
    const name = h("th", properties, h("a", { href }, isolated(bot)));
    this.element = h("tr", {}, rank, name, elo, margin, this.#plot, others);
  }

  /**
   * @param {LeaderboardRow} bot
   * @param {number} rank
   * @param {RatingScale} scale
   */
  update(bot, rank, scale) {
    const { elo, margin, wins, draws, losses, forfeits, accuracy } = bot;
    const ratings = [rank + 1, eloText(elo), marginText(margin)];
    const texts = [...ratings, wins, draws, losses, percentText(accuracy), forfeits || "."];
    for (const [at, text] of texts.entries()) setText(this.#cells[at], String(text));
    const drawn = [scale.key, elo, margin].join();
    if (this.#drawn === drawn) return;
    this.#drawn = drawn;
    this.#plot.replaceChildren(scale.drawInterval(bot));
  }
}
