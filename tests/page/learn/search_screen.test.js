import { deepEqual, equal, ok } from "node:assert/strict";
import { SearchScreen } from "/learn/search_screen.js";
import { answeringArena } from "../support/arena.js";
import { takeStones } from "../support/boards.js";
import { leaveView, resize, settle, signal, test, tick, until } from "../support/browser.js";
import { drawnNow, keepFrames, placeOf, recordCanvases } from "../support/canvases.js";
import { button, isSame, pointAt, press as pressOn, show, texts } from "../support/elements.js";
import { TREE, tracedTree } from "../support/traced_searches.js";

const SEARCH = { tree: "(5 9)", depth: 0, variant: "alpha-beta" };
const POSITION = {
  game: "take_stones",
  setup: { stones: 20 },
  moves: [3, 1],
  depth: 3,
  variant: "alpha-beta",
};
const MOVES = [2, 4, 5, 6, 8, 10, 12, 14, 15, 16, 18, 20];
const MERGED = [[3, 5], [{ earlier: 4 }, 1], 2];

/** Return what a test does with a screen. */
function actions(screen, frame) {
  const part = selector => screen.element.querySelector(selector);
  /** Show what the last event has changed. */
  const drawn = async () => {
    frame(1e6);
    await settle();
    frame(1e6);
  };
  const press = async (key, { target = document.body, ...more } = {}) => {
    pressOn(key, target, more);
    await drawn();
  };
  const click = async name => {
    button(name, screen.element).click();
    await drawn();
  };
  const steps = () => Number(part("output").textContent.split(" / ")[0]);
  const drawnAt = name => placeOf(part("canvas.tree"), name);
  return { part, drawn, press, click, steps, drawnAt };
}

/** Return a screen in the document that shows a search. */
async function searchScreen(
  t,
  { tree = TREE, search = SEARCH, module = null, step = 0, ...options } = {},
) {
  recordCanvases();
  const frame = keepFrames();
  if (!history.replaceState.mock) t.mock.method(history, "replaceState", () => {});
  const position = { player: 1, legal_moves: [], text: "", outcome: null };
  const { connection, asked } = answeringArena({
    explain_steps: ({ first, count }) => ({
      texts: Array.from({ length: count }, (_, at) => `text ${first + at}`),
    }),
    find_position: () => ({ ...position, played_names: [], legal_names: [] }),
  });
  const screen = new SearchScreen(connection, signal());
  show(screen.element);
  const done = actions(screen, frame);
  resize(done.part("canvas.tree"), { clientWidth: 800, clientHeight: 500 });
  const { answer } = tracedTree(tree, options);
  screen.show(answer, search, module, step);
  await done.drawn();
  const addresses = () => history.replaceState.mock.calls.map(call => call.arguments[2]);
  return { screen, frame, ...done, asked, answer, addresses };
}

test("a search begins at its start, and each step is explained", async t => {
  const { screen, part, press, drawn, steps, asked } = await searchScreen(t);
  equal(screen.element.hidden, false);
  await drawn();
  equal(
    part(".step-text").textContent,
    "This is the start. Go to the next step with the button or the key →.",
  );
  deepEqual([steps(), asked], [0, []]);
  await press("ArrowRight");
  equal(part(".step-text").textContent, "text 0");
  equal(part(".step-text").className, "step-text");
  equal(part("canvas.tree").getAttribute("aria-label"), "Search tree. text 0");
  equal(part("[aria-label=Step]").getAttribute("aria-valuetext"), "step 1 of 37");
  deepEqual(asked[0].search, SEARCH);
});

test("until its sentence is known a step has dots", async t => {
  const { screen, answer, part, frame } = await searchScreen(t);
  const shown = () => [part(".step-text").textContent, part(".step-text").className];
  screen.show(answer, SEARCH, null, 5);
  frame(1e6);
  deepEqual(shown(), ["…", "step-text faint"]);
  await settle();
  deepEqual(shown(), ["text 4", "step-text"]);
});

