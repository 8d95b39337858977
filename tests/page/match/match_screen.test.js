import { deepEqual, equal } from "node:assert/strict";
import { MatchScreen } from "/match/match_screen.js";
import { player } from "/play/player_connection.js";
import {
  ARENA,
  connect,
  MOVES,
  moveUpdate,
  playedMatch,
  RESULT,
  timeControl,
} from "../support/arena.js";
import { pass, settle, testAfter, until, signal as viewSignal } from "../support/browser.js";
import { all } from "../support/elements.js";

const WINNERS = [1, 2, 1, 2, 1, 2, 2];
const GAME = {
  name: "take_stones",
  title: "Take-Stones",
  has_board: true,
  is_solved: true,
  has_matching: true,
};
const OVER = { result: RESULT, winners: WINNERS };
const FRAME = 16; // milliseconds

const module = await import("/boards/take_stones/board.js");
let arena, connection, screen, match, controller;
const test = testAfter(t => {
  t.mock.method(player, "move", () => {});
  history.replaceState(null, "", "/");
});

/** Show a match after some of its moves. */
function open(
  moves = MOVES,
  { side = null, ply = null, game = GAME, board = module, ...state } = {},
) {
  controller?.abort();
  controller = new AbortController();
  ({ connection, socket: arena } = connect({ ...ARENA, games: game ? [game] : [] }));
  match = playedMatch(moves, state);
  const { signal } = controller;
  viewSignal().addEventListener("abort", () => signal.aborted || controller.abort());
  screen = new MatchScreen({ match, module: board, connection, signal, side, ply });
  document.body.replaceChildren(screen.element);
}

const part = selector => screen.element.querySelector(selector);
const text = selector => part(selector).textContent;
const taken = () => part(".board").querySelectorAll(".stone.taken").length;
const announced = () => text("[aria-live]");
const link = name =>
  all("a", screen.element).find(({ textContent }) => textContent.startsWith(name));
const button = name =>
  all("button", screen.element).find(({ textContent, ariaLabel, title }) =>
    [textContent, ariaLabel, title].includes(name),
  );
function step(name) {
  button(name).click();
  pass(FRAME);
}

/** Open the menu with what there is to share. */
async function openShare() {
  part(".share").dispatchEvent(new Event("toggle"));
  await until(() => part(".copy"));
}

/** Let the arena send moves from a ply on. */
function receive(moves, ply) {
  match.apply(moveUpdate(moves, ply));
  screen.update(true);
  pass(FRAME);
}

test("a finished match has its facts, its result and its parts", async () => {
  open(MOVES, OVER);
  equal(text("h1"), "Take-Stones");
  equal(text(".match-head .hint"), "7 stones · 10 s + 1 s a move · match 7");
  equal(text(".state-line p"), "bob won: no factor or multiple of 5 is left");
  equal(document.title, "ann – bob · Arena");
  const parts = [".match-head", ".state-line p", "[aria-live]", "h1"].map(
    name => part(name).cloneNode().outerHTML,
  );
  equal(
    parts.join(""),
    '<div class="match-head"></div><p role="status" class=""></p>' +
      '<p class="hidden-text" aria-live="polite"></p><h1></h1>',
  );
  const [board, side] = screen.element.querySelectorAll("section");
  deepEqual(
    [screen.element, board, side, side.lastElementChild].map(
      element => `${element.className}: ${element.getAttribute("aria-label")}`,
    ),
    ["match: null", "match-board: Board", "match-side: Match", "match-more: null"],
  );
  const sections = "match-head players program-log solver moves replay match-more";
  equal([...side.children].map(({ className }) => className).join(" "), sections);
  await openShare();
  const more = all(".match-more > *, .share > *", side).map(({ className }) => className);
  deepEqual(more, ["spread", "spread", "", "copy", "picture-files"]);
  deepEqual([link("Analyse").className, link("How is").className], ["button", "hint"]);
  deepEqual([taken(), part(".controls"), part(".match-more .switch").hidden], [6, null, false]);
  equal(part(".state-line").className, "state-line");
  controller.abort();
  equal(document.title, "Arena");
});

test("a match without a winner is undecided", async () => {
  open([3], {
    result: { ...RESULT, winner: null, termination: "aborted", reason: "the arena was killed" },
    facts: { casual: true, setup: {}, game: "other" },
    board: null,
    game: null,
  });
  equal(text(".state-line p"), "No winner: the arena was killed");
  equal(text(".match-head .hint"), "10 s + 1 s a move · match 7");
  await openShare();
  equal(button("Command"), undefined);
  equal(part(".match-more .switch").hidden, true, "there is no solver");
});

