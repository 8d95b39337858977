// Links: the names of bots, which lead to their pages, and addresses of other views.
import { h, isolated } from "./dom.js";
import { load, save } from "./storage.js";

/** @import { Properties, Setup, MatchFilter } from "./types.js" */

/**
 * Return the address of the page of a bot.
 * @param {string} bot
 */
export const botAddress = bot => `#/bot/${encodeURIComponent(bot)}`;

/**
 * The name of a bot.
 * @param {string} bot
 */
export const botName = bot => [
  isolated(bot),
  isFollowed(bot) &&
    h("span", { class: "followed", role: "img", "aria-label": "followed", title: "followed" }, "★"),
];

/**
 * The name of a bot, which leads to its page.
 * @param {string} bot
 * @param {Properties} [properties]
 */
export const botLink = (bot, properties = {}) =>
  h("a", { href: botAddress(bot), title: bot, ...properties }, botName(bot));

// The bots that this browser follows: a list in its storage alone, which the arena never learns

const KEY = "followed";
const MOST = 200; // bots, of which the ones followed first are forgotten

/** @returns {string[]} */
function followed() {
  try {
    const names = JSON.parse(load(KEY) ?? "[]");
    return Array.isArray(names) ? names.filter(name => typeof name === "string") : [];
  } catch {
    return []; // something else was stored
  }
}

/** @param {string} bot */
export const isFollowed = bot => followed().includes(bot);

/**
 * Follow a bot, or no longer.
 * @param {string} bot
 * @param {boolean} isOn
 */
export function follow(bot, isOn) {
  const others = followed().filter(name => name !== bot);
  save(KEY, JSON.stringify((isOn ? [...others, bot] : others).slice(-MOST)));
}

// Addresses of views, and the setup of a game in them

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