test("a step is announced after half a second, and the address follows", async t => {
  const { part, press, addresses } = await searchScreen(t);
  await press("ArrowRight");
  await press("ArrowRight");
  const announced = () => part(".hidden-text[aria-live=polite]").textContent;
  tick(249);
  deepEqual([announced(), addresses()], ["", []]);
  tick(1);
  deepEqual(addresses(), ["#/learn?tree=%285+9%29&step=2"]);
  tick(249);
  equal(announced(), "");
  tick(1);
  equal(announced(), "text 1");
  await press("ArrowRight");
  leaveView();
  tick(999);
  equal(addresses().length, 1);
});

test("the parts beside the tree follow the step", async t => {
  const { part, press, drawn } = await searchScreen(t, { step: 21 });
  await drawn();
  const marked = () => [...part(".code").children].map(line => line.hasAttribute("aria-current"));
  equal(part(".path [aria-current]").textContent, "HMax–5∞");
  deepEqual([marked(), part(".counts dd").textContent], [[true, false, false], "7 of 13"]);
  await press("Home");
  deepEqual(marked(), [false, false, false]);
  equal(part(".path [aria-current] button").textContent, "A");
});

test("the board of the position follows the node at work", async t => {
  const { part, press, drawn, asked } = await searchScreen(t, {
    search: POSITION,
    module: takeStones,
    names: MOVES,
    step: 5,
    root: "",
  });
  await drawn();
  const taken = () => texts(".stone.taken", part(".learn-board"));
  deepEqual(taken(), ["1", "2", "3", "6"]);
  deepEqual(texts("button", part(".path")), ["Root", "2", "6"]);
  ok(placeOf(part(".inset"), "6"));
  equal(part(".inset").hidden, false);
  equal(part(".learn-options label:nth-child(2)").hidden, false);
  await press("Home");
  deepEqual([taken(), asked.some(({ type }) => type === "find_position")], [["1", "3"], false]);
});

test("a written tree has no board, and a game without one has a text", async t => {
  const tree = await searchScreen(t);
  deepEqual([tree.part(".learn-board").hidden, tree.part(".inset").hidden], [true, true]);
  equal(tree.part(".learn-options label:nth-child(2)").hidden, true);
  const { answer } = tracedTree(TREE, { names: MOVES });
  tree.screen.show(
    answer,
    { game: "nim", setup: {}, moves: [1], depth: 2, variant: "alpha-beta" },
    null,
    5,
  );
  await tree.drawn();
  equal(tree.part(".learn-board").hidden, false);
  ok(tree.part(".text-board"));
  const board = tree.part(".text-board");
  tree.screen.show(
    answer,
    { game: "nim", setup: {}, moves: [2], depth: 2, variant: "alpha-beta" },
    null,
    5,
  );
  isSame(tree.part(".text-board"), board); // the board of the same setup stays
  deepEqual(tree.asked.findLast(({ type }) => type === "find_position").moves, [1, 2, 6]);
});

test("a step after the end is the end", async t => {
  const { steps, drawn } = await searchScreen(t, { step: 99 });
  await drawn();
  equal(steps(), 37);
});

for (const [key, from, to] of [
  ...["n 0 25", "n 24 25", "n 25 34", "n 34 34", "p 34 25", "p 30 25", "p 25 25"],
  ...["s 5 7", "s 7 17", "s 17 37", "s 3 17", "s 37 37"], // E returns, then B, then the root
].map(line => line.split(" "))) {
  test(`the key ${key} leads from step ${from} to ${to}`, async t => {
    const { press, steps } = await searchScreen(t, { step: Number(from) });
    await press(key);
    equal(steps(), Number(to));
  });
}

