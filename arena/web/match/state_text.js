// Whose turn it is in a match and how it has ended, in words for its players and for spectators.
import { moveText } from "../boards/game_modules.js";
import { isolated } from "../dom.js";
import { isDraw } from "../format.js";
import { player as person } from "../play/player_connection.js";
import { clockText, controlOf, isUntimed } from "./match_state.js";

/** @import { MatchState } from "./match_state.js" */
/** @import { Child, GameModule, MatchResult, Player } from "../types.js" */

const PATIENCE = 5000; // milliseconds of a turn before the clock of the opponent is mentioned

/**
 * "Your move: a factor or a multiple of 9", "greedy is thinking", "You lost: ...", "ann won: ...".
 * @param {MatchState} match
 * @param {Player | null} side that of the person who plays, null for a spectator
 * @param {GameModule | null} module
 * @returns {Child[]}
 */
export function stateText(match, side, module) {
  const { result, problem } = match;
  if (result) return endingText(match, result, side, module);
  if (problem !== null) return [problem];
  const player = match.playerToMove();
  if (player === side) {
    const rule = module?.describeTurn?.(match.facts.setup, match.moves);
    return [rule ? `Your move: ${rule}` : "Your move"];
  }
  const name = isolated(match.playerName(player));
  if (side && person.absences.has(match.facts.match)) return [name, " is away"];
  return [name, " is thinking"];
}

/**
 * Tell a player how long the opponent may think on; nothing early in a turn.
 * @param {MatchState} match
 * @param {Player | null} side that of the person who plays, null for a spectator
 */
export function thinkingText(match, side) {
  const { result, problem, turnStartedAt } = match;
  const player = match.playerToMove();
  const isThinking = side && player !== side && !result && problem === null;
  if (!isThinking || person.absences.has(match.facts.match)) return "";
  if (isUntimed(controlOf(match.facts, player))) return "";
  if (turnStartedAt === null || performance.now() - turnStartedAt < PATIENCE) return "";
  return `: the clock decides in ${clockText(match.remainingMs(player))}`;
}

/**
 * @param {MatchState} match
 * @param {MatchResult} result
 * @param {Player | null} side
 * @param {GameModule | null} module
 * @returns {Child[]}
 */
function endingText(match, result, side, module) {
  const { winner, termination, reason } = result;
  if (!winner) return [isDraw(result) ? "Draw" : "No winner", ": ", isolated(reason)];
  const own = winner === side ? "You won" : "You lost";
  const head = side ? [own] : [isolated(match.playerName(winner)), " won"];
  const rule = termination === "no_legal_move" && module?.describeEnd;
  const kept = side ? keptText(match, side, module) : "";
  if (rule) return [...head, `: ${rule(match.facts.setup, match.moves)}${kept}`];
  return [...head, ": ", ...cause(match, reason, side), kept];
}

/**
 * Say, in a match that was played on from a position, whether its win was kept.
 * @param {MatchState} match
 * @param {Player} side
 * @param {GameModule | null} module
 */
function keptText(match, side, module) {
  const { opening } = match.facts;
  const { winners } = match;
  if (!opening || !winners || winners.length <= opening) return "";
  if (winners[opening] !== side) {
    return match.result?.winner === side ? ". You won a lost position" : ". The position was lost";
  }
  const lost = match.blunders.find(ply => match.playerToMove(ply) === side);
  if (lost === undefined) return ". You kept the win";
  return `. ${moveText(module, match.moves[lost])} gave the win away`;
}

/**
 * A reason such as "player 2 (bob) resigned", with the names that a person knows: "you resigned".
 * @param {MatchState} match
 * @param {string} reason
 * @param {Player | null} side
 * @returns {Child[]}
 */
function cause(match, reason, side) {
  const player = reason.startsWith("player 1 (") ? 1 : 2;
  const name = match.playerName(player);
  const start = `player ${player} (${name}) `;
  if (!reason.startsWith(start)) return [isolated(reason)];
  const text = reason.slice(start.length);
  if (player === side)
    return ["you ", isolated(text.replace(/^was /, "were ").replace(/^has /, "have "))];
  return [isolated(name), " ", isolated(text)];
}
