import { deepEqual, equal, match } from "node:assert/strict";
import { view } from "/learn/learn.js";
import { answeringArena } from "../support/arena.js";
import { leaveView, replaceProperty, settle, signal, test, tick } from "../support/browser.js";
import { keepFrames, recordCanvases } from "../support/canvases.js";
import {
  button,
  field as fieldOf,
  fill,
  outline,
  properties,
  show,
  unusedClasses,
} from "../support/elements.js";
import { TREE, tracedTree } from "../support/traced_searches.js";

const MOVES = [2, 4, 5, 6, 8, 10, 12, 14, 15, 16, 18, 20];

const POSITION = { player: 1, legal_moves: [], text: "", outcome: null };
const ANSWERS = {
  trace: ({ search }) => tracedTree(TREE, search.game ? { names: MOVES, root: "" } : {}).answer,
  explain_steps: ({ count }) => ({ texts: Array(count).fill("text") }),
  find_position: () => ({ ...POSITION, played_names: [], legal_names: [] }),
  find_exercise: ({ game }) => ({ search: game ? { moves: [3], depth: 2 } : { tree: "(1 2)" } }),
};

/** Return the page at an address, of an arena with some other answers. */
async function learnPage(t, address = "", { isOpen = true, ...answers } = {}) {
  recordCanvases();
  keepFrames();
  if (!history.replaceState.mock) t.mock.method(history, "replaceState", () => {});
  const arena = answeringArena({ ...ANSWERS, ...answers }, { isOpen });
  const { connection } = arena;
  const main = show(document.createElement("main"));
  view({ main, connection, query: new URLSearchParams(address), signal: signal() });
  await settle();
  const part = selector => main.querySelector(selector);
  const field = label => fieldOf(label, main);
  const enter = async (label, value, type = "input") => {
    fill(field(label), value, type);
    await settle();
    tick(400);
    await settle();
  };
  const text = selector => part(selector)?.textContent ?? null;
  const asked = type => arena.asked.filter(question => question.type === type);
  return { ...arena, main, part, field, enter, text, asked };
}

for (const [address, summary] of [
  ["", "Take-Stones, 20 stones · depth 3 · alpha-beta (fail-soft)"],
  [
    "game=take_stones&stones=9&moves=3,1&depth=0",
    "Take-Stones, 9 stones · after 3 1 · to the end · alpha-beta (fail-soft)",
  ],
  ["game=isolation&moves=7&variant=minimax", "Isolation, size 8 · after (1 8) · depth 3 · minimax"],
  ["tree=(1+2)&variant=minimax", "a written tree · minimax"],
]) {
  test(`the search of "${address}" is described as ${summary}`, async t => {
    const { part, text } = await learnPage(t, address);
    equal(text("summary span"), summary);
    equal(part("details").open, false);
    deepEqual([text("summary b"), part(".search-screen").hidden], ["Learn alpha-beta", false]);
    equal(text("h1.hidden-text"), "Learn alpha-beta");
  });
}

test("without an address the view begins with an example that runs, once", async t => {
  const { text, enter } = await learnPage(t);
  equal(text(".counter"), "0 / 37");
  tick(1400);
  equal(text(".counter"), "2 / 37");
  await enter("Moves", "3");
  tick(2100);
  equal(text(".counter"), "0 / 37");
});

test("nothing runs by itself for who wants that, or beside an address", async t => {
  const media = { matches: true, addEventListener() {} };
  replaceProperty(globalThis, "matchMedia", () => media);
  for (const [address, isReduced] of [
    ["", true],
    ["tree=(1+2)", false],
  ]) {
    media.matches = isReduced;
    const { text } = await learnPage(t, address);
    tick(1400);
    equal(text(".counter"), "0 / 37");
  }
});

test("the step of the address is shown, and what is wrong with the address until the next search", async t => {
  const { text, enter } = await learnPage(t, "game=chess&step=25");
  equal(text(".counter"), "25 / 37");
  equal(text(".notice"), "The link names an unknown game, “chess”: this is Take-Stones.");
  await enter("Number of stones", "7");
  deepEqual([text(".counter"), text(".notice")], ["0 / 37", ""]);
});

test("another game is described by its title and setup", async t => {
  const { enter, text } = await learnPage(t);
  await enter("Game", "nim", "change");
  equal(text("summary span"), "Nim · depth 3 · alpha-beta (fail-soft)");
});

test("algorithms of the arena are offered", async t => {
  const { field, enter, asked } = await learnPage(t);
  deepEqual(properties("textContent", field("Algorithm").options), [
    "alpha-beta (fail-soft)",
    "minimax",
  ]);
  await enter("Algorithm", "minimax", "change");
  equal(asked("trace").at(-1).search.variant, "minimax");
});

test("what is typed is searched at most every 400 milliseconds", async t => {
  const { field, asked } = await learnPage(t, "tree=(1)");
  tick(400);
  for (const text of ["(1 2", "(1 2)", "(1 3)"]) {
    fill(field("Tree"), text);
    await settle();
  }
  deepEqual(
    asked("trace").map(({ search }) => search.tree),
    ["(1)", "(1 2"],
  );
  tick(399);
  await settle();
  equal(asked("trace").length, 2);
  tick(1);
  await settle();
  equal(asked("trace")[2].search.tree, "(1 3)");
});

test("a search that takes long is mentioned", async t => {
  const { promise, resolve } = Promise.withResolvers();
  const { text, part } = await learnPage(t, "", { trace: () => promise });
  tick(199);
  equal(text("summary span"), "");
  tick(1);
  equal(text("summary span"), "Searching…");
  equal(part(".search-screen").classList.contains("stale"), true);
  resolve(tracedTree(TREE, { names: MOVES }).answer);
  await settle();
  match(text("summary span"), /^Take-Stones/);
  equal(part(".search-screen").classList.contains("stale"), false);
  tick(999);
  match(text("summary span"), /^Take-Stones/);
});

