// Links to lists of matches: a module of its own, as the lobby needs no more of their filters.
import { addSetup } from "./setup.js";

/** @import { MatchFilter, Setup } from "./types.js" */

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
