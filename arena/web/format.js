// Texts and elements for games, matches, ratings and times.

import { h, isolated, setText } from "./dom.js";
import { botLink, botName } from "./links.js";

/** @import { ArenaInfo, LeaderboardRow, MatchInfo, MatchResult, MatchSummary, Player, Setup } from "./types.js" */

/**
 * Return the title of a game, or its name where the arena does not list it.
 * @param {ArenaInfo | null} arena
 * @param {string} game
 */
export const gameTitle = (arena, game) =>
  arena?.games.find(({ name }) => name === game)?.title ?? game;

/**
 * "3 heaps", and "heap 20" of a parameter that is no plural.
 * @param {Setup} setup
 */
export const setupText = setup =>
  Object.entries(setup)
    .map(([name, value]) => (name.endsWith("s") ? `${value} ${name}` : `${name} ${value}`))
    .join(", ");

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
export const casualBadge = ({ casual }) =>
  casual && [" ", h("span", { class: "badge" }, "unrated")];

/**
 * A player's name with the symbol of the side.
 * @param {MatchInfo} facts
 * @param {Player} player
 */
export const playerName = (facts, player, hasLost = false) =>
  h("span", { class: sideClass(player, hasLost) }, botName(facts.players[player - 1]));

/**
 * The same as a link to the page of the player.
 * @param {MatchInfo} facts
 * @param {Player} player
 */
export const playerLink = (facts, player, hasLost = false) =>
  botLink(facts.players[player - 1], { class: `bot-link ${sideClass(player, hasLost)}` });

/**
 * @param {Player} player
 * @param {boolean} hasLost
 */
const sideClass = (player, hasLost) => `player-${player}${hasLost ? " beaten" : ""}`;

/**
 * Spell out a time control: "5 s + 0.05 s a move", "10 min".
 * @param {string} text
 */
export function timeControlText(text) {
  if (/^\d{5,}\/move$/.test(text)) return "no clock";
  const [, base, increment] = text.match(/^([\d.]+)\+([\d.]+)$/) ?? [];
  if (!base) return text.replace(/nodes$/, "nodes a move").replace("/move", " s a move");
  const seconds = Number(base);
  const bank = seconds && seconds % 60 === 0 ? `${seconds / 60} min` : `${base} s`;
  return Number(increment) ? `${bank} + ${increment} s a move` : bank;
}

/** @type {Record<string, string>} */
const COLUMN_MEANINGS = {
  "±": "half the width of the 95 % confidence interval",
  Accuracy: "share of moves from winning positions that kept the win",
  Pairs: "pairs of matches with swapped sides that the bot won, tied and lost",
  Forfeits: "matches lost by timeout, illegal move, disconnection or malformed messages",
};

/**
 * The name of a column, with its meaning as a tooltip where it needs one.
 * @param {string} name
 */
export const columnName = name => {
  const title = COLUMN_MEANINGS[name];
  return title ? h("abbr", { title }, name) : name;
};

/**
 * Header cells of a table.
 * @param {...string} names
 */
export const columnHeads = (...names) =>
  names.map(name =>
    h("th", { scope: "col", class: name === "Bot" ? "name" : null }, columnName(name)),
  );

// Results

/**
 * The ways in which a match ends.
 * @type {Record<string, string>}
 */
export const TERMINATIONS = {
  no_legal_move: "no legal move",
  game_over: "end of the game",
  illegal_move: "illegal move",
  timeout: "timeout",
  disconnect: "disconnected",
  resignation: "resignation",
  malformed: "malformed messages",
  aborted: "aborted",
};

/**
 * Whether a match was drawn: an aborted match has no winner either.
 * @param {Pick<MatchResult, "winner" | "termination">} result
 */
export const isDraw = ({ winner, termination }) => winner === null && termination !== "aborted";

/**
 * How a match has ended: "timeout", "draw".
 * @param {MatchResult} result
 */
export const endingText = result =>
  isDraw(result) ? "draw" : (TERMINATIONS[result.termination] ?? result.termination);

/**
 * How a match has ended, with the reason as a tooltip, and as text where the ending says little.
 * @param {MatchResult} result
 */
export function endingElement(result) {
  const { termination, reason } = result;
  const isAborted = termination === "aborted";
  const title = isAborted ? "An aborted match is unrated; a tournament plays it again." : reason;
  return h("span", { title }, endingText(result), isAborted && [": ", isolated(reason)]);
}

/**
 * "ann wins: player 2 (bob) cannot move", "Draw: the board is full".
 * @param {MatchInfo} facts
 * @param {MatchResult} result
 */
