// The standings of a Swiss.
import { botLink } from "../bot_names.js";
import { h } from "../dom.js";
import { columnHeads, pointsText, sumText } from "../format.js";
import { swissRanks } from "./ranking.js";

/** @import { Leaderboard } from "../types.js" */

/** @param {Leaderboard["points"]} points */
export function pointsTable(points) {
  const ranks = swissRanks(points);
  const hasByes = points.some(row => row[5]);
  const heads = ["#", "Bot", "Points", "Buchholz", "Berger", ...(hasByes ? ["Byes"] : [])];
  const rows = points.map(([, bot, total, buchholz, berger, byes], at) =>
    h("tr", {}, [
      h("td", { class: "faint" }, ranks[at]),
      h("th", { scope: "row", class: "name" }, botLink(bot)),
      [
        pointsText(total),
        sumText(buchholz),
        sumText(berger),
        ...(hasByes ? [byes || "."] : []),
      ].map(text => h("td", {}, text)),
    ]),
  );
  const head = h("thead", {}, h("tr", {}, columnHeads(...heads)));
  return h("table", { class: "swiss" }, head, h("tbody", {}, rows));
}
