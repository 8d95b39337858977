import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as header from "/lobby/lobby_header.js";
import { ARENA, TOURNAMENT } from "../support/arena.js";
import { test } from "../support/browser.js";
import { attributes, links, text, texts } from "../support/elements.js";

const CONTEST = { ...ARENA, run: "run 2", tournament: TOURNAMENT };
const section = () => document.createElement("section");

test("a tournament is over with its last match, or with its places", () => {
  const cup = [{ game: "take_stones", places: [[1, "ann", "won"]] }];
  for (const [tournament, finished, tables, isOver] of [
    [null, 5, cup, false],
    [TOURNAMENT, 1199, [], false],
    [TOURNAMENT, 1200, [], true],
    [TOURNAMENT, 1, cup, true],
    [TOURNAMENT, 1, [{ game: "take_stones", places: [] }], false],
    [TOURNAMENT, 1, [{ ...cup[0], game: "nim" }], false],
  ]) {
    equal(header.isTournamentOver(tournament, finished, tables), isOver);
  }
});

test("the number of matches played is told", () => {
  const early = { ...TOURNAMENT, may_end_early: true };
  for (const [tournament, finished, isOver, text] of [
    [null, 0, false, ""],
    [null, 1, false, "1 match played"],
    [null, 1234, false, "1,234 matches played"],
    [TOURNAMENT, 12, false, "12 of 1,200 matches played"],
    [early, 1012, false, "1,012 of at most 1,200 matches played"],
    [early, 1012, true, "All 1,012 matches played"],
  ]) {
    equal(header.playedText(tournament, finished, isOver), text);
  }
});

test("a tournament is shown with its progress", () => {
  const element = section();
  header.showHeader(element, CONTEST, 12, false);
  equal(
    text("p, h1, .played", element),
    "Tournament | Take-Stones round robin | 2 bots5 s + 0.05 s a move | " +
      "12 of 1,200 matches played | Show on a big screen | ",
  );
  equal(element.querySelector("h1").title, "seed 7");
  deepEqual(links(element), ["/?present"]);
  const bar = element.querySelector("progress");
  equal(bar.getAttribute("aria-labelledby"), element.querySelector(".played").id);
  deepEqual([bar.value, bar.max], [12, 1200]);
  header.showHeader(element, CONTEST, 20, true);
  deepEqual([bar.value, bar.max], [20, 20]);
  header.showHeader(element, CONTEST, 0, true);
  equal(bar.max, 1);
  ok(element.contains(bar)); // the head of the same run is kept
});

test("an open arena says how to play and to connect", () => {
  const element = section();
  header.showHeader(element, ARENA, 3, false);
  equal(
    text("h1, p, summary, code", element),
    "Open arena | Take-Stones and Isolation | 3 matches played | " +
      "Play a beginnerPlay a friendWatchOptions | Connect your own bot | " +
      "Matchmaking is automatic, with 5 s + 0.05 s a move for each bot. | " +
      "A bot in any language connects to this address and sends hello: | ws://arena.test/play | " +
      "This command starts one of the built-in bots: | " +
      "arena bot spec:4 --url ws://arena.test/play",
  );
  deepEqual(links(element), [
    "#/play?game=take_stones&opponent=random&side=1&time=&start=",
    "#/play?game=take_stones&opponent=&side=1&time=&start=",
    "/?present=tv",
    "#/play",
  ]);
  const labels = attributes("aria-label", "button", element);
  deepEqual(labels, ["Copy the address", "Copy the command"]);
  header.showHeader(element, { ...ARENA, run: "run 3", offers: {} }, 0, false);
  deepEqual(texts(".button", element), ["Play a friend", "Watch", "Options"]);
  deepEqual(texts(".played", element), [""]);
  header.showHeader(element, { ...ARENA, run: "run 4", is_open: false }, 5, false);
  equal(
    element.textContent,
    "Stored matchesTake-Stones and Isolation5 matches playedAll matchesAnalyse a position",
  );
  deepEqual(links(element), ["#/games", "#/analysis"]);
});

test("the workers of a tournament are shown, those of other arenas are none", () => {
  const element = section();
  const workers = { workers: 2, matches_per_second: 9.96, in_flight: 1, lost: 0, replayed: 0 };
  header.showHeader(element, ARENA, 0, false);
  header.showWorkers(element, workers);
  deepEqual(texts(".workers", element), []);
  header.showHeader(element, CONTEST, 0, false);
  const line = element.querySelector(".workers");
  equal(line.hidden, true);
  header.showWorkers(element, workers);
  deepEqual([line.hidden, line.textContent], [false, "2 workers, 10 matches/s, 1 batch in flight"]);
  for (const [rate, text] of [
    [9.84, "9.8"],
    [10.4, "10"],
    [10, "10"],
    [1234.5, "1,235"],
  ]) {
    header.showWorkers(element, { ...workers, matches_per_second: rate, in_flight: 3 });
    equal(line.textContent, `2 workers, ${text} matches/s, 3 batches in flight`);
  }
  header.showWorkers(element, { ...workers, workers: 1, lost: 1, replayed: 30 });
  match(line.textContent, /^1 worker, .*, 1 batch lost, 30 matches played again$/);
});
