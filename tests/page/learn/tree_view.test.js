import { deepEqual, equal, ok } from "node:assert/strict";
import { theme } from "/boards/colours.js";
import { SvgPen } from "/learn/download.js";
import { SearchTrace } from "/learn/search_trace.js";
import { TreeView } from "/learn/tree_view.js";
import { resize, signal, test } from "../support/browser.js";
import { drawnNow, keepFrames, placeOf, recordCanvases } from "../support/canvases.js";
import { pointAt } from "../support/elements.js";
import { TREE, tracedTree } from "../support/traced_searches.js";

const [WIDTH, HEIGHT] = [800, 500];
const WIDE = Array.from({ length: 30 }, () => [1, 2, 3]);
const NAMES = Array.from({ length: 300 }, (_, at) => `n${at + 1}`);

/** Return a view of a tree, with the places of its nodes on the canvas. */
function treeView(
  t,
  { tree = TREE, names, pictures = null, size = [WIDTH, HEIGHT], ...options } = {},
) {
  recordCanvases();
  const frame = keepFrames();
  t.mock.method(performance, "now", () => 0);
  const select = t.mock.fn();
  const view = new TreeView({ onSelect: select, moveText: String, signal: signal() });
  const { canvas } = view;
  canvas.setPointerCapture = () => {};
  const trace = new SearchTrace(tracedTree(tree, { names, ...options }).answer);
  view.setTrace(trace, pictures);
  if (size) resize(canvas, { clientWidth: size[0], clientHeight: size[1] });
  /** Return where the name of a node is, after all movements. */
  const place = name => {
    frame(1e6);
    frame(1e6);
    const found = placeOf(canvas, name);
    return found && { x: Math.round(found.x), y: Math.round(found.y) };
  };
  const point = (type, x, y, more) =>
    pointAt(canvas, type, { pointerId: 1, ...more }, { offsetX: x, offsetY: y });
  const click = ({ x, y }, more) => {
    point("pointerdown", x, y, more);
    point("pointerup", x, y, more);
  };
  const selected = () => select.mock.calls.map(call => call.arguments[0]);
  return { view, canvas, frame, trace, place, point, click, selected };
}

const isVisible = ({ x, y }) => x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT - 100;

for (const [name, options, act, expected] of [
  // 400 of 500 pixels are not covered: 344 for 406 units from the top to the bottom
  ["a tree", {}, () => {}, [0.846, 400, 46.62]],
  ["a tree whose root has no room for gaps", { size: [800, 300] }, () => {}, [0.9, 400, 37.8]],
  ["a tree with much room", { size: [800, 1500] }, () => {}, [1.107, 400, 485.214]],
  ["a tree of one node", { tree: 7 }, () => {}, [1.25, 400, 182.5]],
  [
    "a tree that is nearly readable as a whole",
    { tree: Array(13).fill(1) },
    () => {},
    [0.762, 400, 120.721],
  ],
  [
    "a tree that is too wide to be readable",
    { tree: Array(15).fill(1) },
    () => {},
    [0.9, 400, 37.8],
  ],
  ["a wide tree as a whole", { tree: WIDE }, view => view.fit(), [0.109, 400, 136.572]],
  ["the last child", { tree: WIDE }, (view, last) => view.go(last), [0.9, -2575.4, 37.8]],
  [
    "the last child, in a larger size",
    { tree: WIDE },
    (view, last) => view.go(last) ?? view.zoom(2),
    [1.8, -5550.8, 46.8],
  ],
  [
    "a node that was reached from a smaller tree",
    {},
    view => view.go(5) ?? view.zoom(0.5) ?? view.follow(),
    [0.9, 673.6, 37.8],
  ],
  ["a leaf in a low canvas", { size: [800, 200] }, view => view.go(5), [0.9, 673.6, -77.4]],
  ["the root of a deep tree", { tree: [[[[[1]]]]], size: [800, 300] }, () => {}, [0.9, 400, 37.8]],
  [
    "children that buttons would cover",
    { tree: [[[[[1]]]]], size: [800, 300] },
    view => view.zoom(0.5) ?? view.go(4),
    [0.45, 400, 18.9],
  ],
  [
    "boards in a tree",
    { size: [800, 900] },
    view => Object.assign(view, { hasPictures: true }),
    [1.107, 400, 46.5],
  ],
  ["a subtree that was collapsed", {}, view => view.toggle(1), [0.846, 355.989, 46.62]],
]) {
  test(`the camera shows ${name}`, t => {
    const { view, canvas, trace, place } = treeView(t, {
      names: NAMES,
      isPruned: false,
      ...options,
    });
    act(view, trace.length - 2);
    place("A");
    const { log } = canvas.getContext("2d");
    const [, scale, , , down, x, y] = log.findLast(([name]) => name === "setTransform");
    equal(scale, down);
    deepEqual(
      [scale, x, y].map(value => Number(value.toFixed(3))),
      expected,
    );
  });
}

