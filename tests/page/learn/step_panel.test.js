import { deepEqual, equal } from "node:assert/strict";
import { Moment, SearchTrace } from "/learn/search_trace.js";
import { CodePanel, Counts, PathTable } from "/learn/step_panel.js";
import { test } from "../support/browser.js";
import { all, isSame, properties, texts } from "../support/elements.js";
import { TREE, tracedTree } from "../support/traced_searches.js";

function pathTable(t, tree = TREE) {
  const trace = new SearchTrace(tracedTree(tree).answer);
  const moment = new Moment(trace);
  const select = t.mock.fn();
  const table = new PathTable(node => trace.moves[node] ?? "Root", select);
  const rows = () => all("tbody tr", table.element);
  const go = steps => {
    moment.go(steps);
    table.update(trace, moment);
    return rows().map(row => [...row.children].map(cell => cell.textContent).join(" "));
  };
  return { table, go, rows, select };
}

test("the path is a table of the nodes and their values", t => {
  const { table, go, rows, select } = pathTable(t);
  const heads = all("th[scope=col]", table.element);
  deepEqual(
    heads.map(head => [head.textContent, head.className]),
    [
      ["Node", "name"],
      ["Player", "name"],
      ["v", ""],
      ["α", ""],
      ["β", ""],
    ],
  );
  deepEqual(go(0), ["Root Max – – –"]);
  deepEqual(go(1), ["Root Max – −∞ ∞"]);
  deepEqual(go(21), ["Root Max 5 5 ∞", "C Min ∞ 5 ∞", "H Max – 5 ∞"]);
  deepEqual(go(22), ["Root Max 5 5 ∞", "C Min ∞ 5 ∞", "H leaf 4 5 ∞"]);
  deepEqual(
    rows().map(row => row.children[1].className.trim()),
    ["name player-1", "name player-2", "name"],
  );
  deepEqual(
    rows().map(row => row.getAttribute("aria-current")),
    [null, null, "step"],
  );
  rows()[1].querySelector("button").click();
  deepEqual([select.mock.calls[0].arguments, go(24)], [[2], ["Root Max 5 5 ∞", "C Min 4 5 ∞"]]);
  deepEqual(
    rows().map(row => row.getAttribute("aria-current")),
    [null, "step"],
  );
  equal(go(26).length, 2);
});

test("a merged node is not called a leaf", t => {
  const { go } = pathTable(t, [[3, 5], [{ earlier: 4 }, 1], 2]);
  equal(go(18).at(-1), "G Max 3 3 ∞");
});

test("a long path is scrolled to its end", t => {
  const { table, go } = pathTable(t, [[[[[1]]]]]);
  Object.defineProperty(table.element, "scrollHeight", { value: 300 });
  for (const [steps, nodes, top] of [
    [9, 5, 0],
    [11, 6, 300],
  ]) {
    equal(go(steps).length, nodes);
    equal(table.element.scrollTop, top);
  }
  table.element.scrollTop = 7;
  go(12);
  equal(table.element.scrollTop, 7); // the user may have scrolled
});

test("pseudocode has symbols, indentation and marked lines", () => {
  const panel = new CodePanel();
  const lines = () => [...panel.element.children];
  const marks = () => lines().map(line => line.getAttribute("aria-current"));
  const code = [
    [0, "f(node, alpha, beta): alphabet"],
    [1, "v = -infinity >= infinity"],
    [2, "if v <= alpha or v >= beta"],
  ];
  panel.setLines(code);
  deepEqual(properties("textContent", lines()), [
    "f(node, α, β): alphabet",
    "v = −∞ ≥ ∞",
    "if v ≤ α or v ≥ β",
  ]);
  deepEqual(
    lines().map(line => line.style.getPropertyValue("--indent")),
    ["0", "1", "2"],
  );
  deepEqual(properties("className", lines()), ["function", "", ""]);
  panel.mark([0, 2]);
  deepEqual(marks(), ["step", null, "step"]);
  panel.mark([1]);
  deepEqual(marks(), [null, "step", null]);
  const [first] = lines();
  panel.setLines([...code]);
  isSame(lines()[0], first); // the same code is not written again
  panel.setLines(code.slice(1));
  deepEqual(marks(), [null, null]);
  panel.mark([1]);
  deepEqual(marks(), [null, "step"]);
});

/** Return the texts of the counts of a search after some steps. */
function counts(steps, options = {}, totals = 9) {
  const { answer } = tracedTree(TREE, options);
  answer.totals.nodes_visited = totals;
  const panel = new Counts();
  panel.update(new SearchTrace(answer), steps);
  const values = texts("dd", panel.element);
  return [
    values,
    panel.element.querySelector(".bar-done").style.width,
    panel.element.querySelector("p").textContent,
  ];
}

test("counts are compared with those of minimax", () => {
  const saved = "Minimax would visit 13 nodes: at the end 31 % of them are saved.";
  deepEqual(counts(0), [["0 of 13", "0 of 9", "0"], "0%", saved]);
  deepEqual(counts(25), [["7 of 13", "4 of 9", "2"], `${700 / 13}%`, saved]);
  const minimax = { nodes_visited: 14000, nodes_evaluated: 9000 };
  const [values, , note] = counts(25, { minimax }, 14000);
  deepEqual(values.slice(0, 2), ["7 of 14,000", "4 of 9,000"]);
  equal(note, "Minimax visits all 14,000 nodes, too: nothing is saved.");
  equal(counts(36)[0][2], "4");
});

for (const [stopped, minimax, note] of [
  [null, null, "Minimax would visit too many nodes to be counted here."],
  ["steps", null, "Only the first 37 steps are shown: all would take too many steps."],
  ["size", null, "Only the first 37 steps are shown: all would take too many steps."],
  [
    "seconds",
    { nodes_visited: 1300, nodes_evaluated: 9 },
    "Only the first 37 steps are shown: all would take too much time. Minimax would visit 1,300 nodes.",
  ],
]) {
  test(`the note is: ${note}`, () => {
    const [values, width, text] = counts(37, { stopped, minimax });
    equal(text, note);
    if (!minimax) deepEqual([values, width], [["9", "5", "4"], "0%"]);
  });
}

test("the names of the counts are terms", () => {
  const terms = [...new Counts().element.querySelectorAll("dt")].map(term => term.textContent);
  deepEqual(terms, ["visited", "evaluated", "cut off"]);
});
