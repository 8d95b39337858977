// The names of bots as text and as links to their pages, with a star if they are followed.
import { h, isolated } from "./dom.js";
import { load, save } from "./storage.js";

/** @import { Properties } from "./types.js" */

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