test("the canvas is as sharp as the screen", t => {
  const { canvas } = treeView(t, { size: null });
  equal(canvas.width, 300); // nothing happens before it has a size
  const before = Object.getOwnPropertyDescriptor(globalThis, "devicePixelRatio");
  Object.defineProperty(globalThis, "devicePixelRatio", { value: 2, configurable: true });
  resize(canvas, { clientWidth: 400, clientHeight: 300 });
  Object.defineProperty(globalThis, "devicePixelRatio", before);
  deepEqual([canvas.width, canvas.height, Math.round(placeOf(canvas, "A").x)], [800, 600, 400]);
});

test("it has a name, and the focus", t => {
  const { canvas } = treeView(t);
  deepEqual(
    ["role", "tabindex", "aria-label"].map(name => canvas.getAttribute(name)),
    ["img", "0", "Search tree"],
  );
});

test("the node at work is followed, until the user moves the tree", t => {
  const { view, trace, place, point } = treeView(t, { tree: WIDE, names: NAMES, isPruned: false });
  const last = trace.length - 2; // the last child of the root returns
  view.go(last);
  ok(isVisible(place("n30")));
  view.go(3);
  ok(isVisible(place("n1")));
  point("pointerdown", 10, 10);
  point("pointermove", 40, 10);
  point("pointerup", 40, 10);
  view.go(last);
  ok(!isVisible(place("n30")));
  view.follow();
  ok(isVisible(place("n30")));
  view.go(3);
  ok(isVisible(place("n1")));
});

test("a node that is well seen does not move the tree", t => {
  const { view, place } = treeView(t, { tree: WIDE, names: NAMES, isPruned: false });
  view.go(3);
  const before = place("n2");
  view.go(5);
  deepEqual(place("n2"), before);
});

test("the whole tree is shown, and followed no more", t => {
  const { view, place, frame } = treeView(t, { tree: WIDE, names: NAMES, isPruned: false });
  view.go(20);
  view.fit();
  frame(1e6);
  equal(place("A"), null); // it is too small for names
  view.go(40);
  equal(place("A"), null);
  view.follow();
  ok(place("A"));
});

test("buttons zoom around the middle, and the node at work stays in view", t => {
  const { view, place } = treeView(t);
  view.go(5);
  view.zoom(1 / 1.4);
  const [a, b] = [place("A"), place("C")];
  view.zoom(1.4);
  const distance = place("C").x - place("B").x;
  view.zoom(1.4);
  ok(Math.abs((place("C").x - place("B").x) / distance - 1.4) < 0.02);
  ok(a && b && isVisible(place("E")));
  view.zoom(1.4);
  view.zoom(1.4);
  const [parent, node] = [place("B"), place("E")]; // there is no room for all of both
  deepEqual([node.x, parent.y > 0, node.y < HEIGHT], [WIDTH / 2, true, true]);
});

test("the wheel zooms at the pointer", t => {
  const { view, canvas, place } = treeView(t);
  view.go(37);
  const wheel = (deltaY, { x, y }, deltaMode = 0) =>
    pointAt(canvas, "wheel", { deltaY, deltaMode }, { offsetX: x, offsetY: y });
  const before = place("B");
  const distance = place("C").x - before.x;
  equal(wheel(-100, before), true);
  const isSame = at => Math.hypot(at.x - before.x, at.y - before.y) < 2;
  ok(isSame(place("B")));
  ok(Math.abs((place("C").x - before.x) / distance - Math.exp(0.16)) < 0.01);
  wheel(5, before, 1); // lines, not pixels
  ok(Math.abs(place("C").x - before.x - distance) <= 1);
  view.go(5);
  ok(isSame(place("B"))); // not followed any more
});

test("a pointer moves the tree", t => {
  const { view, place, point, selected } = treeView(t);
  view.go(37);
  const { x, y } = place("B");
  point("pointermove", 90, 90); // without a button
  deepEqual(place("B"), { x, y });
  point("pointerdown", 100, 100);
  point("pointermove", 103, 104); // not yet: it may be a click
  deepEqual(place("B"), { x, y });
  point("pointermove", 130, 120);
  point("pointermove", 133, 121);
  point("pointerup", 133, 121);
  deepEqual(place("B"), { x: x + 33, y: y + 21 });
  deepEqual(selected(), []);
});

