// The bots that this browser follows: a list in its storage alone, which the arena never learns.
import { load, save } from "./storage.js";

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
