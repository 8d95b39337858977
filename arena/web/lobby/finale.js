// The end of a tournament, in the place of the live matches: podium, biggest upset and best games.
import { botLink } from "../bot_names.js";
import { h, isolated, setText } from "../dom.js";
import { eloText, rankTexts } from "../format.js";
import { matchesAddress } from "../matches_address.js";
import { resultRow } from "./latest_results.js";

/** @import { Leaderboard } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const PLACES = 3;
const BEST = 4; // games

export class Finale {
  element = h("div", { class: "finale", hidden: true });
  #heading = h("h2");
  #podium = h("ol", { class: "podium", role: "list" });
  #upset = h("p");
  #best = h("div");
  #connection;
  #hasAsked = false;
  /** Whether all its parts have arrived. */
  isComplete = false;

  /** @param {SpectatorConnection} connection */
  constructor(connection) {
    this.#connection = connection;
    this.element.append(this.#heading, this.#podium, this.#upset, this.#best);
  }

  /** @param {Leaderboard} standings */
  show(standings) {
    setText(this.#heading, standings.places.length ? "Final places" : "Final ratings");
    this.#podium.replaceChildren(...podium(standings));
    this.#upset.replaceChildren(...upset(standings));
    if (!this.#hasAsked) this.#listBestGames(standings.game);
  }

  /** @param {string} game */
  async #listBestGames(game) {
    this.#hasAsked = true;
    const filter = { game, max_blunders: 0 };
    try {
      const { games } = await this.#connection.ask("find_games", { ...filter, limit: BEST });
      if (!games.length) return;
      const rows = games.map(summary => resultRow(this.#connection.arena, summary));
      this.#best.replaceChildren(
        h("h3", {}, "Matches without a blunder"),
        h("ul", { class: "results", role: "list" }, rows),
        h("p", {}, h("a", { href: matchesAddress(filter) }, "All matches without a blunder")),
      );
    } catch {
      this.#hasAsked = false; // a busy arena or a lost connection: the next table asks again
    } finally {
      this.isComplete = true;
    }
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
