// The standings: ratings with confidence intervals, and the crosstable of each game.

import { count, h, isolated, setText } from "../dom.js";
import { columnHeads, eloText, gameTitle, marginText, percentText } from "../format.js";
import { throttle } from "../timing.js";
import { Crosstable } from "./crosstable.js";
import { RatingScale } from "./rating_scale.js";

/** @import { LeaderboardRow, Child, Leaderboard, ViewOptions } from "../types.js" */

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
        sections.get(game) ?? new GameSection(game, gameTitle(connection.arena, game));
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
  #table;
  #crosstable;

  /**
   * @param {string} game
   * @param {string} title
   */
  constructor(game, title) {
    this.#game = game;
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
    const { bots, finished, judged, first_move: firstMove, note, blocks } = standings;
    const accuracies = `; accuracies from ${judged.toLocaleString("en")} of them`;
    setText(this.#counts, count(finished, "match", "matches") + (judged ? accuracies : ""));
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
