import assert, { deepEqual, equal } from "node:assert/strict";
import { PlayerPanels } from "/match/player_panels.js";
import { playedMatch, RESULT, timeControl } from "../support/arena.js";
import { pass, test } from "../support/browser.js";
import { all, text, texts } from "../support/elements.js";

let panels;

function show(match, { side = null, ply = match.moves.length } = {}) {
  panels = new PlayerPanels(match, side);
  document.body.replaceChildren(panels.element);
  panels.update(match, ply);
  return shown();
}
const shown = () =>
  [...panels.element.children].map(({ className, textContent }) => `${className}: ${textContent}`);
const clocks = () => texts(".clock", panels.element);

test("the players have their names, their clocks and their turns", () => {
  deepEqual(show(playedMatch([3], { times: [500], since: 400 })), [
    "player: Player 1: ann0:10",
    "player on running: Player 2: bob, to move9.6",
  ]);
});

test("an earlier position has its turn, but no running clock", () => {
  const match = playedMatch([3, 6], { times: [500, 700] });
  const states = show(match, { ply: 1 });
  deepEqual(states, ["player: Player 1: ann0:10", "player on: Player 2: bob, to move0:10"]);
  pass(1000);
  deepEqual(shown(), states);
});

test("the person who plays is marked, and what is not seen is read out", () => {
  show(playedMatch([]), { side: 1 });
  equal(panels.element.className, "players");
  equal(
    panels.element.firstChild.outerHTML,
    '<div class="player on running"><span class="player-1"><span class="hidden-text">Player 1: ' +
      '</span><a href="#/bot/ann" title="ann"><bdi>ann</bdi></a></span>' +
      '<span class="badge">you</span><span class="outcome"></span>' +
      '<span class="hidden-text">, to move</span><span class="clock">0:10</span></div>',
  );
  equal(panels.element.querySelectorAll(".badge").length, 1);
});

test("the end has no turn, but an outcome", () => {
  const states = result => show(playedMatch([3], { result: { ...RESULT, ...result } }));
  deepEqual(states({}), ["player: Player 1: ann0:10", "player: Player 2: bobwon0:10"]);
  deepEqual(states({ winner: null }), [
    "player drawn: Player 1: anndraw0:10",
    "player drawn: Player 2: bobdraw0:10",
  ]);
  assert.match(states({ winner: null, termination: "aborted" })[0], /: ann0:10/);
  assert.match(
    show(playedMatch([3, 6], { result: RESULT }), { ply: 1 })[1],
    /^player on: .*bobwon, to move/,
  );
});

test("a running clock is shown each second, the last ones in tenths", () => {
  const match = playedMatch([], { facts: { control: timeControl("12+0", 12_345) } });
  show(match);
  equal(clocks()[0], "0:12");
  const at = times =>
    times.map(time => {
      pass(time);
      return clocks()[0];
    });
  // Just after 345, 1345 and 2345 milliseconds, then 50 milliseconds later each.
  deepEqual(at([349, 1, 999, 1, 999, 1]), ["0:12", "0:11", "0:11", "0:10", "0:10", "9.9"]);
  deepEqual(at([50, 50, 50]), ["9.9", "9.8", "9.8"]);
  deepEqual(at([20_000, 1]), ["0.0", "0.0"]);
});

test("a clock stops with the turn, the match or the page", () => {
  for (const stop of [
    match => panels.update(match, 0),
    match => {
      match.finish(RESULT);
      panels.update(match, 1);
    },
    () => panels.element.remove(),
  ]) {
    const match = playedMatch([3], { since: 1000 });
    show(match);
    stop(match);
    const before = clocks();
    pass(60);
    const { length } = all("*");
    pass(5000);
    deepEqual([clocks()[0], length], [before[0], length]);
  }
});

test("little time is a warning", () => {
  const isLow = (control, since) =>
    show(playedMatch([], { facts: { control }, since }))[0].includes(" low:");
  const bank = timeControl("100+0", 100_000);
  deepEqual([isLow(bank, 90_000), isLow(bank, 90_001)], [false, true]);
  const short = timeControl("5+0", 5000);
  deepEqual([isLow(short, 4000), isLow(short, 4001)], [false, true]);
  const match = playedMatch([3, 6], { facts: { control: short }, since: 4900 });
  equal(show(match, { ply: 0 })[0], "player on: Player 1: ann, to move5.0");
});

test("a player without a clock has none, unless the hour for a move runs out", () => {
  const control = timeControl("3600/move", 3_600_000, 0, true);
  const facts = { control, control2: timeControl("5+0", 5000) };
  const states = show(playedMatch([], { facts }));
  deepEqual(states, ["player on running: Player 1: ann, to move", "player: Player 2: bob5.0"]);
  const hidden = () => all(".clock", panels.element).map(clock => clock.hidden);
  deepEqual([hidden(), panels.element.className], [[true, false], "players"]);
  pass(3_299_999);
  deepEqual(hidden(), [true, false]);
  pass(1);
  deepEqual(hidden(), [false, false]);
  equal(text(".clock", panels.element).split(" | ")[0], "5:00");
  pass(1000);
  equal(text(".clock", panels.element).split(" | ")[0], "4:59");
  show(playedMatch([], { facts: { control } }));
  equal(panels.element.className, "players untimed");
});