test("a chosen node is shown when it has returned, or was cut off", async t => {
  const { part, steps, drawn } = await searchScreen(t, { step: 37 });
  await drawn();
  const { x, y } = placeOf(part("canvas.tree"), "J"); // cut off
  part("canvas.tree").setPointerCapture = () => {};
  for (const type of ["pointerdown", "pointerup"])
    pointAt(part("canvas.tree"), type, { pointerId: 1 }, { offsetX: x, offsetY: y + 30 });
  await drawn();
  equal(steps(), 25);
  part(".path button").click();
  await drawn();
  equal(steps(), 37);
});

test("a search that was stopped shows where an open node was entered", async t => {
  const { screen, answer, part, steps, drawn } = await searchScreen(t);
  screen.show({ ...answer, steps: answer.steps.slice(0, 20) }, SEARCH, null, 20);
  await drawn();
  part(".path button").click();
  await drawn();
  equal(steps(), 1);
});

test("a merged node leads to the equal earlier one", async t => {
  const { part, press, steps, drawn } = await searchScreen(t, { tree: MERGED, step: 17 });
  await drawn();
  const link = part(".equal-node button");
  deepEqual([part(".equal-node").hidden, link.hidden], [false, true]);
  await press("ArrowRight");
  deepEqual([link.hidden, link.textContent], [false, "Go to the equal node B-E"]);
  link.click();
  await drawn();
  deepEqual([steps(), link.hidden], [7, true]);
  isSame(document.activeElement, part("canvas.tree"));
});

test("without merged nodes there is no way to one", async t => {
  equal((await searchScreen(t)).part(".equal-node").hidden, true);
});

test("keys and buttons zoom, frame, follow and collapse", async t => {
  const { press, click, drawnAt, drawn } = await searchScreen(t, { step: 37 });
  await drawn();
  const distance = () => drawnAt("C").x - drawnAt("B").x;
  await press("0");
  const first = distance();
  const isFactor = factor =>
    ok(Math.abs(distance() / first - factor) < 0.01, `${distance() / first}`);
  await press("+");
  isFactor(1.4);
  await press("-");
  isFactor(1);
  await click("Zoom in");
  isFactor(1.4);
  await click("Zoom out");
  isFactor(1);
  const middle = drawnAt("A").x;
  await press("+");
  await press("0");
  isFactor(1);
  await click("Zoom in");
  await click("Whole tree");
  isFactor(1);
  await click("Follow the node at work");
  await press("f");
  ok(Math.abs(drawnAt("A").x - middle) < 1);
  await press("c");
  ok(drawnAt("+12") && !drawnAt("B"));
  await click("Collapse or expand the node at work");
  ok(drawnAt("B"));
  await press("c");
  await press("e");
  ok(drawnAt("B"));
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }])
    await press("c", more);
  ok(drawnAt("B"));
});

test("keys are left to fields", async t => {
  const { part, press, drawnAt, drawn } = await searchScreen(t, { step: 37 });
  await drawn();
  await press("c", { target: part("select") });
  ok(drawnAt("B"));
  await press("c", { target: part("[type=range]") });
  ok(!drawnAt("B"));
  await press("c", { target: part("[role=switch]") });
  ok(drawnAt("B"));
});

for (const isOn of [false, true]) {
  test(`boards in the nodes are ${isOn ? "on" : "off"} as the last time`, async t => {
    localStorage.setItem("learn-boards", isOn ? "on" : "off");
    const options = { search: POSITION, module: takeStones, names: MOVES, step: 5 };
    const { part, drawn } = await searchScreen(t, options);
    const hasImages = () => drawnNow(part("canvas.tree"), "drawImage").length > 3;
    const label = part(".learn-options label:nth-child(2)");
    const box = label.querySelector("[role=switch]");
    deepEqual([box.checked, hasImages(), label.textContent], [isOn, isOn, "Boards in the nodes"]);
    box.click();
    await drawn();
    deepEqual([hasImages(), localStorage.getItem("learn-boards")], [!isOn, isOn ? "off" : "on"]);
  });
}

