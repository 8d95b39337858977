// The slide with the best bots of each game.
import { h, isolated } from "../dom.js";
import { columnHeads, eloText, gameTitle, marginText, rankTexts } from "../format.js";

/** @import { ArenaInfo, Leaderboard, LeaderboardRow } from "../types.js" */

const TOP = 10; // bots that can be read from the last row of a lecture hall

/** Large tables without details. */
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
    this.element.replaceChildren(
      ...shown.flatMap(({ game, bots }) => [
        h("h2", {}, shown.length > 1 ? `Standings, ${gameTitle(arena, game)}` : "Standings"),
        table(bots, Math.ceil(TOP / shown.length)),
      ]),
    );
  }
}

/**
 * @param {LeaderboardRow[]} bots
 * @param {number} length
 */
function table(bots, length) {
  const ranks = rankTexts(bots);
  const hasDraws = bots.some(({ draws }) => draws);
  const names = ["#", "Bot", "Elo", "±", "Won", ...(hasDraws ? ["Drawn"] : []), "Lost"];
  const head = h("tr", {}, columnHeads(...names));
  const rows = bots.slice(0, length).map(({ bot, elo, margin, wins, draws, losses }, at) =>
    h(
      "tr",
      {},
      h("td", { class: "faint" }, ranks[at]),
      h("th", { scope: "row", class: "name" }, isolated(bot)),
      [eloText(elo), marginText(margin), wins, ...(hasDraws ? [draws] : []), losses].map(text =>
        h("td", {}, text),
      ),
    ),
  );
  return h("table", {}, h("thead", {}, head), h("tbody", {}, rows));
}
