// The end of a tournament in words: who has won, by how much, and over whom.
import { botLink } from "../bot_names.js";
import { h } from "../dom.js";
import { pointsText, sumText } from "../format.js";
import { matchesAddress } from "../matches_address.js";
import { isKnockout } from "./ranking.js";

/** @import { Child, Leaderboard } from "../types.js" */

const TIE_BREAKS = ["Buchholz", "Sonneborn-Berger"];

/**
 * Return the two bots between which the tournament was decided, the winner first.
 * @param {Leaderboard} standings
 * @returns {[string, string] | null} null for a single bot
 */
export function firstTwo(standings) {
  const { bots, points, rounds } = standings;
  if (isKnockout(standings)) {
    const [players, , winner] = rounds[rounds.length - 1][0];
    const loser = players.find(bot => bot !== winner);
    return winner && loser ? [winner, loser] : null;
  }
  const names = points.length ? points.map(([, bot]) => bot) : bots.map(({ bot }) => bot);
  return names.length > 1 ? [names[0], names[1]] : null;
}

/**
 * Return a sentence with the winner and its lead, and the score of the first two.
 * @param {Leaderboard} standings
 * @returns {Child[]}
 */
export function victory(standings) {
  const names = firstTwo(standings);
  if (!names) return [];
  const [first, second] = names;
  if (isKnockout(standings)) return finalSentence(standings, first, second);
  const score = meetingScore(standings, first, second);
  const href = matchesAddress({ bot: first, opponent: second, game: standings.game });
  const matches = score && [" The matches of the two ended ", h("a", { href }, score), "."];
  return [...leadSentence(standings, first, second), ...(matches || [])];
}

/**
 * @param {Leaderboard} standings
 * @param {string} first
 * @param {string} second
 */
function finalSentence({ game, rounds }, first, second) {
  const [players, points, , decided] = rounds[rounds.length - 1][0];
  const score = players[0] === first ? points : [points[1], points[0]];
  const href = matchesAddress({ bot: first, opponent: second, game });
  const link = h("a", { href }, score.map(pointsText).join("–"));
  if (decided === "seed") {
    const reason = ": it was level, and the better seed has won.";
    return [botLink(first), " drew the final ", link, " with ", botLink(second), reason];
  }
  const end = decided === "sudden death" ? " in sudden death." : ".";
  return [botLink(first), " won the final ", link, " against ", botLink(second), end];
}

/**
 * @param {Leaderboard} standings
 * @param {string} first
 * @param {string} second
 */
function leadSentence({ bots, points }, first, second) {
  const shared = [botLink(first), " and ", botLink(second), " share the first place."];
  if (!points.length) {
    const lead = Math.round(bots[0].elo ?? NaN) - Math.round(bots[1].elo ?? NaN);
    if (Number.isNaN(lead)) return [];
    const text = ` is first, rated ${lead} Elo above `;
    return lead ? [botLink(first), text, botLink(second), "."] : shared;
  }
  const [[rank, , most, ...ties], [nextRank, , next, ...otherTies]] = points;
  if (most > next) {
    const text = ` is first with ${pointsCount(most)}, ${pointsText(most - next)} more than `;
    return [botLink(first), text, botLink(second), "."];
  }
  if (rank === nextRank) return shared;
  const text = ` is first with ${pointsCount(most)}, as many as `;
  const at = TIE_BREAKS.findIndex((_, place) => ties[place] !== otherTies[place]);
  const reason = TIE_BREAKS[at] && `a ${TIE_BREAKS[at]} of ${sumText(ties[at])} to `;
  const end = reason ? `${reason}${sumText(otherTies[at])}.` : "was better against it.";
  return [botLink(first), text, botLink(second), `, and ${end}`];
}

/** @param {number} points */
const pointsCount = points => `${pointsText(points)} ${points === 1 ? "point" : "points"}`;

/**
 * Return the points of two bots against each other, "5–3"; an empty text if they have not met.
 * @param {Leaderboard} standings
 * @param {string} first
 * @param {string} second
 */
function meetingScore({ bots, meetings }, first, second) {
  for (const [one, other, [won, lost], [wonSecond, lostSecond], , draws] of meetings) {
    const drawn = (draws[0] + draws[1]) / 2;
    const score = [won + wonSecond + drawn, lost + lostSecond + drawn].map(pointsText);
    if (bots[one].bot === first && bots[other].bot === second) return score.join("–");
    if (bots[one].bot === second && bots[other].bot === first) return score.reverse().join("–");
  }
  return "";
}
