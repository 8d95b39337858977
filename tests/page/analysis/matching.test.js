import { deepEqual, equal, ok } from "node:assert/strict";
import {
  DENSE,
  layOut,
  legend,
  nodeLabel,
  nodeSentences,
  nodeTable,
} from "/analysis/matching_graph.js";
import { takeStones } from "../support/boards.js";
import { test } from "../support/browser.js";
import { properties, texts } from "../support/elements.js";
import { LOST, manyMoves, WON } from "../support/matchings.js";

const rounded = numbers => numbers.map(number => Number(number.toFixed(6)));

test("nodes have labels", () => {
  const labels = matching => matching.nodes.map(node => nodeLabel(matching, takeStones, node));
  deepEqual(labels(WON), [
    "1, outer, partner 4, legal: 1 is a factor of 6, wins",
    "2, outer, partner 6, legal: 2 is a factor of 6, wins",
    "6, last, partner 2",
    "4, other, partner 1",
  ]);
  equal(labels(LOST)[3], "5, outer, no partner");
});

for (const [matching, move, text] of [
  [
    WON,
    2,
    "2 is outer: a matching may leave it out. Its partner is 6. It is legal, as 2 is a factor of 6. It wins, as this matching shows.",
  ],
  [
    WON,
    1,
    "1 is outer: a matching may leave it out. Its partner is 4. It is legal, as 1 is a factor of 6. It wins, as another maximum matching shows.",
  ],
  [WON, 6, "6 is last: it was taken last. Its partner is 2."],
  [
    LOST,
    5,
    "5 is outer: a matching may leave it out. Here it has no partner. It is not legal now.",
  ],
  [LOST, 9, ""],
]) {
  test(`the node ${move} is described: ${text}`, () =>
    equal(nodeSentences(matching, null, move), text));
}

test("the legend has the kinds that occur", () => {
  const box = document.createElement("div");
  box.append(...legend(WON));
  deepEqual(texts("li", box), [
    "outer: a matching may leave it out",
    "other: it has no outer neighbour",
    "last: it was taken last",
  ]);
  deepEqual(properties("className", box.querySelectorAll(".node")), [
    "node kind-1",
    "node kind-3",
    "node kind-4",
  ]);
  equal(
    box.querySelector(".hint").textContent,
    "Thick lines join partners. A filled shape is legal now, and a double one wins.",
  );
});

test("a table has all nodes", () => {
  const rows = matching =>
    [...nodeTable(matching, takeStones).querySelectorAll("tr")].map(row =>
      texts("th, td", row).join("|"),
    );
  deepEqual(rows(WON), [
    "Move|Kind|Partner|Legal now|Wins",
    "1|outer|4|1 is a factor of 6|yes",
    "2|outer|6|2 is a factor of 6|yes",
    "6|last|2|no|no",
    "4|other|1|no|no",
  ]);
  equal(rows(LOST)[4], "5|outer|none|no|no");
});

for (const [count, width] of [
  [8, 320],
  [40, 320],
  [59, 900],
  [60, 320],
  [61, 700],
  [100, 30],
]) {
  test(`${count} nodes do not overlap in ${width} pixels`, () => {
    const { places, lines, size, height } = layOut(manyMoves(count, count / 2), width);
    const all = [...places.values()];
    deepEqual(
      lines.flat().sort((one, other) => one - other),
      Array.from({ length: count }, (_, at) => at + 1),
    );
    for (const [at, one] of all.entries()) {
      for (const other of all.slice(at + 1)) {
        ok(Math.hypot(one.x - other.x, one.y - other.y) >= size, `${one.x} ${other.x}`);
      }
    }
    const edges = all.flatMap(({ y }) => [y - size / 2, y + size / 2]);
    deepEqual(rounded([Math.min(...edges), height]), rounded([4, Math.max(...edges) + 4]));
    const across = all.map(({ x }) => x);
    const middle = (Math.min(...across) + Math.max(...across)) / 2;
    if (count !== 8 || width > 100) ok(Math.abs(middle - width / 2) < (count < DENSE ? 1e-9 : 40));
    for (const [index, line] of lines.entries())
      ok(line.every(move => places.get(move).line === index));
  });
}

test("a few nodes have much room, more have less", () => {
  const pitch = (count, width) => {
    const { places, size } = layOut(
      { nodes: Array.from({ length: count }, (_, at) => [at + 1, "outer", 0, null]) },
      width,
    );
    return rounded([places.get(2).x - places.get(1).x, size]);
  };
  deepEqual(
    [pitch(4, 900), pitch(6, 300), pitch(7, 300)],
    [[76, 44], [50, 42], rounded([300 / 7, 300 / 7 - 8])],
  );
  const { lines } = layOut(
    { nodes: Array.from({ length: 8 }, (_, at) => [at + 1, "outer", 2, null]) },
    300,
  );
  deepEqual(properties("length", lines), [4, 4]);
});

test("rows are apart so that their edges can be told apart", () => {
  const { places, size } = layOut(
    {
      nodes: [
        [1, "", 0, null],
        [2, "", 4, null],
      ],
    },
    300,
  );
  equal(places.get(2).y - places.get(1).y, size + 1.15 * size);
  const wrapped = layOut(
    { nodes: Array.from({ length: 8 }, (_, at) => [at + 1, "", 0, null]) },
    300,
  );
  const down = wrapped.places.get(5).y - wrapped.places.get(1).y;
  deepEqual(rounded([down]), rounded([wrapped.size + 14]));
});

test("partners of many are side by side: those of the last, of legal moves, others, and those alone", () => {
  const { places, lines, size } = layOut(manyMoves(60, 50, { last: 21 }), 400);
  equal(size, 34);
  for (let move = 1; move < 50; move += 2) {
    const [one, other] = [places.get(move), places.get(move + 1)];
    deepEqual([other.x - one.x, other.y], [44, one.y]);
  }
  const line = lines.findIndex(moves => moves.includes(1));
  deepEqual(lines[0], [21, 22]);
  deepEqual(lines[1], [9, 10, 19, 20, 29, 30, 39, 40]); // four pairs fit
  deepEqual(
    [lines[2], lines[3]],
    [
      [49, 50],
      [1, 2, 3, 4, 5, 6, 7, 8],
    ],
  );
  deepEqual(lines.slice(-3), [
    [51, 52, 53, 54],
    [55, 56, 57, 58],
    [59, 60],
  ]);
  const y = at => places.get(lines[at][0]).y;
  deepEqual([y(1) - y(0), y(2) - y(1), y(line) - y(line - 1)], [64, 48, 64]);
  equal(places.get(9).x, (400 - 4 * 100 + 22 + 34) / 2);
  equal(places.get(19).x - places.get(9).x, 100);
});
