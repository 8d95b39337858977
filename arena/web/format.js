// Texts and elements for games, matches, ratings and times.
import { h, isolated, setText } from "./dom.js";
import { terminationText } from "./match_state.js";
import { setupText } from "./setup.js";

/** @import { ArenaInfo, MatchInfo, MatchResult, Player, Setup } from "./types.js" */

/**
 * Return the title of a game, or its name where the arena does not list it.
 * @param {ArenaInfo | null} arena
 * @param {string} game
 */
export const gameTitle = (arena, game) =>
  arena?.games.find(({ name }) => name === game)?.title ?? game;

/**
 * "Nim, heap 20".
 * @param {ArenaInfo | null} arena
 * @param {{ game: string, setup: Setup }} facts
 */
export const gameText = (arena, { game, setup }) =>
  [gameTitle(arena, game), setupText(setup)].filter(Boolean).join(", ");

/**
 * The badge of an unrated match.
 * @param {MatchInfo} facts
 */
export const casualBadge = ({ casual }) => casual && [" ", h("span", { class: "badge" }, "casual")];

/**
 * A player's name with the symbol of the side.
 * @param {MatchInfo} facts
 * @param {Player} player
 */
export const playerName = (facts, player, hasLost = false) =>
  h(
    "span",
    { class: `player-${player}${hasLost ? " beaten" : ""}` },
    isolated(facts.players[player - 1]),
  );

/**
 * The termination of a match, with the reason as a tooltip.
 * @param {MatchResult} result
 */
export const resultText = result =>
  h("span", { title: result.reason }, terminationText(result.termination));

/**
 * Spell out a time control: "5 s + 0.05 s a move".
 * @param {string} text
 */
export function timeControlText(text) {
  if (/^\d{5,}\/move$/.test(text)) return "no clock";
  return text
    .replace(/\+0$/, "")
    .replace("/move", " s a move")
    .replace(/\+(.*)/, " s + $1 s a move")
    .replace(/\d$/, "$& s");
}

/** @type {Record<string, string>} */
const COLUMN_MEANINGS = {
  "±": "half the width of the 95 % confidence interval",
  Accuracy: "share of moves from winning positions that kept the win",
  Forfeits: "matches lost by timeout, illegal move, disconnection or malformed messages",
};

/**
 * Header cells of a table.
 * @param {...string} names
 */
export const columnHeads = (...names) =>
  names.map(name => {
    const title = COLUMN_MEANINGS[name];
    const content = title ? h("abbr", { title }, name) : name;
    return h("th", { scope: "col", class: name === "Bot" ? "name" : null }, content);
  });

// Numbers, as a dot where they are unknown

/**
 * Format a rating: "+12", "−3", "0".
 * @param {number | null} elo
 */
export function eloText(elo) {
  if (elo === null) return ".";
  const rounded = Math.round(elo);
  if (rounded === 0) return "0";
  return rounded > 0 ? `+${rounded}` : `−${-rounded}`;
}

/** @param {number | null} margin */
export const marginText = margin => (margin === null ? "." : String(Math.round(margin)));

/**
 * Format a share as a percentage, rounded down: only a share of 1 is 100 %.
 * @param {number | null} share
 */
export const percentText = share =>
  share === null ? "." : `${(Math.floor(1000 * share) / 10).toFixed(1)} %`;

// Times of day

const FULL_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/**
 * A time relative to now, with the exact time as a tooltip.
 * @param {number} unix
 */
export function timeElement(unix) {
  const date = new Date(1000 * unix);
  const properties = { datetime: date.toISOString(), title: FULL_TIME.format(date) };
  return h("time", properties, relativeTime(date));
}

/**
 * Update all relative times in an element.
 * @param {Element} element
 */
export function refreshTimes(element) {
  for (const time of element.querySelectorAll("time")) {
    setText(time, relativeTime(new Date(time.dateTime)));
  }
}

/** @param {Date} date */
function relativeTime(date) {
  const minutes = (Date.now() - date.getTime()) / 60_000;
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${Math.floor(minutes)} min ago`;
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h ago` : DATE.format(date);
}
