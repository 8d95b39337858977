// Links to the analysis of a position.
import { addSetup } from "./setup.js";

/** @import { Setup } from "./types.js" */

/**
 * Return the address of the analysis of a position.
 *
 * `moves` are those before it, `then` those of a game after it; `depth` is that of the search in
 * plies, empty for none.
 * @param {string} game
 * @param {Setup} setup
 * @param {{ moves: number[], depth?: number | "", then?: number[] }} position
 */
export function analysisAddress(game, setup, position) {
  const query = new URLSearchParams({ game });
  addSetup(query, setup);
  const fields = Object.entries(position).map(([name, value]) => `&${name}=${value}`);
  return `#/analysis?${query}${fields.join("")}`;
}