test("in practice a question waits for its answer", async t => {
  const { screen, part, press, steps, drawn } = await searchScreen(t, { step: 6 });
  const shown = t.mock.fn();
  part("canvas.tree").scrollIntoView = shown;
  const box = part(".learn-options label input");
  box.click();
  await drawn();
  deepEqual(shown.mock.calls[0].arguments, [{ block: "nearest" }]);
  equal(screen.element.classList.contains("practising"), true);
  await press(" "); // played until the question
  tick(9999);
  deepEqual([steps(), part(".practice").hidden], [7, false]);
  equal(part(".practice p").textContent, "E returns 5 to B (Min), where v is ∞, α −∞ and β ∞.");
  await press("ArrowRight");
  equal(steps(), 7);
  isSame(document.activeElement, part(".practice input"));
  part(".practice input").value = "5";
  part(".practice [value=no]").checked = true;
  part(".practice .main").click();
  part(".practice .main").click();
  await drawn();
  equal(steps(), 8);
  document.activeElement.blur();
  await press("ArrowLeft");
  await press("End"); // a question is skipped
  equal(steps(), 37);
  box.click();
  await press("Home");
  for (let at = 0; at < 8; at++) await press("ArrowRight");
  deepEqual([steps(), shown.mock.callCount()], [8, 1]);
  equal(screen.element.classList.contains("practising"), false);
});

test("the link of the step is copied", async t => {
  const copied = t.mock.method(navigator.clipboard, "writeText", async () => {});
  const { click } = await searchScreen(t, {
    step: 5,
    search: POSITION,
    module: takeStones,
    names: MOVES,
  });
  await click("Link");
  deepEqual(copied.mock.calls[0].arguments, [
    "http://arena.test/#/learn?game=take_stones&stones=20&moves=3%2C1&depth=3&step=5",
  ]);
});

/** Return the files that are saved. */
function savedFiles(t) {
  const files = [];
  t.mock.method(URL, "createObjectURL", blob => files.push(blob) && "blob:x");
  t.mock.method(HTMLAnchorElement.prototype, "click", function save() {
    files.push(this.download);
  });
  return files;
}

test("the tree is saved as SVG", async t => {
  const files = savedFiles(t);
  const { click, drawn } = await searchScreen(t, { step: 20 });
  await drawn();
  await click("SVG");
  await until(() => files.length > 1);
  const [blob, name] = files;
  const text = await blob.text();
  deepEqual([name, blob.type], ["alpha-beta.svg", "image/svg+xml"]);
  ok(text.includes("<title>tree, step 20</title>"));
  ok(text.includes('viewBox="-360 -46 720 454.4"'), text.slice(0, 200));
  ok(/>A<.*>B<.*>E</.test(text));
});

for (const [name, tree, size, at] of [
  ["a small tree", TREE, [1440, 909], ["A", 720, 67]],
  // 8000 pixels, and levels that stay apart
  ["a wide tree", Array.from({ length: 120 }, () => [1, 2, 3]), [8000, 137], ["1", 4000, 21]],
]) {
  test(`${name} is saved as PNG`, async t => {
    const files = savedFiles(t);
    let canvas;
    t.mock.method(HTMLCanvasElement.prototype, "toBlob", function toBlob(save, type) {
      canvas = this;
      save(new Blob(["x"], { type }));
    });
    const names = Array.from({ length: 600 }, (_, number) => `n${number}`);
    const { click } = await searchScreen(t, { tree, names, isPruned: false, step: 9999 });
    await click("PNG");
    await until(() => files.length > 1);
    deepEqual([files[1], files[0].type], ["alpha-beta.png", "image/png"]);
    deepEqual([canvas.width, canvas.height], size);
    const filled = canvas.getContext("2d").log.filter(([name]) => name === "fillRect");
    deepEqual(filled, [["fillRect", 0, 0, ...size]]);
    const { what, x, y } = placeOf(canvas, at[0]);
    deepEqual([what, Math.round(x), Math.round(y)], at);
  });
}
