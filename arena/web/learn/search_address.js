// Addresses of searches that are shown step by step.
import { addSetup } from "../links.js";

/** @import { GameInfo, SearchStart } from "../types.js" */

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
 * Return whether a text is a whole number of at least 0.
 * @param {string} text
 */
export const isNumber = text => /^\d{1,9}$/.test(text);

/**
 * Return the step that an address names, 0 if it names none.
 * @param {URLSearchParams} query
 */
export function addressStep(query) {
  const step = query.get("step") ?? "";
  return isNumber(step) ? Number(step) : 0;
}

/**
 * Return what an address asks for that is not shown, an empty text if all is.
 * @param {URLSearchParams} query
 * @param {GameInfo} game that is shown
 * @param {number} length of the search, in steps
 */
export function addressProblem(query, game, length) {
  const problems = [];
  const name = query.get("game");
  if (name !== null && name !== game.name && !query.has("tree")) {
    problems.push(`The link names an unknown game, ${quoted(name)}: this is ${game.title}.`);
  }
  const depth = query.get("depth");
  if (depth && Number.isNaN(Number(depth)) && !query.has("tree")) {
    problems.push(`The link's depth ${quoted(depth)} is not a number: this is ${DEFAULT_DEPTH}.`);
  }
  const step = query.get("step") ?? "0";
  if (!isNumber(step)) {
    problems.push(`The link's step ${quoted(step)} is not a whole number: this is the start.`);
  } else if (Number(step) > length) {
    problems.push(`The link's step ${step} is after the end: the search has ${length} steps.`);
  }
  return problems.join(" ");
}

/** @param {string} text */
const quoted = text => `“${text.length > 20 ? `${text.slice(0, 20)}…` : text}”`;

/**
 * Return the depth at which a bot's search is shown: its own if it is a small one.
 * @param {string} bot such as "spec:4"
 */
export function searchDepth(bot) {
  const depth = Number(/^spec:(\d+)/.exec(bot)?.[1]);
  return depth >= 1 && depth <= MOST_DEPTH ? depth : DEFAULT_DEPTH;
}
