// The bots that people can play, what they are like, and the ways to start a match with them.

import { h } from "../dom.js";
import { addSetup } from "../links.js";

/** @import { ArenaInfo, Setup, Player } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

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

// Play on from a position: against a bot that is chosen, or with one's own bot

/** @typedef {{ game: string, setup: Setup, moves: number[] }} Position */

const BEST = "perfect"; // the opponent that is offered first

/**
 * Return a button that asks for an opponent and a side, and starts an unrated match from a position.
 * It is hidden where no bot plays the game.
 * @param {SpectatorConnection} connection
 * @param {() => Position} position the position when the button is pressed
 * @param {AbortSignal} signal
 */
export function playOnButton(connection, position, signal) {
  const button = h("button", { type: "button", class: "play-on" }, "Play on from here");
  button.addEventListener("click", async () => {
    const { PlayOnDialog } = await import("./play_on_dialog.js");
    const from = position();
    if (!signal.aborted) new PlayOnDialog(connection, from, choices(connection, from.game), signal);
  });
  button.hidden = choices(connection, position().game).length === 0;
  return button;
}

/**
 * Return the bots that play a game, with the one that is offered first.
 * @param {SpectatorConnection} connection
 * @param {string} game
 */
const choices = ({ arena }, game) =>
  arena
    ? opponents(arena, game).sort((one, two) => Number(two === BEST) - Number(one === BEST))
    : [];

/**
 * Return the position as the message of the arena that asks a bot for a move.
 * @param {Position} position
 */
export function turnText({ game, setup, moves }) {
  const ply = moves.length;
  const you = /** @type {Player} */ (ply % 2 ? 2 : 1);
  const time = { increment_ms: 0, opponent: "opponent", per_move: true };
  const clocks_ms = [60_000, 60_000];
  const other = { opponent_increment_ms: 0, opponent_per_move: true };
  const turn = { type: "turn", match: "1", game, setup, moves, ply, you, clocks_ms };
  return JSON.stringify({ ...turn, ...time, ...other });
}
