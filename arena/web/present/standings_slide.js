// The slide with the best bots of each game.
import { h, isolated, setStyle } from "../dom.js";
import { columnHeads, gameTitle } from "../format.js";
import { ranking } from "../tournament/ranking.js";

/** @import { ArenaInfo, Leaderboard } from "../types.js" */
/** @import { Line } from "../tournament/ranking.js" */

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
