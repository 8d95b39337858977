import { deepEqual, equal } from "node:assert/strict";
import { clockText, controlOf, controlsText, isUntimed } from "/match/match_state.js";
import {
  CONTROL,
  matchFacts,
  moveUpdate,
  playedMatch,
  RESULT,
  timeControl,
  UNTIMED,
} from "../support/arena.js";
import { pass, test } from "../support/browser.js";

test("an update replaces the moves from its ply on, and what was known of them", () => {
  pass(1000);
  const match = playedMatch([3, 6, 2], { winners: [1, 1, 2, 2], since: 200 });
  deepEqual(match.moves, [3, 6, 2]);
  deepEqual([match.chargedMs, match.turnStartedAt], [[100, 100, 100], 1800]);
  match.apply(moveUpdate([1, 5], 1, { times: [7, 8], since: null }));
  deepEqual(match.moves, [3, 1, 5]);
  deepEqual(match.chargedMs, [100, 7, 8]);
  deepEqual([match.winners, match.turnStartedAt], [[1, 1], null]);
  match.apply(moveUpdate([7], 3));
  deepEqual(match.moves, [3, 1, 5, 7]);
  deepEqual([match.winners, playedMatch([3]).winners], [[1, 1], null]);
});

test("verdicts replace those from their ply on, unless some between are unknown", () => {
  const match = playedMatch([3, 6]);
  match.applyWinners({ ply: 1, winners: [2] });
  deepEqual(match.winners, []);
  match.applyWinners({ ply: 0, winners: [1, 1] });
  match.applyWinners({ ply: 2, winners: [2] });
  match.applyWinners({ ply: 4, winners: [1] });
  deepEqual(match.winners, [1, 1, 2]);
  match.applyWinners({ ply: 1, winners: [2] });
  deepEqual(match.winners, [1, 2]);
});

test("a match is live until it is over or lost", () => {
  const match = playedMatch([3]);
  const state = () => [match.isOver, match.isLive, match.turnStartedAt];
  deepEqual(state(), [false, true, 1000]);
  match.lose("the arena restarted");
  deepEqual([...state(), match.problem], [false, false, null, "the arena restarted"]);
  const finished = playedMatch([3]);
  finished.finish(RESULT);
  deepEqual([finished.isOver, finished.isLive, finished.turnStartedAt], [true, false, null]);
  equal(finished.result, RESULT);
});

test("the players move in turn", () => {
  const match = playedMatch([3]);
  deepEqual([match.playerToMove(), match.playerToMove(0), match.playerToMove(3)], [2, 1, 2]);
  deepEqual(
    [1, 2].map(player => match.playerName(player)),
    ["ann", "bob"],
  );
});

test("a clock loses the time of its moves and gains the increment, without the opening", () => {
  const times = [900, 900, 500, 3000, 250];
  const match = playedMatch([3, 6, 2, 4, 1], { facts: { opening: 2 }, times, since: 400 });
  const left = ply => [match.remainingMs(1, ply), match.remainingMs(2, ply)];
  deepEqual([0, 2, 3, 4].map(left), [
    [10_000, 10_000],
    [10_000, 10_000],
    [10_500, 10_000],
    [10_500, 8000],
  ]);
  deepEqual(left(), [11_250, 7600], "the clock of player 2 runs");
  pass(600);
  deepEqual(left(), [11_250, 7000]);
  pass(9000);
  deepEqual(left(), [11_250, 0]);
  match.lose("the arena restarted");
  deepEqual(left(), [11_250, 8000]);
});

test("each move has the whole time without a bank", () => {
  const facts = {
    control: timeControl("2/move", 2000, 0, true),
    control2: timeControl("5+0", 5000),
  };
  const match = playedMatch([3, 6], { facts, times: [1500, 1500], since: 500 });
  deepEqual([match.remainingMs(1), match.remainingMs(2)], [1500, 3500]);
  deepEqual([match.remainingMs(1, 1), match.remainingMs(2, 1)], [2000, 5000]);
});

test("a match that ended by a fault shows its time", () => {
  const fault = { ...RESULT, fault: [null, 2500] };
  const match = playedMatch([3, 6], { result: fault });
  deepEqual([match.remainingMs(1), match.remainingMs(2)], [8400, 10_900]);
  deepEqual([match.remainingMs(1, 1), match.remainingMs(2, 1)], [10_900, 10_000]);
  equal(playedMatch([3, 6], { result: RESULT }).remainingMs(1), 10_900);
});

for (const [winners, opening, blunders] of [
  [undefined, 0, []],
  [[1, 1, 2, 2, 1, 1], 0, [3]],
  [[1, 2, 1, 1, 2, 1], 0, [0, 1]],
  [[1, 2, 1, 1, 2, 1], 1, [1]],
  [[2, 2, 2], 0, []],
  [[1, 1, 1, 2], 0, [2]],
]) {
  test(`blunders give up a won position: ${winners}, ${opening} moves of the opening`, () => {
    const match = playedMatch([3, 6, 2, 4, 1], { winners, facts: { opening } });
    deepEqual(match.blunders, blunders);
  });
}

test("clocks show tenths, minutes and hours", () => {
  const texts = [
    0, 99, 100, 9999, 10_000, 59_999, 60_000, 725_000, 3_599_999, 3_600_000, 3_725_000,
  ];
  const expected = "0.0 0.0 0.1 9.9 0:10 0:59 1:00 12:05 59:59 1:00:00 1:02:05";
  equal(texts.map(clockText).join(" "), expected);
});

test("the time controls are named, both if they differ", () => {
  const facts = matchFacts({ control2: timeControl("2/move", 2000, 0, true) });
  deepEqual(
    [1, 2].map(player => controlOf(facts, player).text),
    ["10+1", "2/move"],
  );
  equal(controlOf(matchFacts(), 2).text, "10+1");
  equal(controlsText(facts), "10 s + 1 s a move vs 2 s a move");
  equal(controlsText(matchFacts()), "10 s + 1 s a move");
  const untimed = [3_600_000, 3_599_999].map(ms => isUntimed(timeControl("", ms, 0, true)));
  deepEqual([...untimed, isUntimed(timeControl("", 3_600_000))], [true, false, false]);
  equal(controlsText(matchFacts({ control: UNTIMED })), "");
  equal(controlsText(matchFacts({ control: UNTIMED, control2: CONTROL })), "no clock vs 5 s");
});
