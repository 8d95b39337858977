import { deepEqual, equal, match, ok } from "node:assert/strict";
import { SvgPen } from "/learn/download.js";
import { Moment, SearchTrace } from "/learn/search_trace.js";
import { TreeLayout } from "/learn/tree_layout.js";
import { drawTree } from "/learn/tree_painter.js";
import { test } from "../support/browser.js";
import { TREE, tracedTree } from "../support/traced_searches.js";

const SIZES = { inner: 112, leaf: 64, height: 50, level: 120, gap: 12, hasPictures: false };
const WITH_PICTURES = { ...SIZES, leaf: 112, height: 110, level: 190, hasPictures: true };
const PALETTE = {
  ...{ one: "royalblue", two: "darkorange", line: "lightgrey", faint: "grey", text: "black" },
  ...{ card: "white", accent: "purple", good: "green", bad: "red" },
};
const MERGED = [[3, 5], [{ earlier: 4 }, 1], 2];

/** A pen that begins as that of a canvas does, on which texts would not be centred. */
class Pen extends SvgPen {
  textAlign = "start";
  textBaseline = "alphabetic";

  fillText(...values) {
    deepEqual([this.textAlign, this.textBaseline], ["center", "middle"]);
    super.fillText(...values);
  }
}

/** Return the drawing of a search after some steps as SVG, one part a line. */
function drawing(tree, steps, { collapsed = [], sizes = SIZES, options = {}, ...more } = {}) {
  const trace = new SearchTrace(tracedTree(tree, options).answer);
  const moment = new Moment(trace);
  moment.go(steps);
  const layout = new TreeLayout(trace, sizes, new Set(collapsed));
  const pen = new Pen();
  const { left, right, top, bottom } = layout.extent;
  drawTree({
    ...{ pen, palette: PALETTE, trace, moment, layout, collapsed: new Set(collapsed) },
    ...{ path: trace.path(moment.node), pinned: new Map(), scale: 1, stretch: 1 },
    ...{ left, right, top, bottom, moveText: move => `${move}`, picture: () => null, ...more },
  });
  const extent = { left: left - 9, right: right + 9, top: top - 9, bottom: bottom + 40 };
  return pen.file(extent, "white", "tree").replaceAll("><", ">\n<");
}

/** The file beside this one, which a person can look at; --test-update-snapshots writes it. */
const isAsIn = (t, name, svg) =>
  t.assert.fileSnapshot(svg, `${import.meta.dirname}/drawings/${name}.svg`, {
    serializers: [value => value],
  });

const texts = svg => [...svg.matchAll(/>([^<]*)<\/text>/g)].map(([, text]) => text);
const count = (svg, text) => svg.split(text).length - 1;

test("nodes have names, values, bounds and the signs of their states", t => {
  const svg = drawing(TREE, 29); // K of D is entered next; I and J are cut off
  deepEqual(texts(svg).slice(0, 4), ["A", "5", "α 5  β ∞", "B"]);
  equal(count(svg, 'stroke-dasharray="4 4"'), 3 + 3);
  isAsIn(t, "searched", svg);
});

test("a tree for Min has boards, and a subtree that is collapsed", t => {
  const picture = node => (node === 2 ? null : { toDataURL: () => `data:${node}` });
  const options = { isMax: false };
  const svg = drawing(TREE, 25, { collapsed: [1], options, sizes: WITH_PICTURES, picture });
  ok(texts(svg).includes("+3"));
  equal(count(svg, "<image "), 6);
  isAsIn(t, "boards", svg);
});

test("before the first step only the root is there, and it waits", () => {
  const svg = drawing(TREE, 0);
  deepEqual([texts(svg), count(svg, 'stroke="grey"')], [["A"], 1]);
  ok(!svg.includes("purple"));
});

test("of a smaller tree only the values are written", t => {
  const svg = drawing(TREE, 29, { scale: 0.4, stretch: 1.5, collapsed: [1] });
  deepEqual(texts(svg), ["5", "5", "+3", "4", "∞", "4"]);
  isAsIn(t, "values", svg);
});

test("a very small tree has dots without texts, but collapsed nodes tell what they hide", t => {
  const svg = drawing(TREE, 31, { scale: 0.1, stretch: 3.5, collapsed: [1] });
  deepEqual(texts(svg), ["+3"]);
  isAsIn(t, "dots", svg);
});

test("values are written from a scale of 0.22 on, and names from 0.55 on", () => {
  for (const [scale, hasValues, hasNames] of [
    [0.219, false, false],
    [0.22, true, false],
    [0.549, true, false],
    [0.55, true, true],
  ]) {
    const shown = texts(drawing(TREE, 31, { scale }));
    deepEqual([shown.includes("5"), shown.includes("A")], [hasValues, hasNames]);
  }
});

test("merged nodes lead to the earlier ones", t => {
  const svg = drawing(MERGED, 19);
  match(svg, /stroke="purple" stroke-width="2.5" stroke-dasharray="6 4"/);
  equal(count(svg, 'fill="purple"'), 2); // the node at work and the sign
  ok(!drawing(MERGED, 17).includes("Q"));
  isAsIn(t, "merged", drawing(MERGED, 22));
});

test("in a small tree only the merged node at work has a line", () => {
  const svg = drawing(MERGED, 19, { scale: 0.25 });
  match(svg, /Q.* stroke="purple" stroke-width="8" stroke-dasharray="24 16"/);
  ok(!texts(svg).includes("="));
  ok(!drawing(MERGED, 22, { scale: 0.25 }).includes("Q"));
});

test("a merged node has no line to a collapsed subtree, or outside the canvas", () => {
  for (const [more, isSeen] of [
    [{ collapsed: [1] }, false],
    // The line leads from -12 to -164, and hangs from 290 to 358.
    [{ left: -12 }, true],
    [{ left: -11 }, false],
    [{ right: -164 }, true],
    [{ right: -165 }, false],
    [{ top: 358 }, true],
    [{ top: 359 }, false],
    [{ bottom: 290 }, true],
    [{ bottom: 289 }, false],
  ]) {
    equal(drawing(MERGED, 19, more).includes("Q"), isSeen, JSON.stringify(more));
  }
});

test("pinned nodes are drawn at their places, with their edges", () => {
  const svg = drawing(TREE, 29, {
    pinned: new Map([
      [0, 150],
      [3, 200],
    ]),
  });
  match(svg, /M150 50L200 120"/);
  match(svg, /<text x="150" y="-12.5".*>A</);
  match(svg, /<text x="200" y="107.5".*>D</);
  match(svg, /M150 50L0 120/);
});

for (const [name, more, expected] of [
  ["above", { top: 300, bottom: 400 }, []],
  ["below", { top: -900, bottom: -60 }, []],
  ["on the left", { left: -340, right: -300 }, ["A", "B", "E", "F", "G"]],
  ["in the last level", { top: 230, bottom: 300, left: -70, right: 70 }, ["G", "H", "I", "J", "K"]],
]) {
  test(`only what is near the canvas is drawn: ${name}`, () => {
    const names = texts(drawing(TREE, 37, more)).filter(text => /^[A-Z]$/.test(text));
    deepEqual(names.sort(), expected);
  });
}

test("nodes that would cover each other are drawn once, but the path always", () => {
  const wide = Array(40).fill(1);
  const names = Array(99).fill("x");
  const dots = scale => count(drawing(wide, 20, { scale, options: { names } }), "M");
  equal(dots(0.002), 28); // 12 half pixels of dots and edges, the root and the path
  equal(dots(0.2), 81);
});