test("a live match is followed with each frame", async () => {
  open([3], { winners: [1, 1] });
  equal(part(".state-line").className, "state-line is-live");
  await openShare();
  deepEqual([text(".state-line p"), button("Record").hidden], ["bob is thinking", true]);
  match.apply(moveUpdate([6], 1));
  screen.update(true);
  screen.update(true);
  equal(taken(), 1);
  pass(FRAME);
  deepEqual([taken(), part(".moves [aria-current]").dataset.ply], [2, "2"]);
  match.finish({ ...RESULT, termination: "timeout", reason: "player 1 (ann) was late" });
  screen.update(true);
  pass(FRAME);
  equal(text(".state-line p"), "bob won: ann was late");
  equal(button("Record").hidden, false);
});

test("a step leaves the live match, until it is followed again", () => {
  open([3, 6]);
  step("Previous move");
  receive([2], 2);
  deepEqual([taken(), button("Live").hidden], [1, false]);
  step("Live");
  receive([4], 3);
  deepEqual([taken(), button("Live").hidden], [4, true]);
  step("Previous move");
  step("Next move");
  receive([1], 4);
  equal(taken(), 5, "the latest position is followed");
  step("First position");
  screen.replace(playedMatch([3, 6]));
  pass(FRAME);
  equal(taken(), 0);
});

test("a position after a takeback is not shown", () => {
  open([3, 6, 2]);
  step("Previous move");
  receive([1], 0);
  deepEqual([taken(), part(".replay input").value], [1, "1"]);
});

test("the address follows after a moment, of a live match without the latest ply", () => {
  open([3, 6]);
  screen.go(1);
  pass(200);
  screen.go(0);
  pass(249);
  equal(location.hash, "");
  pass(1);
  equal(location.hash, "#/match/7/0");
  step("Live");
  pass(250);
  equal(location.hash, "#/match/7");
  open(MOVES, OVER);
  screen.go(6);
  pass(250);
  equal(location.hash, "#/match/7/6");
  screen.go(5);
  controller.abort();
  pass(1000);
  equal(location.hash, "#/match/7/6");
});

for (const [ply, state, shown, address, follows] of [
  [null, OVER, 6, "", true],
  [2, OVER, 2, "", false],
  [9, OVER, 6, "#/match/7/6", true],
  [6, {}, 6, "", false],
  [9, {}, 6, "#/match/7/6", false],
  [null, {}, 6, "", true],
]) {
  test(`a ${state.result ? "finished" : "live"} match begins at ${ply ?? "its end"}`, () => {
    open(MOVES, { ply, ...state });
    deepEqual(
      [taken(), location.hash, button("Live").hidden],
      [shown, address, follows || Boolean(state.result)],
    );
  });
}

test("a player is told whose turn it is at first, unless it has changed", () => {
  open([3, 6], { side: 1 });
  pass(499);
  equal(announced(), "");
  pass(1);
  equal(announced(), "Your move: a factor or a multiple of 6");
  open([3], { side: 1 });
  receive([6], 1);
  pass(500);
  equal(announced(), "move 2 of 2: bob, 6");
  open([3]);
  pass(500);
  equal(announced(), "", "a spectator reads it with the page");
});

test("a position is announced after a step, in a live match at most every 2.5 seconds", () => {
  open([3]);
  screen.go(0);
  pass(499);
  equal(announced(), "");
  pass(1);
  equal(announced(), "before the first move");
  step("Live");
  receive([6], 1);
  receive([2], 2);
  pass(2500 - 3 * FRAME - 1);
  equal(announced(), "before the first move");
  pass(1);
  equal(announced(), "move 3 of 3: ann, 2");
  pass(5000);
  receive([4], 3);
  pass(83);
  equal(announced(), "move 3 of 3: ann, 2");
  pass(1);
  equal(announced(), "move 4 of 4: bob, 4");
  step("Previous move");
  pass(1000);
  receive([1], 4);
  pass(5000);
  equal(announced(), "move 3 of 4: ann, 2", "no news at an earlier position");
  screen.update();
  pass(5000);
  equal(announced(), "move 3 of 4: ann, 2");
  equal(part("[type=range]").getAttribute("aria-valuetext"), "move 3 of 5: ann, 2");
});

