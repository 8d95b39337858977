// A match between ann and bob as the arena describes it.
import { MatchState } from "/match/match_state.js";

/** The moves of a whole match of Take-Stones with 7 stones, which bob wins. */
export const MOVES = [3, 6, 2, 4, 1, 5];
export const RESULT = {
  match: 7,
  winner: 2,
  termination: "no_legal_move",
  reason: "player 1 (ann) cannot move",
  finished_at: 0,
};

export const timeControl = (text, base_ms, increment_ms = 0, per_move = false) => ({
  text,
  base_ms,
  increment_ms,
  per_move,
});

export const matchFacts = (facts = {}) => ({
  match: 7,
  number: null,
  players: ["ann", "bob"],
  game: "take_stones",
  setup: { stones: 7 },
  opening: 0,
  control: timeControl("10+1", 10_000, 1000),
  casual: false,
  started_at: 0,
  control2: null,
  ...facts,
});

/** Return an update with moves from a ply on, each of 100 milliseconds unless `times` are given. */
export const moveUpdate = (moves, ply = 0, { times = moves.map(() => 100), since = 0 } = {}) => ({
  match: 7,
  ply,
  moves,
  charged_ms: times,
  since_ms: since,
});

/** Return the state of a match after some moves. */
export function playedMatch(moves, { facts, result = null, winners, times, since } = {}) {
  const match = new MatchState(matchFacts(facts));
  match.apply(moveUpdate(moves, 0, { times, since }));
  if (winners) match.applyWinners({ ply: 0, winners });
  if (result) match.finish(result);
  return match;
}
