// The end of a tournament, in the place of the live matches: who has won and by how much, the podium,
// the bracket, the matches that decided it, the biggest upset and the best games.

import { h, isolated, setText } from "../dom.js";
import { eloText, pointsText, rankTexts, sumText } from "../format.js";
import { botLink, matchesAddress } from "../links.js";
import { isKnockout } from "../tournament/ranking.js";
import { Rounds } from "../tournament/rounds.js";
import { resultRow } from "./latest_results.js";

/** @import { Leaderboard, MatchFilter, Child } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const PLACES = 3;
const LISTED = 4; // matches

export class Finale {
  element = h("div", { class: "finale" });
  #heading = h("h2");
  #victory = h("p", { class: "victory" });
  #podium = h("ol", { class: "podium", role: "list" });
  #upset = h("p");
  #deciding = h("div");
  #best = h("div");
  #rounds;
  #connection;
  #hasAsked = false;
  /** Whether all its parts have arrived. */
  isComplete = false;

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#connection = connection;
    this.#rounds = new Rounds(connection, signal);
    const { element } = this.#rounds;
    const texts = [this.#heading, this.#victory, this.#podium, element, this.#upset];
    this.element.append(...texts, h("div", { class: "matches" }, this.#deciding, this.#best));
  }

  /** @param {Leaderboard} standings */
  show(standings) {
    setText(this.#heading, standings.places.length ? "Final places" : "Final ratings");
    this.#victory.replaceChildren(h("span", {}, victory(standings)));
    this.#podium.replaceChildren(...podium(standings));
    this.#rounds.element.hidden = !standings.rounds.length;
    if (standings.rounds.length) this.#rounds.show(standings);
    const seeds = this.#connection.arena?.tournament?.bots ?? [];
    this.#upset.replaceChildren(
      ...(isKnockout(standings) ? seedUpset(standings, seeds) : upset(standings)),
    );
    if (!this.#hasAsked) this.#listMatches(standings);
  }

  /** @param {Leaderboard} standings */
  async #listMatches(standings) {
    this.#hasAsked = true;
    const { game } = standings;
    const names = firstTwo(standings);
    const title = isKnockout(standings) ? "Matches of the final" : "Matches of the first two";
    const best = { game, max_blunders: 0 };
    try {
      await Promise.all([
        names && this.#list(this.#deciding, title, { game, bot: names[0], opponent: names[1] }),
        this.#list(this.#best, "Matches without a blunder", best),
      ]);
    } catch {
      this.#hasAsked = false; // a busy arena or a lost connection: the next table asks again
    } finally {
      this.isComplete = true;
    }
  }

  /**
   * List the latest matches that pass a filter.
   * @param {HTMLElement} element
   * @param {string} title
   * @param {Omit<MatchFilter, "setup">} filter
   */
  async #list(element, title, filter) {
    const { games } = await this.#connection.ask("find_games", { ...filter, limit: LISTED });
    if (!games.length) return;
    const rows = games.map(summary => resultRow(this.#connection.arena, summary));
    const all = `All ${title[0].toLowerCase()}${title.slice(1)}`;
    element.replaceChildren(
      h("h3", {}, title),
      h("ul", { class: "results", role: "list" }, rows),
      h("p", {}, h("a", { href: matchesAddress(filter) }, all)),
    );
  }
}

/** @param {Leaderboard} standings */
function podium({ bots, places }) {
  if (places.length) {
    const ranks = places.map(([rank]) => rank);
    const isShared = ranks.map(rank => ranks.indexOf(rank) !== ranks.lastIndexOf(rank));
    return places.map(([rank, bot, score], at) =>
      step(bot, score, rank, isShared[at] ? `=${rank}` : `${rank}`),
    );
  }
  const ranks = rankTexts(bots);
  return bots.slice(0, PLACES).map(({ bot, elo }, at) => {
    const place = Number(ranks[at].replace("=", "")) || at + 1;
    return step(bot, `${eloText(elo)} Elo`, place, ranks[at]);
  });
}

/**
 * @param {string} bot
 * @param {string} score
 * @param {number} place that of the step on the podium
 * @param {string} rank
 */
const step = (bot, score, place, rank) =>
  h("li", { class: `place-${place}` }, [
    botLink(bot),
    h("span", { class: "faint" }, score),
    h("span", { class: "step" }, rank),
  ]);

/**
 * Describe the win over the bot whose rating is higher by most.
 * @param {Leaderboard} standings
 */
function upset({ game, bots, meetings }) {
  const upsets = meetings
    .filter(([, , [, first], [, second]]) => first + second > 0)
    .map(([one, other]) => ({
      loser: bots[one].bot,
      winner: bots[other].bot,
      elo: (bots[one].elo ?? NaN) - (bots[other].elo ?? NaN),
    }))
    .filter(({ elo }) => Math.round(elo) > 0)
    .sort((one, other) => other.elo - one.elo);
  if (!upsets.length) return [];
  const [{ winner, loser, elo }] = upsets;
  const href = matchesAddress({ bot: winner, opponent: loser, game, outcome: "won" });
  return [
    "Biggest upset: ",
    h("a", { href }, isolated(winner), " beat ", isolated(loser)),
    `, rated ${Math.round(elo)} Elo higher.`,
  ];
}

/**
 * Describe the win over the bot that was seeded higher by most.
 * @param {Leaderboard} standings
 * @param {string[]} seeds
 */
function seedUpset({ game, rounds }, seeds) {
  const upsets = rounds.flat().flatMap(([players, , winner]) => {
    const loser = players.find(bot => bot !== winner);
    if (!winner || !loser) return [];
    return [{ winner, loser, places: seeds.indexOf(winner) - seeds.indexOf(loser) }];
  });
  const [greatest] = upsets.sort((one, other) => other.places - one.places);
  if (!greatest || greatest.places <= 0) return [];
  const { winner, loser } = greatest;
  const href = matchesAddress({ bot: winner, opponent: loser, game });
  return [
    "Biggest upset: ",
    h("a", { href }, isolated(winner), " eliminated ", isolated(loser)),
    `, seed ${seeds.indexOf(winner) + 1} against seed ${seeds.indexOf(loser) + 1}.`,
  ];
}

// The end in words: who has won, by how much, and over whom

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
