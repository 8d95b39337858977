// The order of the bots by the format of a tournament: ratings, points or places.
import { eloText, marginText, pointsText, rankTexts, sharedRanks } from "../format.js";

/** @import { Encounter, Leaderboard, LeaderboardRow } from "../types.js" */

/**
 * A bot with its rank, and the values by the heads.
 * @typedef {{ rank: string, bot: LeaderboardRow, values: (string | number)[] }} Line
 * @typedef {{ heads: string[], lines: Line[] }} Ranking
 */

/**
 * Whether a leaderboard is that of a knockout, whose few matches give no meaningful ratings.
 * @param {Leaderboard} standings
 */
export const isKnockout = ({ rounds, points }) => rounds.length > 0 && !points.length;

/**
 * Return the bots in the order of the format, the best one first.
 * @param {Leaderboard} standings
 * @returns {Ranking}
 */
export function ranking(standings) {
  const { bots, points } = standings;
  const hasDraws = bots.some(({ draws }) => draws);
  const heads = ["Won", ...(hasDraws ? ["Drawn"] : []), "Lost"];
  /** @param {LeaderboardRow} bot */
  const results = ({ wins, draws, losses }) => [wins, ...(hasDraws ? [draws] : []), losses];
  if (points.length) return { heads: ["Points", ...heads], lines: swissLines(standings, results) };
  if (isKnockout(standings)) return { heads, lines: knockoutLines(standings, results) };
  const ranks = rankTexts(bots);
  const lines = bots.map((bot, at) => ({
    rank: ranks[at],
    bot,
    values: [eloText(bot.elo), marginText(bot.margin), ...results(bot)],
  }));
  return { heads: ["Elo", "±", ...heads], lines };
}

/**
 * @param {Leaderboard} standings
 * @param {(bot: LeaderboardRow) => number[]} results
 * @returns {Line[]}
 */
function swissLines({ bots, points }, results) {
  const rows = new Map(bots.map(row => [row.bot, row]));
  const ranks = swissRanks(points);
  return points.flatMap(([, name, total], at) => {
    const bot = rows.get(name);
    return bot ? [{ rank: ranks[at], bot, values: [pointsText(total), ...results(bot)] }] : [];
  });
}

/**
 * Return the ranks of a Swiss, which bots share that no tie-break separates.
 * @param {Leaderboard["points"]} points
 */
export const swissRanks = points => sharedRanks(points.map(([rank]) => String(rank)));

/**
 * Those that are still in come first, then the eliminated ones, the last ones first.
 * @param {Leaderboard} standings
 * @param {(bot: LeaderboardRow) => number[]} results
 * @returns {Line[]}
 */
function knockoutLines({ bots, rounds }, results) {
  const places = knockoutPlaces(rounds);
  /** @param {LeaderboardRow} row */
  const placeOf = ({ bot }) => places.get(bot) ?? { place: 0, rank: "." };
  const sorted = bots.toSorted((one, other) => placeOf(one).place - placeOf(other).place);
  return sorted.map(bot => ({ rank: placeOf(bot).rank, bot, values: results(bot) }));
}

/**
 * Return the places of the champion and of the bots that are eliminated: those of a round share one.
 * @param {Encounter[][]} rounds
 */
function knockoutPlaces(rounds) {
  /** @type {Map<string, { place: number, rank: string }>} */
  const places = new Map();
  for (const round of rounds) {
    const place = round.length + 1;
    const isShared = round.filter(([, , , decided]) => decided !== "bye").length > 1;
    for (const [players, , winner] of round) {
      const loser = players.find(bot => winner && bot !== winner);
      if (loser) places.set(loser, { place, rank: `${isShared ? "=" : ""}${place}` });
    }
  }
  const champion = rounds.at(-1)?.[0][2];
  if (champion) places.set(champion, { place: 1, rank: "1" });
  return places;
}
