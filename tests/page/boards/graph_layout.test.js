import { deepEqual, equal } from "node:assert/strict";
import { edgePaths, layOutRows, moveAtKey } from "/boards/graph_layout.js";
import { test } from "../support/browser.js";

const SPACING = { most: 3, pitch: 30, size: 20, lineGap: 4, rowGap: 10 };
const ROWS = [[1], [2, 3, 5, 7, 11], [4, 6]];

const layout = layOutRows(ROWS, 100, SPACING);

test("long rows are wrapped into lines of nearly equal lengths", () => {
  deepEqual(layout.lines, [[1], [2, 3, 5], [7, 11], [4, 6]]);
  const row = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const lines = most => layOutRows([row], 100, { ...SPACING, most }).lines.map(l => l.length);
  deepEqual([9, 8, 5, 4, 1].map(lines), [[9], [5, 4], [5, 4], [3, 3, 3], Array(9).fill(1)]);
});

test("each line is centred at the pitch, and rows are further apart than lines", () => {
  const places = [...layout.places].map(([move, { x, y, line }]) => [move, x, y, line]);
  deepEqual(places, [
    [1, 50, 14, 0],
    [2, 20, 44, 1],
    [3, 50, 44, 1],
    [5, 80, 44, 1],
    [7, 35, 68, 2],
    [11, 65, 68, 2],
    [4, 35, 98, 3],
    [6, 65, 98, 3],
  ]);
  deepEqual([layout.size, layout.height], [20, 98 + 10 + 4]);
});

test("edges bend around the nodes between their ends", () => {
  const lines = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7];
  const xs = [0, 40, 40.1, 10, 10, 10, 10, 10, 10, 10];
  const places = new Map(xs.map((x, at) => [at, { x, y: 50 * lines[at], line: lines[at] }]));
  const path = (...edges) => edgePaths({ places, size: 20 }, edges);
  equal(path([0, 1]), "M0.0 0.0Q20.0 0.0 40.0 0.0");
  equal(path([0, 2]), "M0.0 0.0Q20.1 -28.0 40.1 0.0", "above far neighbours");
  equal(path([2, 0]), "M40.1 0.0Q20.1 -28.0 0.0 0.0");
  const bends = { 3: 0, 4: 15, 5: 20, 6: 25, 7: 30, 8: 30, 9: 30 };
  for (const [to, bend] of Object.entries(bends)) {
    const middle = `${(5 + bend).toFixed(1)} ${(25 * lines[to]).toFixed(1)}`;
    const end = `10.0 ${(50 * lines[to]).toFixed(1)}`;
    equal(path([0, Number(to)]), `M0.0 0.0Q${middle} ${end}`);
  }
  equal(path([5, 3]), path([3, 5]).replace(/M(.*)Q(.* .*) (.* .*)/, "M$3Q$2 $1"));
  equal(path([0, 1], [1, 0]), path([0, 1]) + path([1, 0]));
});

test("no key leads on from an unknown move", () => {
  equal(moveAtKey(layout, 99, "Home"), null);
});
