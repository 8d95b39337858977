// The end of a tournament, in the place of the live matches: who has won and by how much, the podium,
// the bracket, the matches that decided it, the biggest upset and the best games.
import { botLink } from "../bot_names.js";
import { h, isolated, setText } from "../dom.js";
import { eloText, rankTexts } from "../format.js";
import { matchesAddress } from "../matches_address.js";
import { isKnockout } from "../tournament/ranking.js";
import { Rounds } from "../tournament/rounds.js";
import { firstTwo, victory } from "../tournament/victory.js";
import { resultRow } from "./latest_results.js";

/** @import { Leaderboard, MatchFilter } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const PLACES = 3;
const LISTED = 4; // matches

export class Finale {
  element = h("div", { class: "finale", hidden: true });
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