test("a match that the arena forgets says why", () => {
  open([3]);
  screen.lose("unknown match 7");
  pass(FRAME);
  deepEqual(
    [text(".state-line p"), part(".state-line").className],
    ["unknown match 7", "state-line"],
  );
  open([3]);
  arena.receive({ type: "about", run: "second", games: [GAME], offers: {} });
  screen.lose("unknown match 7");
  pass(FRAME);
  equal(text(".state-line p"), "The arena restarted; this match was not finished.");
  open(MOVES, OVER);
  screen.lose("unknown match 7");
  pass(FRAME);
  equal(text(".state-line p"), "bob won: no factor or multiple of 5 is left");
});

test("the links lead to the analysis of the position and to the search for its move", () => {
  open(MOVES, { ...OVER, facts: { players: ["ann", "spec:2"] } });
  screen.go(2);
  pass(FRAME);
  equal(
    link("Analyse").getAttribute("href"),
    "#/analysis?game=take_stones&stones=7&moves=3,6&then=2,4,1,5",
  );
  const learn = () => [link("How is").textContent, link("How is").getAttribute("href")];
  const query = "#/learn?game=take_stones&stones=7&moves=";
  deepEqual(learn(), ["How is it found?", `${query}3&depth=2`]);
  screen.go(0);
  pass(FRAME);
  deepEqual(learn(), ["How is a move found?", `${query}&depth=3`]);
  screen.go(1);
  pass(FRAME);
  deepEqual(learn(), ["How is it found?", `${query}&depth=3`]);
});

test("link, record, command and frame of the position are copied", async t => {
  const copied = [];
  t.mock.method(navigator.clipboard, "writeText", async value => copied.push(value));
  open(MOVES, { ...OVER, ply: 2 });
  await openShare();
  await openShare();
  await settle();
  equal(all(".copy", screen.element).length, 1);
  for (const name of ["Link", "Record", "Command", "Frame"]) {
    button(name).click();
    await settle();
    if (name === "Record")
      await arena.answer("find_record", { text: "[Game]", infos: {}, log: "" });
  }
  deepEqual(copied, [
    "http://arena.test/match/7/2",
    "[Game]",
    "python -m core.take_stones 7 2 3 6 4",
    '<iframe src="http://arena.test/embed/#/match/7/2" title="Take-Stones" width="480" height="800" loading="lazy"></iframe>',
  ]);
  equal(arena.questions("find_record").at(-1).match, 7);
});

test("after the match the infos of the bots and the output of a failed one are requested", async () => {
  open([3]);
  deepEqual(arena.questions("find_record"), []);
  open([3], { result: { ...RESULT, termination: "timeout" } });
  const [first, second] = arena.questions("find_record");
  for (const { request } of [first, second]) {
    arena.receive({
      type: "record",
      request,
      text: "",
      log: "crashed",
      infos: { 0: { depth: 4 } },
    });
  }
  await settle();
  pass(FRAME);
  equal(text(".rounds .info").split(",")[0], "depth 4");
  equal(text(".program-log pre"), "crashed");
});

test("the spoilers show verdicts, blunders and winning moves", async () => {
  open(MOVES, { ...OVER, ply: 1 });
  const state = () => [
    part(".solver").hidden,
    part(".graph").hidden,
    part(".moves .blunder")?.dataset.ply,
    button("?? next blunder").hidden,
  ];
  deepEqual(state(), [false, false, "1", false]);
  pass(250);
  await arena.answer("analyse", { winning_moves: [6] });
  pass(FRAME);
  equal(text(".board .winning"), "6");
  part(".match-more input").click();
  pass(FRAME);
  deepEqual([state(), part(".board .winning")], [[true, true, undefined, true], null]);
  open(MOVES, { result: RESULT, ply: 1 });
  equal(part(".solver").hidden, true, "the choice is remembered");
  localStorage.clear();
  open(MOVES, { result: RESULT, ply: 1 });
  deepEqual(state(), [false, true, undefined, true], "no verdicts, no graph");
});

test("the solver is asked only where nobody could be helped by many", () => {
  const asks = (moves, options, act = () => {}) => {
    localStorage.clear();
    open(moves, options);
    act();
    pass(1000);
    return arena.questions("analyse").length;
  };
  equal(asks(MOVES, OVER), 1);
  equal(asks([3], {}), 0, "a spectator of a live match");
  equal(
    asks([3], {}, () => screen.go(0)),
    1,
    "one that steps through it",
  );
  equal(asks(MOVES, { ...OVER, game: { ...GAME, is_solved: false } }), 0);
  const show = () => part(".match-more input").click();
  equal(asks([3], { side: 1 }), 0, "a player without spoilers");
  equal(asks([3], { side: 1 }, show), 1);
});

