import { deepEqual, equal, match, ok } from "node:assert/strict";
import { view } from "/analysis/analysis.js";
import { answeringArena } from "../support/arena.js";
import { takeStones } from "../support/boards.js";
import { leaveView, settle, signal, test, tick, until } from "../support/browser.js";
import { keepFrames, recordCanvases } from "../support/canvases.js";
import {
  all,
  button,
  field,
  fill,
  isSame,
  outline,
  pointAt,
  press,
  show,
  texts,
  unusedClasses,
} from "../support/elements.js";
import { LOST } from "../support/matchings.js";

/** Return an analysis by the rules of Take-Stones, in which the largest legal move wins. */
function analysed({ setup, moves, depth }) {
  const legal = takeStones.legalMoves(setup, moves);
  const player = 1 + (moves.length % 2);
  const counts = { nodes_visited: 70, nodes_evaluated: 40, max_depth: 4, branching_factor: 2 };
  const search = { depth, move: legal[0], value: 0.5, stopped: null, ...counts };
  return {
    ...{ player, legal_moves: legal, winner: player, winning_moves: legal.slice(-1), value: 0.5 },
    ...{ explanation: "so", search: depth === null ? null : search, search_error: null },
  };
}

const ANSWERS = {
  analyse: question => {
    const { moves, setup } = question;
    const last = moves.at(-1);
    if (last && !takeStones.legalMoves(setup, moves.slice(0, -1)).includes(last))
      throw new Error(`illegal move ${moves.length}`);
    return analysed(question);
  },
  find_matching: () => LOST,
  find_continuations: () => ({ continuations: [[2, 1, 0, 0]] }),
  find_move_values: ({ moves, setup }) => ({
    values: takeStones.legalMoves(setup, moves).map(move => [move, true, 0, 0, 1, [move], null]),
  }),
};

/** Return the page at an address. */
async function analysisPage(t, address, { isOpen = true, ...answers } = {}) {
  recordCanvases();
  keepFrames();
  // Mocked twice in one test it would stay mocked after it.
  const { replaceState } = history;
  const replaced = replaceState.mock
    ? replaceState
    : t.mock.method(history, "replaceState", () => {});
  const arena = answeringArena({ ...ANSWERS, ...answers }, { isOpen });
  const { connection } = arena;
  const main = show(document.createElement("main"));
  view({ main, connection, query: new URLSearchParams(address), signal: signal() });
  await settle();
  const link = () => replaced.mock.calls.at(-1)?.arguments[2];
  return { ...arena, main, link, ...actions(main, arena.asked) };
}

/** Return what a test does with the page. */
function actions(main, asked) {
  const part = selector => main.querySelector(selector);
  const later = async () => {
    await settle();
    tick(300);
    await settle();
  };
  const enter = (label, value) => {
    fill(field(label, main), value);
    return later();
  };
  const click = element => {
    element.click();
    return later();
  };
  const cells = name => texts(`.analysed-board .stone.${name}`, main).join(" ");
  const stone = number => all(".stones .stone", main)[number - 1];
  const moves = () => field("Moves", main).value;
  const askedFor = type => asked.filter(question => question.type === type);
  const problem = () => part("#problem").textContent;
  return { part, later, enter, click, cells, stone, moves, asked: askedFor, problem };
}

const START = "game=take_stones&stones=7&moves=3";

test("a position is analysed, searched and explained", async t => {
  const { main, part, asked, cells, link } = await analysisPage(t, `${START}&depth=4`);
  equal(part("h1").textContent, "Analysis");
  deepEqual(
    asked("analyse")
      .map(({ depth }) => depth)
      .slice(0, 2),
    [null, 4],
  );
  deepEqual(asked("analyse")[0], {
    type: "analyse",
    game: "take_stones",
    setup: { stones: 7 },
    moves: [3],
    depth: null,
  });
  for (const type of ["find_matching", "find_continuations", "find_move_values"])
    ok(asked(type).length);
  equal(part(".answer h2").textContent, "Player 2 to move, 2 legal moves");
  equal(texts("dd", part(".answer"))[2], "70");
  deepEqual([cells("taken"), cells("legal"), cells("winning")], ["3", "1 6", "6"]);
  deepEqual(
    [".why", ".move-panel", ".played-moves", ".variation-panel"].map(panel => part(panel).hidden),
    [false, false, false, false],
  );
  equal(texts(".tried", main).join(), "1.3");
  equal(link(), "#/analysis?game=take_stones&stones=7&moves=3&depth=4");
});

test("the graph of the board has the partners of its own matching", async t => {
  const find_matching = ({ moves }) => (moves.length === 1 ? LOST : new Promise(() => {}));
  const page = await analysisPage(t, `${START}&depth=`, { find_matching });
  await page.click(button("Graph", page.part(".analysed-board")));
  await until(() => all(".stone-graph", page.main).length);
  const labels = () => all(".stone-graph [role=gridcell]", page.main).map(cell => cell.ariaLabel);
  ok(labels().includes("stone 6, free, legal: multiple of 3, wins, partner 2"));
  await page.enter("Moves", "3 6");
  ok(labels().includes("stone 2, free, legal: factor of 6, wins")); // not yet known
});

