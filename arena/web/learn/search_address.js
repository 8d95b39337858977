// Addresses of searches that are shown step by step.
import { addSetup } from "../setup.js";

/** @import { SearchStart } from "../types.js" */

export const DEFAULT_VARIANT = "alpha-beta";
export const DEFAULT_DEPTH = 3; // plies
const MOST_DEPTH = 4; // plies of a bot's search that is not too large to be shown

/**
 * Return the address of a step of a search.
 * @param {SearchStart} search
 * @param {number} step
 */
export function stepAddress(search, step) {
  const query = new URLSearchParams();
  if (search.tree !== undefined) query.set("tree", search.tree);
  else {
    query.set("game", search.game ?? "");
    addSetup(query, search.setup ?? {});
    query.set("moves", String(search.moves));
    query.set("depth", String(search.depth));
  }
  if (search.variant !== DEFAULT_VARIANT) query.set("variant", search.variant);
  if (step) query.set("step", String(step));
  return `#/learn?${query}`;
}

/**
 * Return the depth at which a bot's search is shown: its own if it is a small one.
 * @param {string} bot such as "spec:4"
 */
export function searchDepth(bot) {
  const depth = Number(/^spec:(\d+)/.exec(bot)?.[1]);
  return depth >= 1 && depth <= MOST_DEPTH ? depth : DEFAULT_DEPTH;
}
