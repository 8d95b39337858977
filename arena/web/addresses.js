// Addresses of views, and the setup of a game in them.

/** @import { Setup, MatchFilter } from "./types.js" */

/** The search depth with which an analysis begins, in plies. */
export const ANALYSIS_DEPTH = 4;

/**
 * Add a setup to the query of an address.
 * @param {URLSearchParams} query
 * @param {Setup} setup
 */
export function addSetup(query, setup) {
  for (const [name, value] of Object.entries(setup)) query.set(name, String(value));
}

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

/**
 * Return the address of the matches that pass a filter.
 * @param {Omit<MatchFilter, "setup">} filter
 * @param {Setup} [setup]
 */
export function matchesAddress(filter, setup = {}) {
  const given = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(given);
  addSetup(query, setup);
  return `#/games?${query}`;
}
