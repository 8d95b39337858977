// The end of a tournament, in the place of the live matches: podium, biggest upset and best games.
import { botLink } from "../bot_names.js";
import { h, isolated } from "../dom.js";
import { eloText, rankTexts } from "../format.js";
import { matchesAddress } from "../matches_address.js";
import { resultRow } from "./latest_results.js";

/** @import { Leaderboard } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const PLACES = 3;
const BEST = 4; // games

export class Finale {
  element = h("div", { class: "finale", hidden: true });
  #podium = h("ol", { class: "podium", role: "list" });
  #upset = h("p");
  #best = h("div");
  #connection;
  #hasAsked = false;

  /** @param {SpectatorConnection} connection */
  constructor(connection) {
    this.#connection = connection;
    this.element.append(h("h2", {}, "Final ratings"), this.#podium, this.#upset, this.#best);
  }

  /** @param {Leaderboard} standings */
  show(standings) {
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
    }
  }
}

/** @param {Leaderboard} standings */
function podium({ bots }) {
  const ranks = rankTexts(bots);
  return bots.slice(0, PLACES).map(({ bot, elo }, place) => {
    const rating = h("span", { class: "faint" }, `${eloText(elo)} Elo`);
    return h(
      "li",
      { class: `place-${place + 1}` },
      botLink(bot),
      rating,
      h("span", { class: "step" }, ranks[place]),
    );
  });
}

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