test("without a depth nothing is searched, and the rest is there before the search has ended", async t => {
  const { part, asked, link } = await analysisPage(t, `${START}&depth=`);
  deepEqual(
    asked("analyse").filter(({ depth }) => depth !== null),
    [],
  );
  ok(texts("p", part(".answer")).includes("No search depth is set."));
  equal(part(".move-panel .hint").textContent, "No search depth is set.");
  equal(link(), "#/analysis?game=take_stones&stones=7&moves=3&depth=");
  const { promise } = Promise.withResolvers();
  t.mock.timers.reset();
  const slow = await analysisPage(t, `${START}&depth=4`, {
    analyse: question => (question.depth ? promise : analysed(question)),
  });
  ok(texts("p", slow.part(".answer")).includes("Searching…"));
  equal(slow.part(".move-panel .hint").textContent, "Each move is searched…");
  equal(slow.part(".why").hidden, false);
});

test("moves are played on the board, in the result and in the panels", async t => {
  const { part, click, stone, moves, cells, link } = await analysisPage(t, `${START}&depth=`);
  await click(stone(6));
  deepEqual([moves(), cells("taken")], ["3 6", "3 6"]);
  match(link(), /&moves=3,6&/);
  await click(button("1", part(".legal-moves")));
  equal(moves(), "3 6 1");
  await click(button("2", part(".played-moves")));
  equal(moves(), "3 6 1 2");
  await click(button("4", part(".move-panel")));
  equal(moves(), "3 6 1 2 4");
  await click(button("Undo", part("form")));
  equal(moves(), "3 6 1 2");
  await click(button("Clear", part("form")));
  equal(moves(), "");
});

test("the partners answer on the board", async t => {
  const { part, click, stone, moves } = await analysisPage(
    t,
    "game=take_stones&stones=8&moves=3&depth=",
  );
  await click(button("Play against the partners", part(".why")));
  await click(stone(6));
  equal(moves(), "3 6 2");
});

test("an illegal move is explained", async t => {
  const { click, stone, problem } = await analysisPage(t, `${START}&depth=`);
  stone(4).animate = () => {};
  await click(stone(4));
  equal(problem(), "4 is neither a factor nor a multiple of 3.");
});

for (const [label, text, expected] of [
  ["Moves", "3 4", "illegal move 2"],
  ["Moves", "3 six", "A move is the number of a stone, such as 12, not “six”."],
  ["Number of stones", "0", "The number of stones must be a whole number of at least 1."],
  ["Search depth", "51", "The depth must be empty or a whole number from 0 to 50."],
]) {
  test(`the analysis stays while the fields are wrong: ${expected}`, async t => {
    const { part, enter, problem } = await analysisPage(t, `${START}&depth=`);
    const board = part(".board");
    const stale = () =>
      [".analysed-board", ".answer", ".move-panel", ".why", ".played-moves"].map(name =>
        part(name).classList.contains("stale"),
      );
    await enter(label, text);
    equal(problem(), expected);
    const said = `${expected[0].toUpperCase()}${expected.slice(1).replace(/\.$/, "")}.`;
    equal(
      part(".answer .problem").textContent,
      `${said} This is the analysis of the position before.`,
    );
    ok(stale().every(Boolean));
    isSame(part(".board"), board);
    equal(part(".answer h2").textContent, "Player 2 to move, 2 legal moves");
    equal(field(label, part("form")).value, text); // as the user has typed it
    await enter(label, { Moves: "3 6", "Number of stones": "7", "Search depth": "" }[label]);
    deepEqual([problem(), part(".answer .problem")], ["", null]);
    ok(!stale().some(Boolean));
  });
}

test("an address with moves that are no numbers is reported", async t => {
  const { part, problem, asked } = await analysisPage(
    t,
    "game=take_stones&stones=7&moves=x&depth=",
  );
  equal(problem(), "A move must be its name or its number, not “x”.");
  deepEqual([asked("analyse"), part(".answer").childElementCount], [[], 0]);
});

test("the moves of an address are written in the notation of the game", async t => {
  const { moves, main } = await analysisPage(t, "game=isolation&size=5&moves=4,32&depth=", {
    analyse: () => analysed({ setup: { stones: 7 }, moves: [], depth: null }),
  });
  deepEqual([moves(), main.querySelectorAll(".square.filled").length], ["(1 5) (5 1)", 2]);
  equal(main.querySelector(".why").hidden, true);
});

test("another game begins without moves, on its own board", async t => {
  const { main, later, moves, part } = await analysisPage(t, `${START}&depth=`);
  fill(field("Game", main), "isolation", "change");
  await later();
  deepEqual([moves(), part(".analysed-board").childElementCount, part(".stones")], ["", 1, null]);
});

test("a match is the main line, of which the address is one position", async t => {
  const { main, click } = await analysisPage(t, `${START}&then=6,2,4&depth=`);
  equal(texts(".tried", main).join(" "), "1.3 6 2.2 4");
  deepEqual(texts(".tried [aria-current]", main), ["3"]);
  await click(all(".tried a", main).at(-1));
  equal(field("Moves", main).value, "3 6 2 4");
});

