// The tables of a gauntlet and of a Swiss.

import { h } from "../dom.js";
import { columnHeads, eloText, percentText, pointsText, sumText } from "../format.js";
import { botLink, matchesAddress } from "../links.js";
import { swissRanks } from "./ranking.js";

/** @import { Leaderboard } from "../types.js" */

/** @typedef {{ opponent: string, elo: number | null, first: Side, second: Side }} Score */
/** @typedef {[points: number, lost: number]} Side points of the reference bot and of its opponent */

/**
 * Return the table of a reference bot: its points against each opponent, the hardest one first.
 * @param {string} bot
 * @param {Leaderboard} standings
 */
export function gauntletTable(bot, standings) {
  const { game } = standings;
  const scores = scoresOf(bot, standings).sort((one, other) => shareOf(one) - shareOf(other));
  const rows = scores.map(score => {
    const { opponent, elo, first, second } = score;
    const share = shareOf(score);
    const href = matchesAddress({ bot, opponent, game });
    const points = sideText([first[0] + second[0], first[1] + second[1]]);
    const heat = share === 0.5 ? "" : ` ${share > 0.5 ? "above" : "below"} heat-2`;
    return h("tr", {}, [
      h("th", { scope: "row", class: "name" }, botLink(opponent)),
      h("td", { class: `points${heat}` }, h("a", { href }, points)),
      [percentText(share), sideText(first), sideText(second), eloText(elo)].map(text =>
        h("td", {}, text),
      ),
    ]);
  });
  const heads = ["Bot", "Points", "Share", "Player 1", "Player 2", "Elo"];
  const head = h("thead", {}, h("tr", {}, columnHeads(...heads)));
  return h("table", { class: "gauntlet" }, head, h("tbody", {}, rows));
}

/**
 * @param {string} bot
 * @param {Leaderboard} standings
 * @returns {Score[]}
 */
function scoresOf(bot, { bots, meetings }) {
  const place = bots.findIndex(row => row.bot === bot);
  return meetings.flatMap(([one, other, won, wonSecond, , draws]) => {
    if (one !== place && other !== place) return [];
    const sides = /** @type {[Side, Side]} */ (
      [won, wonSecond].map(([wins, losses], at) => [wins + draws[at] / 2, losses + draws[at] / 2])
    );
    const { bot: opponent, elo } = bots[one === place ? other : one];
    // The other bot is player 2 where this one is player 1.
    const [first, second] = one === place ? sides : [reversed(sides[1]), reversed(sides[0])];
    return [{ opponent, elo, first, second }];
  });
}

/**
 * @param {Side} side
 * @returns {Side}
 */
const reversed = ([points, lost]) => [lost, points];

/** @param {Score} score */
const shareOf = ({ first, second }) => (first[0] + second[0]) / (sum(first) + sum(second));

/** @param {Side} side */
const sum = ([points, lost]) => points + lost;

/** @param {Side} side */
const sideText = ([points, lost]) => `${pointsText(points)}–${pointsText(lost)}`;

// The standings of a Swiss
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