export function resultSentence({ players }, result) {
  const { winner, reason } = result;
  const text = winner ? [isolated(players[winner - 1]), " wins"] : noWinnerText(result);
  return [h("b", {}, text), ": ", isolated(reason)];
}

/**
 * The sentence as plain text, for pictures.
 * @param {MatchInfo} facts
 * @param {MatchResult} result
 */
export function resultText({ players }, result) {
  const { winner, reason } = result;
  return `${winner ? `${players[winner - 1]} wins` : noWinnerText(result)}: ${reason}`;
}

/** @param {MatchResult} result */
const noWinnerText = result => (isDraw(result) ? "Draw" : "No winner");

/**
 * "Player 1 wins: player 2 cannot move.", "Draw: the board is full."
 * @param {{ winner: Player | null, reason: string }} outcome of a game by its rules
 */
export const outcomeText = ({ winner, reason }) =>
  `${winner ? `Player ${winner} wins` : "Draw"}: ${reason}.`;

/**
 * The result of one of the players: "won", "draw" or nothing.
 * @param {MatchResult | null} result
 * @param {Player} player
 */
export function playerResult(result, player) {
  if (!result) return "";
  if (isDraw(result)) return "draw";
  return result.winner === player ? "won" : "";
}

/**
 * Return the players and the result, the winner first: "ann beat bob", "ann drew with bob".
 * @param {Pick<MatchSummary, "facts" | "result">} summary
 */
export function meetingElements(summary) {
  const { facts } = summary;
  const { first, second, verb, haveLost } = meeting(summary);
  return [
    playerName(facts, first, haveLost[0]),
    ` ${verb} `,
    playerName(facts, second, haveLost[1]),
  ];
}

/**
 * The same as links: the players lead to their pages, all around them to the match.
 * @param {Pick<MatchSummary, "facts" | "result">} summary
 */
export function meetingLinks(summary) {
  const { facts } = summary;
  const { first, second, verb, haveLost } = meeting(summary);
  const { match, players } = facts;
  const label = `${players[first - 1]} ${verb} ${players[second - 1]}`;
  return [
    playerLink(facts, first, haveLost[0]),
    " ",
    h("a", { class: "cover", href: `#/match/${match}`, "aria-label": label }, verb),
    " ",
    playerLink(facts, second, haveLost[1]),
  ];
}

/**
 * @param {Pick<MatchSummary, "facts" | "result">} summary
 * @returns {{ first: Player, second: Player, verb: string, haveLost: [boolean, boolean] }}
 */
function meeting({ result }) {
  const first = result.winner ?? 1;
  const isDrawn = isDraw(result);
  const other = isDrawn ? "drew with" : "met";
  const hasWinner = result.winner !== null;
  return {
    first,
    second: first === 1 ? 2 : 1,
    verb: hasWinner ? "beat" : other,
    haveLost: [!hasWinner && !isDrawn, !isDrawn],
  };
}

/**
 * Format points, of which a draw brings half a one: "2", "1½", "½".
 * @param {number} points
 */
export const pointsText = points => (points % 1 ? `${Math.floor(points) || ""}½` : String(points));

/** @param {number} sum Of points, or of parts of them. */
export const sumText = sum => String(Math.round(sum * 100) / 100);

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

/**
 * Return the ranks of bots that are sorted by rating: "1", "=2", "=2", "4", a dot without a rating.
 * Ratings that read the same share a rank.
 * @param {Pick<LeaderboardRow, "elo">[]} bots
 */
export const rankTexts = bots => sharedRanks(bots.map(({ elo }) => eloText(elo)));

/**
 * Return the ranks of sorted values, of which equal ones share one; a dot for each dot.
 * @param {string[]} texts
 */
export function sharedRanks(texts) {
  return texts.map(text => {
    if (text === eloText(null)) return text;
    const rank = texts.indexOf(text) + 1;
    return texts.lastIndexOf(text) === rank - 1 ? String(rank) : `=${rank}`;
  });
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

// The clocks that a challenge can have

const DEFAULT = "3600/move"; // what the arena makes of a challenge without a time control

/** Time controls in the syntax of a challenge, and their meanings. */
export const TIME_CONTROLS = [
  ["", "no clock: up to an hour for each move"],
  ["60+0", "1 minute"],
  ["180+2", "3 minutes + 2 s a move"],
  ["600+5", "10 minutes + 5 s a move"],
  ["20/move", "20 s for each move"],
];

/**
 * Describe a time control, as the form of a challenge does: "3 minutes + 2 s a move".
 * @param {string} time
 */
export function describeTime(time) {
  const chosen = time === DEFAULT ? "" : time;
  return TIME_CONTROLS.find(([value]) => value === chosen)?.[1] ?? timeControlText(time);
}
