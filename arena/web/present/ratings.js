// Ratings of the bots in all games.

/** @import { Leaderboard } from "../types.js" */

/**
 * @param {string} game
 * @param {string} bot
 */
const key = (game, bot) => `${game} ${bot}`;

/** The known ratings. */
export class Ratings {
  /** @type {Map<string, number | null>} */
  #known;

  /** @param {Leaderboard[]} games */
  constructor(games) {
    this.#known = new Map(
      games.flatMap(({ game, bots }) => bots.map(({ bot, elo }) => [key(game, bot), elo])),
    );
  }

  /**
   * Return the Elo of a bot, NaN if it is unknown.
   * @param {string} game
   * @param {string} bot
   */
  of(game, bot) {
    return this.#known.get(key(game, bot)) ?? NaN;
  }
}
