// Play on from a position: against a bot that is chosen, or with one's own bot.
import { h } from "../dom.js";
import { opponents } from "./opponents.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Player, Setup } from "../types.js" */

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
