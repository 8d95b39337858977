// What a player reads while the opponent is connected and takes long.
import { clockText } from "../match/match_state.js";

/** @import { MatchState } from "../match/match_state.js" */
/** @import { Player } from "../types.js" */

const PATIENCE = 5000; // milliseconds of a turn before it is mentioned

/**
 * Return how long the opponent may think on, empty early in a turn, on the own turn and at the end.
 * @param {MatchState} match
 * @param {Player} opponent
 */
export function waitingText(match, opponent) {
  const { turnStartedAt } = match;
  const isWaiting = match.isLive && match.playerToMove() === opponent && turnStartedAt !== null;
  if (!isWaiting || performance.now() - turnStartedAt < PATIENCE) return "";
  const left = clockText(match.remainingMs(opponent));
  return `Waiting for your opponent: the clock decides in ${left}.`;
}
