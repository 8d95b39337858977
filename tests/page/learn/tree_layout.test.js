import { deepEqual, equal, ok } from "node:assert/strict";
import { SearchTrace } from "/learn/search_trace.js";
import { pinNodes, TreeLayout } from "/learn/tree_layout.js";
import { test } from "../support/browser.js";
import { TREE, tracedTree } from "../support/traced_searches.js";

const SIZES = { inner: 112, leaf: 64, height: 50, level: 120, gap: 12, hasPictures: false };
const NAMES = Array(200).fill("x");

const layOut = (tree, collapsed = [], sizes = SIZES) =>
  new TreeLayout(
    new SearchTrace(tracedTree(tree, { names: NAMES, isPruned: false }).answer),
    sizes,
    new Set(collapsed),
  );

/** Return a tree of pseudo-random shape. */
function randomTree(seed, depth) {
  let state = seed;
  const draw = most => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
  const grow = left =>
    left && draw(5) ? Array.from({ length: 1 + draw(4) }, () => grow(left - 1)) : draw(9);
  return Array.from({ length: 3 }, () => grow(depth - 1));
}

/** Check that a layout has no overlaps and is symmetric above children. */
function isWellLaidOut(layout) {
  const edges = [];
  for (const level of layout.levels) {
    for (const [at, node] of level.entries()) {
      const half = layout.width(node) / 2;
      edges.push(layout.x[node] - half, layout.x[node] + half);
      const { first, count } = layout.childrenOf(node);
      if (count) {
        const middle = (layout.x[first] + layout.x[first + count - 1]) / 2;
        ok(Math.abs(middle - layout.x[node]) < 1e-9, "a parent is above its children");
      }
      if (!at) continue;
      const room =
        layout.x[node] - half - (layout.x[level[at - 1]] + layout.width(level[at - 1]) / 2);
      ok(room >= SIZES.gap - 1e-9, `nodes ${level[at - 1]} and ${node} are ${room} apart`);
    }
  }
  equal(layout.extent.left, Math.min(...edges));
  equal(layout.extent.right, Math.max(...edges));
}

/** Return the distance of two neighbours that a plain comparison of all their descendants needs. */
function neededDistance(layout, one, other) {
  const below = node => {
    const { first, count } = layout.childrenOf(node);
    return [node, ...Array.from({ length: count }, (_, at) => below(first + at)).flat()];
  };
  const place = (node, root) => ({
    x: layout.x[node] - layout.x[root],
    y: layout.y(node),
    half: layout.width(node) / 2,
  });
  const needed = below(one).flatMap(left =>
    below(other).map(right => {
      const [a, b] = [place(left, one), place(right, other)];
      return a.y === b.y ? a.x + a.half + SIZES.gap + b.half - b.x : -Infinity;
    }),
  );
  return Math.max(...needed);
}

test("trees are laid out without overlaps, parents above their children", () => {
  for (let seed = 1; seed <= 40; seed++) isWellLaidOut(layOut(randomTree(seed, 5)));
});

test("of two children each is as near as their subtrees allow", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const layout = layOut([randomTree(seed, 4), randomTree(seed + 99, 3)]);
    const distance = layout.x[2] - layout.x[1];
    ok(Math.abs(distance - neededDistance(layout, 1, 2)) < 1e-9);
  }
});

test("levels, widths and the extent are those of the sizes", () => {
  const layout = layOut(TREE, [], { ...SIZES, hasPictures: true });
  deepEqual(layout.levels, [[0], [1, 2, 3], [4, 5, 6, 7, 8, 9, 10, 11, 12]]);
  deepEqual(
    [0, 1, 4].map(node => [layout.width(node), layout.y(node)]),
    [
      [112, 0],
      [112, 120],
      [64, 240],
    ],
  );
  deepEqual([layout.extent.top, layout.extent.bottom], [-22, 290]);
  deepEqual([layout.height, layout.hasPictures, layout.x[0]], [50, true, 0]);
  equal(layout.x[5] - layout.x[4], 76);
});

test("a collapsed subtree takes no room", () => {
  const layout = layOut(TREE, [1]);
  deepEqual(layout.levels.at(-1), [7, 8, 9, 10, 11, 12]);
  deepEqual(layout.childrenOf(1), { first: 0, count: 0 });
  deepEqual(
    [1, 4, 7].map(node => layout.has(node)),
    [true, false, true],
  );
  isWellLaidOut(layout);
  equal(layOut(TREE, [0]).extent.bottom, 50);
});

test("a point belongs to the node that is drawn there", () => {
  const layout = layOut(TREE);
  const none = new Map();
  const { x } = layout;
  for (const [at, expected] of [
    [[x[0], 0], 0],
    [[x[0], 62], 0],
    [[x[0], 63], null],
    [[x[0], -1], null],
    [[x[2] + 56, 130], 2],
    [[x[2] + 57, 130], null],
    [[x[8] - 32, 302], 8],
    [[x[8], 303], null],
  ]) {
    equal(layout.nodeAt(at[0], at[1], 62, none), expected, String(at));
  }
  const pinned = new Map([[1, x[2]]]);
  equal(layout.nodeAt(x[2], 130, 62, pinned), 1); // it is drawn above the other
  equal(layout.nodeAt(x[1], 130, 62, pinned), null);
});

test("nodes of the path stay in view, as far as their children reach", () => {
  const layout = layOut(TREE);
  const { x } = layout;
  const pins = (left, right) => [...pinNodes(layout, [0, 1, 5], { left, right })];
  deepEqual(pins(-2000, 2000), [
    [5, x[5]],
    [1, x[1]],
    [0, x[0]],
  ]);
  // The middle of B is moved to its last child at most, that of the root to the edge.
  deepEqual(pins(x[1] + 300, 2000), [
    [5, x[5]],
    [1, x[6]],
    [0, x[1] + 300 + 66],
  ]);
  deepEqual(pins(-2000, x[4] + 30), [
    [5, x[5]],
    [1, x[4]],
    [0, x[4]],
  ]);
  deepEqual(pins(-2000, x[1] + 60), [
    [5, x[5]],
    [1, x[1] - 6],
    [0, x[1] - 6],
  ]);
});
