// Help during matches between people.

/** @import { MatchState } from "./match_state.js" */
/** @import { ArenaInfo } from "../types.js" */

/**
 * Whether hints and who is winning may be shown: in a live match between people only if both have
 * agreed, also to spectators.
 * @param {MatchState} match
 * @param {ArenaInfo | null} arena
 */
export function mayHelp({ isLive, facts }, arena) {
  const isBetweenPeople = facts.casual && !facts.players.some(name => arena?.offers[name]);
  return !isLive || !isBetweenPeople || facts.hints === true;
}
