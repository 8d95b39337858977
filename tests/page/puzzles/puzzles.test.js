import assert, { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { forgetProgress, loadProgress, noteResult, ProgressPanel } from "/puzzles/progress.js";
import { levelText, puzzleAddress, puzzleKey } from "/puzzles/puzzle_texts.js";
import { view } from "/puzzles/puzzles.js";
import { ARENA, connect, puzzle } from "../support/arena.js";
import { leaveView, replaceProperty, settle, signal, test } from "../support/browser.js";
import { all, button, fill, kinds, links, properties, show, texts } from "../support/elements.js";

const PUZZLE = puzzle();
const progress = () => texts(".puzzle-progress p")[0];
const heading = () => texts("h2")[0];
const problem = () => texts(".problem")[0];

async function open({ parameters = [], arena = ARENA } = {}) {
  const { connection, socket } = connect(arena);
  view({ main: show(document.createElement("main")), connection, parameters, signal: signal() });
  await settle();
  const ask = () => {
    const { type: _, request: __, ...question } = socket.questions("find_puzzle").at(-1);
    return question;
  };
  const answer = (fields = {}) => socket.answer("find_puzzle", puzzle(fields));
  return { socket, ask, answer, asked: () => socket.questions("find_puzzle").length };
}

test("the first attempt at a puzzle counts, and makes or ends a streak", () => {
  deepEqual(loadProgress(), { results: {}, streak: 0, best: 0 });
  for (const [puzzle, result, streak, best] of [
    ["1/1", "solved", 1, 1],
    ["1/2", "solved", 2, 2],
    ["1/3", "helped", 2, 2],
    ["1/4", "failed", 0, 2],
    ["1/4", "solved", 0, 2],
    ["1/5", "solved", 1, 2],
  ]) {
    noteResult(puzzle, result);
    const now = loadProgress();
    deepEqual([now.streak, now.best], [streak, best]);
  }
  equal(loadProgress().results["1/4"], "failed");
  forgetProgress();
  deepEqual(loadProgress(), { results: {}, streak: 0, best: 0 });
});

test("the oldest of two thousand results are dropped", () => {
  const results = Object.fromEntries(
    Array.from({ length: 2000 }, (_, ply) => [`1/${ply}`, "solved"]),
  );
  localStorage.setItem("puzzles", JSON.stringify({ results, streak: 1, best: 1 }));
  noteResult("2/1", "solved");
  const kept = Object.keys(loadProgress().results);
  deepEqual([kept.length, kept[0], kept.at(-1)], [2000, "1/1", "2/1"]);
});

test("what is no progress counts as none", () => {
  for (const stored of [
    "",
    "{",
    "null",
    '{"results": {"1/5": "solved"}, "streak": "a", "best": 1}',
  ]) {
    localStorage.setItem("puzzles", stored);
    deepEqual(loadProgress(), { results: {}, streak: 0, best: 0 });
  }
  localStorage.setItem(
    "puzzles",
    '{"results": {"1/5": "x", "1/6": "failed"}, "streak": 0, "best": 3}',
  );
  deepEqual(loadProgress(), { results: { "1/6": "failed" }, streak: 0, best: 3 });
});

test("the progress is shown, and forgotten with the second click", () => {
  for (const [ply, result] of ["solved", "solved", "helped", "failed"].entries())
    noteResult(`1/${ply}`, result);
  const panel = new ProgressPanel();
  show(panel.element);
  equal(panel.element.getAttribute("aria-label"), "Progress");
  deepEqual(texts("h2, p"), [
    "Progress",
    "Solved 2, with a hint 1, failed 1. Streak\u00a00, best\u00a02.",
    "Your results stay in this browser.",
  ]);
  const forget = button("Forget my results");
  forget.click();
  equal(forget.textContent, "Really forget all results?");
  forget.dispatchEvent(new Event("blur"));
  equal(forget.textContent, "Forget my results");
  forget.click();
  panel.update();
  deepEqual([forget.textContent, forget.hidden], ["Forget my results", false]);
  forget.click();
  forget.click();
  equal(texts("p")[0], "Solved 0, with a hint 0, failed 0. Streak\u00a00, best\u00a00.");
  equal(forget.hidden, true);
});

test("a level is explained", () => {
  deepEqual([puzzleKey(PUZZLE), puzzleAddress(PUZZLE)], ["1/3", "#/puzzles/1/3"]);
  equal(levelText(PUZZLE), "Easy: 1 of 3 moves wins and the match went on for 12 moves.");
  const hard = { ...PUZZLE, level: 3, winning_moves: [8, 10], plies_left: 1, misleads: true };
  equal(
    levelText(hard),
    "Hard: 2 of 3 moves win, the match went on for 1 move, and a search of 3 plies is wrong.",
  );
  assert.match(levelText({ ...PUZZLE, level: 2 }), /^Medium: /);
});

test("the puzzle of the day is shown", async () => {
  const { ask, answer } = await open();
  deepEqual(texts(".skeleton .hidden-text"), ["Loading the puzzle…"]);
  deepEqual([all(".skeleton [aria-hidden]").length, ask()], [8, {}]);
  const more = document.querySelector(".puzzle").lastChild;
  equal(more.hidden, true);
  await answer({ day: "2026-01-02" });
  deepEqual([more.hidden, heading()], [false, "Puzzle of 2 January 2026"]);
  deepEqual([texts("h1"), links(document).at(-1)], [["Puzzles"], "#/puzzles"]);
  equal(texts("a").at(-1), "Puzzle of the day");
  assert.match(progress(), /^Solved 0/);
});

test("the puzzle of an address is shown, others are none", async () => {
  for (const [parameters, question] of [
    [["1", "5"], { match: 1, ply: 5 }],
    [["1"], {}],
    [["1", "x5"], {}],
    [["1".repeat(16), "1"], {}],
  ]) {
    const { ask } = await open({ parameters });
    deepEqual(ask(), question);
  }
});

test("a view that was opened without the arena loads later", async () => {
  const { socket, ask, asked } = await open({ arena: null });
  equal(asked(), 0);
  socket.receive(ARENA);
  deepEqual(ask(), {});
  socket.receive(ARENA);
  equal(asked(), 1);
});

test("why there is no puzzle is told", async () => {
  const { socket, answer } = await open({ parameters: ["999", "1"] });
  await socket.fail("find_puzzle", "unknown match 999", "no_puzzle");
  equal(problem(), "Unknown match 999.");
  assert.match(texts(".puzzle-none p")[1], /^A puzzle is a position of a finished, rated match/);
  equal(all(".skeleton").length, 0);
  button("Next puzzle").click();
  await answer();
  deepEqual([all(".puzzle-none").length, problem()], [0, ""]);
});

test("on the first day of an arena a puzzle is drawn instead", async () => {
  const { socket, ask, answer } = await open();
  await socket.fail("find_puzzle", "no puzzle of the day", "no_puzzle");
  equal(ask().level, null);
  ok(Number.isSafeInteger(ask().seed));
  notEqual(ask().seed, 0);
  await answer();
  equal(heading(), "From match 1");
  const busy = await open();
  await busy.socket.fail("find_puzzle", "The arena is busy.", "busy");
  equal(busy.asked(), 1);
});

test("the next puzzle is one of the level that the person has not seen", async () => {
  noteResult("2/3", "failed");
  localStorage.setItem("puzzle-level", "3");
  const { ask, answer, asked } = await open();
  await answer();
  const level = document.querySelector("select");
  deepEqual(properties("text", level.options), ["Any", "Easy", "Medium", "Hard"]);
  deepEqual(texts("option[selected]"), ["Hard"]);
  fill(level, "2", "change");
  equal(localStorage.getItem("puzzle-level"), "2");
  button("Next puzzle").click();
  deepEqual([asked(), ask().level], [2, 2]);
  await answer({ match: 2 });
  await answer({ match: 2 });
  equal(heading(), "From match 1");
  await answer({ match: 2 });
  deepEqual([asked(), heading(), location.hash], [4, "From match 2", "#/puzzles/2/3"]);
  ok(texts(".puzzle-side .hint").includes("You have failed at this puzzle."));
});

test("how the person has done before is told", async () => {
  for (const [result, text] of [
    ["solved", "You have solved this puzzle."],
    ["helped", "You have solved this puzzle with a hint."],
  ]) {
    forgetProgress();
    noteResult("1/3", result);
    const { answer } = await open();
    await answer();
    equal(texts(".puzzle-side .hint")[0], text);
  }
});

test("a puzzle that is over leads to the next, and counts", async () => {
  const { answer } = await open();
  await answer();
  const next = button("Next puzzle");
  equal(next.className, "");
  button("Solution").click();
  equal(next.className, "main");
  ok(document.activeElement === next);
  assert.match(progress(), /failed 1/);
  next.click();
  await answer({ match: 4 });
  equal(next.className, "");
  document.querySelector("select").focus();
  button("Solution").click();
  ok(document.activeElement !== next);
});

test("an error leaves the puzzle that is shown", async () => {
  const { socket, answer } = await open();
  await answer();
  button("Next puzzle").click();
  await socket.fail("find_puzzle", "busy");
  deepEqual([problem(), heading()], ["Busy.", "From match 1"]);
});

test("the link to a puzzle is copied", async () => {
  const copied = [];
  replaceProperty(navigator, "clipboard", { writeText: async text => copied.push(text) });
  const { answer } = await open();
  await answer();
  button("Link").click();
  await settle();
  deepEqual(copied, ["http://arena.test/#/puzzles/1/3"]);
});

test("an answer for a view that was left is not shown", async () => {
  const { answer } = await open();
  leaveView();
  await answer();
  equal(all(".puzzle-side").length, 0);
});

test("the page has its elements, classes and roles", async () => {
  const { answer } = await open();
  await answer();
  button("Solution").click();
  equal(
    kinds(),
    "main h1.hidden-text div.puzzle div.puzzle-shown div.puzzle-head h2 p.puzzle-turn " +
      "span.player-2 p.puzzle-status[status] section.puzzle-board.board-room div.board.text-board " +
      "pre.position[region] p.hint div.choices[group] section.card.puzzle-side " +
      "div.puzzle-buttons button button.main div.puzzle-end div p bdi a.button " +
      "button.play-on div.copy div.buttons[group] p.hint[status] textarea p.problem[status] " +
      "div.puzzle-others label select option a section.card.puzzle-progress",
  );
});
