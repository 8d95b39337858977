// Texts and elements for games, matches, ratings and times.
import { h, isolated, setText } from "./dom.js";
import { setupText } from "./setup.js";

/** @import { ArenaInfo, MatchInfo, MatchResult, MatchSummary, Player, Setup } from "./types.js" */

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
 * Spell out a time control: "5 s + 0.05 s a move".
 * @param {string} text
 */
export function timeControlText(text) {
  if (/^\d{5,}\/move$/.test(text)) return "no clock";
  return text
    .replace(/nodes$/, "nodes a move")
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

// Results

/** @type {Record<string, string>} */
const TERMINATIONS = {
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
 * How a match has ended, with the reason as a tooltip.
 * @param {MatchResult} result
 */
export const endingElement = result => h("span", { title: result.reason }, endingText(result));

/**
 * "ann wins: player 2 (bob) cannot move", "Draw: the board is full".
 * @param {MatchInfo} facts
 * @param {MatchResult} result
 */
export function resultSentence({ players }, result) {
  const { winner, reason } = result;
  const other = isDraw(result) ? "Draw" : "No winner";
  const text = winner ? [isolated(players[winner - 1]), " wins"] : other;
  return [h("b", {}, text), ": ", isolated(reason)];
}

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
export function meetingElements({ facts, result }) {
  const first = result.winner ?? 1;
  const second = first === 1 ? 2 : 1;
  const isDrawn = isDraw(result);
  const other = isDrawn ? " drew with " : " met ";
  const verb = result.winner ? " beat " : other;
  const hasWinner = result.winner !== null;
  return [
    playerName(facts, first, !hasWinner && !isDrawn),
    verb,
    playerName(facts, second, !isDrawn),
  ];
}

/**
 * Format points, of which a draw brings half a one: "2", "1½", "½".
 * @param {number} points
 */
export const pointsText = points => (points % 1 ? `${Math.floor(points) || ""}½` : String(points));

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