test("two fingers zoom", t => {
  const { view, place, point } = treeView(t);
  view.go(37);
  const distance = place("C").x - place("B").x;
  point("pointerdown", 100, 100, { pointerId: 1 });
  point("pointerdown", 200, 100, { pointerId: 2 });
  point("pointermove", 250, 100, { pointerId: 2 });
  ok(Math.abs((place("C").x - place("B").x) / distance - 1.5) < 0.02);
  point("pointercancel", 250, 100, { pointerId: 2 });
  const { x } = place("B");
  point("pointermove", 90, 100, { pointerId: 1 });
  equal(place("B").x, x - 10);
});

test("a click chooses a node, below its name too, but none that is hidden", t => {
  const { view, place, click, selected } = treeView(t);
  view.go(18);
  const c = place("C");
  click({ x: c.x, y: c.y + 30 });
  click({ x: c.x, y: c.y + 170 }); // I is not there yet
  click({ x: 5, y: 5 });
  click({ x: place("E").x, y: place("E").y + 30 });
  deepEqual(selected(), [2, 4]);
});

test("a click with the shift key collapses, and a click on a collapsed node expands", t => {
  const { view, place, click, selected } = treeView(t);
  view.go(37);
  const b = place("B");
  click({ x: b.x, y: b.y + 30 }, { shiftKey: true });
  equal(place("E"), null);
  ok(place("+3"));
  equal(place("B").x, b.x); // the tree is narrower, but the node stays
  click({ x: b.x, y: b.y + 30 });
  ok(place("E"));
  deepEqual(selected(), []);
  const { bottom } = view.extent;
  view.toggle(4); // a leaf
  equal(view.extent.bottom, bottom);
});

test("all nodes are shown again", t => {
  const { view, place } = treeView(t);
  view.go(37);
  for (const node of [1, 2]) view.toggle(node);
  deepEqual(["E", "H"].map(place), [null, null]);
  view.expandAll();
  ok(place("E") && place("H"));
});

test("a node at work that was hidden is shown", t => {
  const { view, place } = treeView(t);
  view.go(37);
  for (const node of [1, 2]) view.toggle(node);
  view.go(5);
  ok(place("E"));
  equal(place("H"), null);
  view.toggle(1);
  view.go(4); // B itself may stay collapsed
  equal(place("E"), null);
});

test("a new search begins anew", t => {
  const { view, place } = treeView(t);
  view.go(37);
  view.toggle(1);
  view.fit();
  view.setTrace(new SearchTrace(tracedTree([[3], 2]).answer), null);
  view.go(5);
  ok(["A", "B", "C", "D"].every(name => isVisible(place(name))));
  equal(view.moment.steps, 5);
});

test("boards are drawn in nodes that are large enough", t => {
  const module = { drawThumbnail: t.mock.fn() };
  const { view, canvas, frame, place } = treeView(t, {
    pictures: { module, setup: {}, moves: [] },
    isPruned: false,
    size: [WIDTH, 900],
  });
  view.go(4);
  const { bottom } = view.extent;
  equal(place("B") && drawnNow(canvas, "drawImage").length, 0);
  view.hasPictures = true;
  equal(view.hasPictures, true);
  ok(view.extent.bottom > bottom + 60);
  frame(1e6);
  frame(1e6);
  ok(drawnNow(canvas, "drawImage").length > 3);
  const { length } = module.drawThumbnail.mock.calls;
  theme.dispatchEvent(new Event("change"));
  frame(1e6);
  ok(module.drawThumbnail.mock.callCount() > length); // in other colours
  view.zoom(0.5);
  place("B");
  equal(drawnNow(canvas, "drawImage").length, 0);
  view.hasPictures = false;
  equal(view.extent.bottom, bottom);
});

test("the whole tree is drawn for a file", t => {
  const { view, trace } = treeView(t, { tree: WIDE, names: NAMES, isPruned: false });
  view.go(trace.length);
  const pen = new SvgPen();
  view.drawWhole(pen, 1, 1);
  ok(/>n1<.*>n30<.*>n31<.*>n120</.test(pen.file(view.extent, "", "")));
  equal(view.extent.right, -view.extent.left);
});

test("without a search nothing happens", () => {
  recordCanvases();
  const frame = keepFrames();
  const view = new TreeView({
    onSelect() {},
    moveText: String,
    signal: new AbortController().signal,
  });
  view.go(3);
  view.fit();
  view.follow();
  view.toggle(0);
  view.expandAll();
  view.hasPictures = true;
  view.zoom(2);
  view.drawWhole(new SvgPen(), 1, 1);
  resize(view.canvas, { clientWidth: 0, clientHeight: 100 });
  resize(view.canvas, { clientWidth: 100, clientHeight: 100 });
  frame();
  deepEqual([view.extent, view.moment], [{ left: 0, right: 1, top: 0, bottom: 1 }, null]);
});