test("of a line that is typed no beginnings are kept", async t => {
  const { main, enter, later } = await analysisPage(t, `${START}&depth=`);
  const tried = () => texts(".tried", main).join(" ");
  await enter("Moves", "3 1");
  equal(tried(), "1.3");
  await enter("Moves", "3 1 5");
  field("Moves", main).dispatchEvent(new Event("change", { bubbles: true }));
  await later();
  equal(tried(), "1.3 1 2.5");
});

test("a row that is pointed at marks its move on the board", async t => {
  const { part, cells } = await analysisPage(t, `${START}&depth=`);
  pointAt(part(".move-panel tr[data-move='1'] td"), "mouseover");
  deepEqual([cells("hint"), cells("winning")], ["1", "6"]);
  pointAt(part(".move-panel tbody"), "mouseleave");
  equal(cells("hint"), "");
});

test("answers for an earlier position are dropped", async t => {
  const waiting = [];
  const { part, enter, problem } = await analysisPage(t, `${START}&depth=`, {
    analyse: question =>
      new Promise((resolve, reject) => waiting.push({ question, resolve, reject })),
  });
  await enter("Moves", "3 6");
  await enter("Moves", "3 1");
  waiting[2].resolve(analysed(waiting[2].question));
  await settle();
  waiting[0].resolve(analysed(waiting[0].question));
  waiting[1].reject(new Error("late"));
  await settle();
  deepEqual([part(".answer h2").textContent, problem()], ["Player 1 to move, 5 legal moves", ""]);
});

test("what is typed is analysed at most every 300 milliseconds", async t => {
  const { main, asked } = await analysisPage(t, `${START}&depth=`);
  const type = async text => {
    fill(field("Moves", main), text);
    await settle();
  };
  tick(300);
  await settle();
  const { length } = asked("analyse");
  for (const text of ["3 6", "3 6 2", "3 6 1"]) await type(text);
  equal(asked("analyse").length, length + 1);
  tick(299);
  await settle();
  equal(asked("analyse").length, length + 1);
  tick(1);
  await settle();
  deepEqual(asked("analyse").at(-1).moves, [3, 6, 1]);
});

test("the focus stays in the result", async t => {
  const { part, click } = await analysisPage(t, `${START}&depth=`);
  button("1", part(".legal-moves")).focus();
  await click(button("1", part(".legal-moves")));
  isSame(document.activeElement, part(".answer button"));
});

test("the focus stays in the fields", async t => {
  const { main, enter } = await analysisPage(t, `${START}&depth=`);
  field("Moves", main).focus();
  await enter("Moves", "3 6");
  isSame(document.activeElement, field("Moves", main));
});

test("keys lead along the tried moves", async t => {
  const { later, moves } = await analysisPage(t, `${START}&then=6&depth=`);
  for (const [key, expected] of Object.entries({ ArrowRight: "3 6", ArrowLeft: "3" })) {
    press(key, document.body);
    await later();
    equal(moves(), expected);
  }
});

test("the page begins when the arena has introduced itself, and analyses again with each connection", async t => {
  const { main, open, later, asked, part } = await analysisPage(t, `${START}&depth=`, {
    isOpen: false,
  });
  equal(part("form"), null);
  open();
  await later();
  ok(part("form"));
  const { length } = asked("analyse");
  open();
  await later();
  deepEqual([asked("analyse").length, main.querySelectorAll("form").length], [length + 1, 1]);
});

test("a position is played on once the moves of its address are read", async t => {
  const { open, part } = await analysisPage(t, START, { isOpen: false });
  open();
  const disabled = [part(".play-on").disabled];
  await settle();
  disabled.push(part(".play-on").disabled);
  deepEqual(disabled, [true, false]);
});

test("a page that was left shows nothing more", async t => {
  const { promise, resolve } = Promise.withResolvers();
  const { part } = await analysisPage(t, `${START}&depth=`, { analyse: () => promise });
  leaveView();
  resolve(analysed({ setup: { stones: 7 }, moves: [3], depth: null }));
  await settle();
  equal(part(".answer").childElementCount, 0);
});

test("the page is named for assistive technology", async t => {
  const { main } = await analysisPage(t, `${START}&depth=4`);
  equal(
    outline(main),
    "input about ; input about The depth is i; 5 p status; div group Copy; textarea Text to copy; nav by Variations; " +
      "section Analysis; 3 ul list; button Copy the command; section by Every move; 15 th col; " +
      "11 th row; div status; section by Why; svg hidden; div group Graph; 4 span hidden; " +
      "div group Table; section by Played here; div img 1 won by player 1",
  );
});

test("elements have the classes of the style sheets, apart from those of other states", async t => {
  const { main, enter } = await analysisPage(t, `${START}&depth=4`);
  await enter("Moves", "3 4");
  equal(unusedClasses(main, "analysis/analysis.css"), ".every-row .unknown .unsearched .unsolved");
  equal(unusedClasses(main, "analysis/variations.css"), "");
  equal(unusedClasses(main, "analysis/why.css"), ".has-shown .partner .playing .shown");
});
