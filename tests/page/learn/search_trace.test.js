import { deepEqual, equal, ok } from "node:assert/strict";
import { Moment, SearchTrace, valueText } from "/learn/search_trace.js";
import { test } from "../support/browser.js";
import { TREE, tracedTree } from "../support/traced_searches.js";

const MERGED = [[3, 5], [{ earlier: 4 }, 1], 2];

/** Compare all nodes at a moment with those of the plain alpha-beta. */
function isAsExpected(moment, states) {
  const expected = states[moment.steps];
  for (const [node, state] of expected.entries()) {
    deepEqual(moment.state(node), state, `node ${node} after ${moment.steps} steps`);
  }
}

for (const [name, tree, options] of [
  ["alpha-beta", TREE, {}],
  ["alpha-beta for Min", TREE, { isMax: false }],
  ["minimax", TREE, { isPruned: false }],
  ["a search with fractions and a leaf beside inner nodes", [[0.5, [-1, 2.25]], -3], {}],
  ["a search with merged nodes", MERGED, {}],
]) {
  test(`nodes are as in ${name} after each step, forwards and backwards`, () => {
    const { answer, states } = tracedTree(tree, options);
    const trace = new SearchTrace(answer);
    const moment = new Moment(trace);
    equal(trace.length, answer.steps.length);
    for (let steps = 0; steps <= trace.length; steps++) {
      moment.go(steps);
      isAsExpected(moment, states);
      equal(moment.node, steps ? answer.steps[steps - 1][1] : 0);
      const shown = states[steps].length;
      const all = Array.from({ length: trace.parents.length }, (_, node) => moment.status(node));
      ok(all.every((status, node) => (status === "hidden") === node >= shown));
      const count = wanted => all.filter(wanted).length;
      equal(
        trace.visited[steps],
        count(status => /open|finished/.test(status)),
      );
      equal(
        trace.pruned[steps],
        count(status => status === "cut"),
      );
      const leaves = answer.steps
        .slice(0, steps)
        .filter(([kind]) => trace.kindNames[kind] === "evaluate");
      equal(trace.evaluated[steps], leaves.length);
    }
    for (const steps of [trace.length - 1, 7, 8, 3, 0, 5]) {
      moment.go(steps);
      isAsExpected(moment, states);
    }
  });
}

test("the nodes of a tree have parents, depths, moves, players and sizes", () => {
  const trace = new SearchTrace(tracedTree(TREE).answer);
  deepEqual(trace.parents, [-1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
  deepEqual(trace.depths, [0, 1, 1, 1, ...Array(9).fill(2)]);
  deepEqual(trace.moves, [null, ..."BCDEFGHIJKLM"]);
  deepEqual(trace.children[2], { first: 7, count: 3 });
  deepEqual(
    [0, 1, 4].map(node => trace.isMax(node)),
    [true, false, true],
  );
  deepEqual(
    [0, 1, 4].map(node => trace.size(node)),
    [13, 4, 1],
  );
  deepEqual([trace.path(8), trace.path(0)], [[0, 2, 8], [0]]);
});

test("a step has a kind and lines of pseudocode", () => {
  const trace = new SearchTrace(
    tracedTree(TREE, {
      kinds: [
        ["enter", [4]],
        ["generate", [2, 3]],
      ],
    }).answer,
  );
  deepEqual(
    [0, 1, 2].map(step => trace.kind(step)),
    ["enter", "generate", "enter"],
  );
  deepEqual(
    [0, 1].map(step => trace.lines(step)),
    [[4], [2, 3]],
  );
});

test("a merged node tells its earlier node from its step on", () => {
  const { answer } = tracedTree(MERGED);
  const trace = new SearchTrace(answer);
  const moment = new Moment(trace);
  const [[node, { earlier, step }]] = trace.merged;
  deepEqual([trace.merged.size, trace.moves[node], trace.moves[earlier]], [1, "G", "E"]);
  for (const [steps, expected] of [
    [step, null],
    [step + 1, earlier],
    [trace.length, earlier],
  ]) {
    moment.go(steps);
    equal(moment.earlier(node), expected);
  }
  equal(moment.earlier(earlier), null);
});

test("values are written with signs, infinities and few digits", () => {
  for (const [value, digits, text] of [
    [3, undefined, "3"],
    [-0.6, undefined, "−0.6"],
    [Infinity, undefined, "∞"],
    [-Infinity, undefined, "−∞"],
    [1 / 3, undefined, "0.333333"],
    [1 / 3, 4, "0.3333"],
    [12345.6, 4, "12350"],
    [0, undefined, "0"],
  ]) {
    equal(valueText(value, digits), text);
  }
});
