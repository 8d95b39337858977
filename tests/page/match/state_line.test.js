import { deepEqual, equal } from "node:assert/strict";

import { StateLine, stateText, thinkingText } from "/match/state_line.js";
import { player } from "/play/player_connection.js";
import { playedMatch, RESULT } from "../support/arena.js";
import { pass, signal, test } from "../support/browser.js";

const stones = await import("/boards/take_stones/board.js");
const isolation = await import("/boards/isolation/board.js");

/** Return what the line says of a match. */
function said(moves, { side = null, module = stones, ...state } = {}) {
  const parts = stateText(playedMatch(moves, state), side, module);
  return parts.map(part => part?.textContent ?? (part || "")).join("");
}
/** Return the line with the time that the opponent has. */
function heard(moves, options) {
  const { side = null, ...state } = options;
  return said(moves, options) + thinkingText(playedMatch(moves, state), side);
}
const ended = (reason, others = {}) => ({ result: { ...RESULT, reason, ...others } });

for (const [moves, options, text] of [
  [[], { side: 1 }, "Your move: an odd stone below 3.5"],
  [[3], { side: 2 }, "Your move: a factor or a multiple of 3"],
  [[3, 1], { side: 1 }, "Your move: any stone"],
  [[3], { side: 2, module: null }, "Your move"],
  [[], { side: 1, module: isolation }, "Your move: along a row, a column or a diagonal"],
  [[3], { side: 1 }, "bob is thinking"],
  [[3, 6], {}, "ann is thinking"],
]) {
  test(`the turn after ${moves} is told to ${options.side ?? "spectators"}: ${text}`, () => {
    equal(said(moves, options), text);
  });
}

for (const [side, state, text] of [
  [1, ended("player 1 (ann) cannot move"), "You lost: no factor or multiple of 5 is left"],
  [2, ended("player 1 (ann) cannot move"), "You won: no factor or multiple of 5 is left"],
  [null, ended("player 1 (ann) cannot move"), "bob won: no factor or multiple of 5 is left"],
  [1, ended("player 1 (ann) resigned", { termination: "resignation" }), "You lost: you resigned"],
  [2, ended("player 1 (ann) resigned", { termination: "resignation" }), "You won: ann resigned"],
  [
    1,
    ended("player 1 (ann) was disconnected for 60 s", { termination: "disconnect" }),
    "You lost: you were disconnected for 60 s",
  ],
  [
    1,
    ended("player 2 (bob) has taken the last three", { winner: 1, termination: "game_over" }),
    "You won: bob has taken the last three",
  ],
  [2, ended("too few points", { winner: 1, termination: "game_over" }), "You lost: too few points"],
  [1, ended("full", { winner: null, termination: "game_over" }), "Draw: full"],
  [1, ended("killed", { winner: null, termination: "aborted" }), "No winner: killed"],
]) {
  test(`the end is told to ${side ?? "spectators"}: ${text}`, () => {
    equal(said([3, 6, 2, 4, 1, 5], { side, ...state }), text);
  });
}

test("other games end in the words of the game, or of the arena", () => {
  const state = { side: 1, ...ended("player 1 (ann) cannot move") };
  equal(said([3], { ...state, module: isolation }), "You lost: no free square can be reached");
  equal(said([3], { ...state, module: null }), "You lost: you cannot move");
  for (const [cause, words] of [
    ["has four in a row", "you have four in a row"],
    ["was removed", "you were removed"],
  ]) {
    const end = { side: 1, ...ended(`player 1 (ann) ${cause}`, { termination: "game_over" }) };
    equal(said([3], { ...end, module: null }), `You lost: ${words}`);
  }
  const all = [3, 6, 2, 4, 1];
  equal(said(all, ended("player 2 (bob) cannot move", { winner: 1 })), "ann won: no stone is left");
});

for (const [winners, side, text] of [
  [[1, 2, 1, 1, 1, 1], 1, "You won: no factor or multiple of 4 is left. You kept the win"],
  [[1, 2, 1, 2, 1, 1], 1, "You won: no factor or multiple of 4 is left. 2 gave the win away"],
  [[1, 2, 2, 1, 1, 1], 1, "You won: no factor or multiple of 4 is left. You won a lost position"],
  [[1, 2, 1, 1, 1, 1], 2, "You lost: no factor or multiple of 4 is left. The position was lost"],
  [[1, 2], 1, "You won: no factor or multiple of 4 is left"],
  [null, 1, "You won: no factor or multiple of 4 is left"],
]) {
  test(`a match played on ends with "${text}"`, () => {
    const end = ended("player 2 (bob) cannot move", { winner: 1 });
    equal(said([3, 6, 2, 8, 4], { side, winners, facts: { opening: 2 }, ...end }), text);
  });
}

test("a forfeit, too, says whether the win was kept", () => {
  const end = ended("player 2 (bob) resigned", { winner: 1, termination: "resignation" });
  const match = { side: 1, winners: [1, 2, 1], facts: { opening: 2 }, ...end };
  equal(
    said([3, 6, 2], { ...match, winners: [1, 2, 1, 1] }),
    "You won: bob resigned. You kept the win",
  );
});

test("a long turn of the opponent has its clock, an absence is told", () => {
  const opponent = since => heard([3], { side: 1, since });
  equal(opponent(4999), "bob is thinking");
  equal(opponent(5000), "bob is thinking: the clock decides in 5.0");
  equal(opponent(null), "bob is thinking");
  equal(heard([3], { since: 5000 }), "bob is thinking", "spectators see the clocks");
  player.absences.set(7, { claimAt: 0, endAt: 0 });
  equal(opponent(5000), "bob is away");
});

test("the line is updated each second, and a message lasts as long as its position", async () => {
  const line = new StateLine(1, stones, signal());
  line.say("not yet");
  const match = playedMatch([3], { since: 4000 });
  line.update(match);
  const text = () => line.element.querySelector("p").textContent;
  equal(text(), "bob is thinking");
  line.say("Wait.", true);
  await pass(2000);
  line.update(match);
  equal(text(), "Wait.");
  equal(line.element.querySelector("p").className, "problem");
  line.say("");
  equal(text(), "bob is thinking: the clock decides in 4.0");
  await pass(1000);
  equal(text(), "bob is thinking: the clock decides in 3.0");
  const [words, clock] = line.element.querySelector("p").children;
  deepEqual([words.textContent, clock.getAttribute("aria-hidden")], ["bob is thinking", "true"]); // is announced once
  line.say("Well.");
  match.apply({ match: 7, ply: 1, moves: [6], charged_ms: [1], since_ms: 0 });
  line.update(match);
  equal(text(), "Your move: a factor or a multiple of 6");
  equal(line.element.className, "state-line is-live own");
  match.lose("gone");
  line.update(match);
  equal(text(), "gone");
  match.finish({ ...RESULT, winner: 1 });
  line.update(match);
  equal(line.element.className, "state-line won");
});
