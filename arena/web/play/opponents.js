// The bots that people can play, what they are like, and the addresses that start a match at once.
import { addSetup } from "../links.js";

/** @import { ArenaInfo, Setup } from "../types.js" */

/** @type {Record<string, string>} */
const BOTS = {
  random: "plays any legal move",
  greedy: "leaves you the fewest replies",
  strong: "searches as well as it can",
  perfect: "never gives up a winning position",
};
const NUMBERS = ["", "one move", "two moves", "three moves", "four moves", "five moves"];

/**
 * Introduce a bot: "spec:4 looks four moves ahead".
 * @param {string} name
 */
export function botText(name) {
  const [, depth, nodes] = /^spec:(\d+)(?:@nodes=(\d+))?$/.exec(name) ?? [];
  if (!depth) return BOTS[name] ? `${name} ${BOTS[name]}` : name;
  const limit = nodes ? `, at most ${Number(nodes).toLocaleString("en")} positions` : "";
  return `${name} looks ${NUMBERS[Number(depth)] ?? `${depth} moves`} ahead${limit}`;
}

/**
 * Return the bots that play a game against people: arenas name the weakest first.
 * @param {ArenaInfo} arena
 * @param {string} game
 */
export const opponents = ({ offers }, game) =>
  Object.keys(offers).filter(name => offers[name].includes(game));

/**
 * Return the address that starts a match at once, without a form.
 *
 * The opponent is a friend for an empty name. Without a setup it is that of a first match; `move` is
 * the first one of the person.
 * @param {string} game
 * @param {string} opponent
 * @param {{ setup?: Setup, move?: number }} [start]
 */
export function startAddress(game, opponent, { setup = {}, move } = {}) {
  const query = new URLSearchParams({ game, opponent, side: "1", time: "" });
  addSetup(query, setup);
  query.set("start", move === undefined ? "" : String(move));
  return `#/play?${query}`;
}
