// The names of bots as text and as links to their pages, with a star if they are followed.
import { h, isolated } from "./dom.js";
import { isFollowed } from "./followed_bots.js";

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