test("an answer for an earlier search is dropped, and its error, too", async t => {
  const waiting = [];
  const { text, enter } = await learnPage(t, "tree=(1)", {
    trace: ({ search }) =>
      new Promise((resolve, reject) => waiting.push({ search, resolve, reject })),
  });
  await enter("Tree", "(2)");
  await enter("Tree", "(3)");
  waiting[2].resolve(tracedTree([3]).answer);
  await settle();
  const { length } = tracedTree([3]).answer.steps;
  waiting[0].resolve(tracedTree(TREE).answer);
  waiting[1].reject(new Error("late"));
  await settle();
  deepEqual([text(".counter"), text(".problem")], [`0 / ${length}`, ""]);
});

test("an error is shown, with the form if there is no search yet", async t => {
  let isBad = true;
  const trace = () => {
    if (isBad) throw new Error("is not closed");
    return tracedTree(TREE).answer;
  };
  const { text, part, field, enter } = await learnPage(t, "tree=((", { trace });
  deepEqual([text(".problem[role=alert]"), text("summary span")], ["is not closed", ""]);
  deepEqual([part("details").open, part(".search-screen").hidden], [true, true]);
  equal(field("Tree").getAttribute("aria-invalid"), "true");
  isBad = false;
  await enter("Tree", "(1)");
  deepEqual([text(".problem"), part(".search-screen").classList.contains("stale")], ["", false]);
  part("details").open = false;
  isBad = true;
  await enter("Tree", "((");
  deepEqual([text(".problem"), part("details").open], ["is not closed", false]);
  equal(part(".search-screen").classList.contains("stale"), true);
});

test("moves of the address that are no numbers are reported", async t => {
  const { text, asked } = await learnPage(t, "moves=x");
  equal(text(".problem"), "A move is the number of a stone, such as 12, not “x”.");
  equal(asked("trace").length, 0);
});

test("exercises are drawn and filled in", async t => {
  const { main, field, enter, asked, text } = await learnPage(t, "stones=10");
  button("Random exercise", main).click();
  await settle();
  tick(400);
  await settle();
  deepEqual(asked("find_exercise")[0], {
    type: "find_exercise",
    seed: 1,
    depth: 3,
    game: "take_stones",
    setup: { stones: 10 },
  });
  deepEqual([field("Moves").value, field("Search depth").value], ["3", "2"]);
  equal(
    text("summary span"),
    "Take-Stones, 10 stones · after 3 · depth 2 · alpha-beta (fail-soft)",
  );
  await enter("Exercise number", "-1", "change");
  equal(text(".problem"), "The number of an exercise must be a whole number of at least 0.");
});

test("a search that an exercise replaces is no longer mentioned", async t => {
  const { promise } = Promise.withResolvers();
  const { main, text } = await learnPage(t, "", {
    trace: () => promise,
    find_exercise: () => promise,
  });
  button("Random exercise", main).click();
  await settle();
  tick(1000);
  equal(text("summary span"), "");
});

test("an exercise that comes late replaces nothing", async t => {
  const { promise, resolve } = Promise.withResolvers();
  const { enter, field } = await learnPage(t, "tree=(1)", { find_exercise: () => promise });
  await enter("Exercise number", "5", "change");
  await enter("Tree", "(7)");
  resolve({ search: { tree: "(1 2)" } });
  await settle();
  equal(field("Tree").value, "(7)");
});

test("the page begins when the arena has introduced itself, and tries again after an error", async t => {
  let isLost = true;
  const trace = () => {
    if (isLost) throw new Error("Connection lost.");
    return tracedTree(TREE, { names: MOVES }).answer;
  };
  const { main, open, text, asked } = await learnPage(t, "", { trace, isOpen: false });
  equal(main.querySelector("details"), null);
  open();
  await settle();
  equal(text(".problem"), "Connection lost.");
  isLost = false;
  open();
  await settle();
  equal(text(".problem"), "");
  open();
  await settle();
  equal(asked("trace").length, 2); // a search that is shown is not repeated
  equal(main.querySelectorAll("details").length, 1);
});

test("a page that was left shows nothing more", async t => {
  const { promise, resolve } = Promise.withResolvers();
  const { part, text } = await learnPage(t, "", { trace: () => promise });
  leaveView();
  tick(999);
  resolve(tracedTree(TREE, { names: MOVES }).answer);
  await settle();
  deepEqual([part(".search-screen").hidden, text("summary span")], [true, ""]);
});

test("the page is named for assistive technology", async t => {
  const { main } = await learnPage(t, "tree=(1)");
  equal(
    outline(main),
    "textarea about Brackets are i; input about The depth is i; input about ; 5 p status; " +
      "p alert; section Tree; canvas img Search tree; div group Zoom; button Zoom in; " +
      "button Zoom out; button Whole tree; button Follow the node at work; " +
      "button Collapse or expand the node at work; canvas hidden; form Practice; fieldset by ; " +
      "div group Steps; input Step; button Start; 5 svg hidden; button Previous step; " +
      "button Play; button Next step; button End; select Speed; 2 input switch; " +
      "div group Copy; textarea Text to copy; section Position at this node; section Step; " +
      "div hidden; ol list Pseudocode; div region From the root to this node; 5 th col; " +
      "p polite",
  );
});

test("elements have the classes of the style sheet, apart from those of other states", async t => {
  const { main } = await learnPage(t);
  equal(unusedClasses(main, "learn/learn.css"), ".practising .right .stale .view-learn .wrong");
});