test("a live match between people has no help, unless both have agreed", () => {
  const hidden = (facts, options = {}) => {
    localStorage.clear();
    open([3], { winners: [1, 1], facts: { casual: true, ...facts }, ...options });
    return [part(".solver").hidden, part(".spread").hidden];
  };
  deepEqual(hidden({}), [true, true]);
  deepEqual(hidden({ hints: true }), [false, false]);
  deepEqual(hidden({ casual: false }), [false, false]);
  deepEqual(hidden({ players: ["ann", "random"] }), [false, false]);
  deepEqual(hidden({}, { result: RESULT }), [false, false], "after the match");
  open([3], { side: 2, facts: { casual: true } });
  equal(button("Hint").hidden, true);
});

test("the matching is asked for where the graph is shown", async () => {
  open(MOVES, { ...OVER, ply: 1 });
  pass(1000);
  deepEqual(arena.questions("find_matching"), []);
  button("Graph").click();
  await until(() => part(".stone-graph"));
  pass(1000);
  await arena.answer("find_matching", { pairs: [[3, 6]], answer: 6 });
  pass(FRAME);
  equal(text(".stone-graph .reply"), "6");
  part(".match-more input").click();
  pass(FRAME);
  equal(part(".stone-graph .reply"), null, "it is a spoiler");
  localStorage.removeItem("spoilers");
  open(MOVES, { ...OVER, ply: 1, game: { ...GAME, has_matching: false } });
  pass(1000);
  deepEqual(arena.questions("find_matching"), []);
});

test("a player chooses legal moves of the latest position on the turn", () => {
  const cell = stone => all("[role=gridcell]", part("[role=grid]"))[stone - 1];
  const isInteractive = () => part("[role=grid]").classList.contains("interactive");
  open([3], { side: 2 });
  equal(isInteractive(), true);
  cell(6).click();
  deepEqual(player.move.mock.calls[0].arguments, [7, 1, 6]);
  cell(5).animate = () => {};
  cell(5).click();
  equal(text(".state-line .problem"), "5 is neither a factor nor a multiple of 3.");
  screen.go(0);
  pass(FRAME);
  equal(isInteractive(), false);
  open([3], { side: 1 });
  deepEqual([isInteractive(), screen.element.className], [false, "match their-turn"]);
  cell(6).click();
  equal(text(".state-line .problem"), "It is not your turn.");
  open([3]);
  equal(isInteractive(), false);
  cell(6).click();
  equal(text(".state-line p"), "bob is thinking");
});

test("after a lost match the first mistake is shown, and what was better", async () => {
  localStorage.setItem("spoilers", "off");
  open(MOVES, { ...OVER, side: 1 });
  equal(text(".state-line p"), "You lost: no factor or multiple of 5 is left");
  deepEqual([part(".solver").hidden, button("Show my mistake").hidden], [true, false]);
  step("Show my mistake");
  deepEqual([taken(), part(".solver").hidden], [0, false]);
  pass(250);
  await arena.answer("analyse", { winning_moves: [1, 5] });
  pass(FRAME);
  equal(text(".state-line p"), "Your mistake was 3. 1 or 5 would have won.");
  step("Next move");
  equal(text(".state-line p"), "You lost: no factor or multiple of 5 is left");
  step("Previous move");
  pass(250);
  await arena.answer("analyse", { winning_moves: [1, 5, 7, 9] });
  pass(FRAME);
  equal(text(".state-line p"), "Your mistake was 3. Each ★ would have won.");
  open(MOVES, { ...OVER, winners: [2, 2, 2, 2, 2, 2, 2], side: 1 });
  equal(button("Show my mistake").hidden, true);
  open(MOVES, OVER);
  equal(button("Show my mistake"), undefined, "a spectator");
  open([3], { winners: [1, 2], side: 1 });
  equal(button("Show my mistake").hidden, true, "a match that goes on");
});

test("a hint is marked in the latest position", async () => {
  open([3], { side: 2 });
  button("Hint").click();
  await arena.answer("analyse", { winning_moves: [6], search: null, search_error: null });
  pass(FRAME);
  equal(text(".board .hint"), "6");
  screen.go(0);
  pass(FRAME);
  equal(part(".board .stone.hint"), null);
});

test("names of moves that only the arena knows are shown when they come", async () => {
  open([3], {
    game: { ...GAME, name: "nim" },
    facts: { game: "nim", control: timeControl("1+0", 1000) },
    board: null,
  });
  equal(text(".moves .name"), "3");
  const names = { played_names: ["x3"], legal_moves: [1], legal_names: ["x1"] };
  await arena.answer("find_position", { text: "board", player: 2, outcome: null, ...names });
  pass(FRAME);
  deepEqual([text(".moves .name"), text(".choices")], ["x3", "x1"]);
});
