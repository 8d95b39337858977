import "../support/page.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { MatchingGraph } from "../../../arena/web/analysis/matching_graph.js";
import { DENSE, layOut } from "../../../arena/web/analysis/matching_layout.js";
import {
  legend,
  nodeLabel,
  nodeSentences,
  nodeTable,
} from "../../../arena/web/analysis/matching_text.js";
import { takeStones } from "../support/boards.js";
import { drawingSurface } from "../support/drawing_surface.js";
import { LOST, WON } from "../support/matchings.js";
import { place, press, texts } from "../support/shown.js";

const rounded = numbers => numbers.map(number => Number(number.toFixed(6)));

test("nodes have labels", () => {
  const labels = matching => matching.nodes.map(node => nodeLabel(matching, takeStones, node));
  assert.deepEqual(labels(WON), [
    "1, outer, partner 4, legal: 1 is a factor of 6, wins",
    "2, outer, partner 6, legal: 2 is a factor of 6, wins",
    "6, last, partner 2",
    "4, other, partner 1",
  ]);
  assert.equal(labels(LOST)[3], "5, outer, no partner");
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
    assert.equal(nodeSentences(matching, null, move), text));
}

test("the legend has the kinds that occur", () => {
  const box = document.createElement("div");
  box.append(...legend(WON));
  assert.deepEqual(texts(box, "li"), [
    "outer: a matching may leave it out",
    "other: it has no outer neighbour",
    "last: it was taken last",
  ]);
  assert.deepEqual(
    [...box.querySelectorAll(".node")].map(({ className }) => className),
    ["node kind-1", "node kind-3", "node kind-4"],
  );
  assert.equal(
    box.querySelector(".hint").textContent,
    "Thick lines join partners. A filled shape is legal now, and a double one wins.",
  );
});

test("a table has all nodes", () => {
  const rows = matching =>
    [...nodeTable(matching, takeStones).querySelectorAll("tr")].map(row =>
      texts(row, "th, td").join("|"),
    );
  assert.deepEqual(rows(WON), [
    "Move|Kind|Partner|Legal now|Wins",
    "1|outer|4|1 is a factor of 6|yes",
    "2|outer|6|2 is a factor of 6|yes",
    "6|last|2|no|no",
    "4|other|1|no|no",
  ]);
  assert.equal(rows(LOST)[4], "5|outer|none|no|no");
});

/** Return a matching of many moves, of which each odd one is the partner of the next, up to `paired`. */
function large(count, paired, more = {}) {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const nodes = numbers.map(move => [move, "outer", move % 3, move % 10 ? null : "legal"]);
  const pairs = numbers.filter(move => move % 2 && move < paired).map(move => [move + 1, move]);
  return {
    nodes,
    pairs,
    edges: pairs,
    kinds: { outer: "" },
    winning_moves: [],
    last: null,
    ...more,
  };
}

for (const [count, width] of [
  [8, 320],
  [40, 320],
  [59, 900],
  [60, 320],
  [61, 700],
  [100, 30],
]) {
  test(`${count} nodes do not overlap in ${width} pixels`, () => {
    const { places, lines, size, height } = layOut(large(count, count / 2), width);
    const all = [...places.values()];
    assert.deepEqual(
      lines.flat().sort((one, other) => one - other),
      Array.from({ length: count }, (_, at) => at + 1),
    );
    for (const [at, one] of all.entries()) {
      for (const other of all.slice(at + 1)) {
        assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= size, `${one.x} ${other.x}`);
      }
    }
    const edges = all.flatMap(({ y }) => [y - size / 2, y + size / 2]);
    assert.deepEqual(rounded([Math.min(...edges), height]), rounded([4, Math.max(...edges) + 4]));
    const across = all.map(({ x }) => x);
    const middle = (Math.min(...across) + Math.max(...across)) / 2;
    if (count !== 8 || width > 100)
      assert.ok(Math.abs(middle - width / 2) < (count < DENSE ? 1e-9 : 40));
    for (const [index, line] of lines.entries())
      assert.ok(line.every(move => places.get(move).line === index));
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
  assert.deepEqual(
    [pitch(4, 900), pitch(6, 300), pitch(7, 300)],
    [[76, 44], [50, 42], rounded([300 / 7, 300 / 7 - 8])],
  );
  const { lines } = layOut(
    { nodes: Array.from({ length: 8 }, (_, at) => [at + 1, "outer", 2, null]) },
    300,
  );
  assert.deepEqual(
    lines.map(line => line.length),
    [4, 4],
  );
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
  assert.equal(places.get(2).y - places.get(1).y, size + 1.15 * size);
  const wrapped = layOut(
    { nodes: Array.from({ length: 8 }, (_, at) => [at + 1, "", 0, null]) },
    300,
  );
  const down = wrapped.places.get(5).y - wrapped.places.get(1).y;
  assert.deepEqual(rounded([down]), rounded([wrapped.size + 14]));
});

test("partners of many are side by side: those of the last, of legal moves, others, and those alone", () => {
  const { places, lines, size } = layOut(large(60, 50, { last: 21 }), 400);
  assert.equal(size, 34);
  for (let move = 1; move < 50; move += 2) {
    const [one, other] = [places.get(move), places.get(move + 1)];
    assert.deepEqual([other.x - one.x, other.y], [44, one.y]);
  }
  const line = lines.findIndex(moves => moves.includes(1));
  assert.deepEqual(lines[0], [21, 22]);
  assert.deepEqual(lines[1], [9, 10, 19, 20, 29, 30, 39, 40]); // four pairs fit
  assert.deepEqual(
    [lines[2], lines[3]],
    [
      [49, 50],
      [1, 2, 3, 4, 5, 6, 7, 8],
    ],
  );
  assert.deepEqual(lines.slice(-3), [
    [51, 52, 53, 54],
    [55, 56, 57, 58],
    [59, 60],
  ]);
  const y = at => places.get(lines[at][0]).y;
  assert.deepEqual([y(1) - y(0), y(2) - y(1), y(line) - y(line - 1)], [64, 48, 64]);
  assert.equal(places.get(9).x, (400 - 4 * 100 + 22 + 34) / 2);
  assert.equal(places.get(19).x - places.get(9).x, 100);
});

/** Return a graph in the document that shows a matching. */
function matchingGraph(t, matching = LOST, choose = () => false) {
  const surface = drawingSurface();
  t.after(() => surface.restore());
  const onShow = t.mock.fn();
  const onChoose = t.mock.fn(choose);
  const graph = new MatchingGraph({ onShow, onChoose });
  place(t, graph.element);
  surface.resize(graph.element, 320, 0);
  graph.show(matching, takeStones);
  const node = move => graph.element.querySelector(`[data-move="${move}"]`);
  const having = name => texts(graph.element, `button.${name}`).join(" ");
  const path = name => graph.element.querySelector(`path.${name}`).getAttribute("d");
  const lines = name => path(name).split("M").length - 1;
  const over = move => node(move).dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  const leave = () => graph.element.dispatchEvent(new PointerEvent("pointerleave"));
  const stop = () => texts(graph.element, "[tabindex='0']").join();
  return {
    graph,
    surface,
    node,
    having,
    lines,
    path,
    over,
    leave,
    stop,
    shown: () => onShow.mock.calls.at(-1).arguments[0],
    chosen: onChoose,
  };
}

test("nodes are buttons at their places", t => {
  const { graph, surface, node, having, lines } = matchingGraph(t);
  assert.deepEqual(texts(graph.element, "button"), ["1", "2", "3", "5", "7", "4", "6", "8"]);
  assert.deepEqual(
    [having("legal"), having("wins"), having("kind-1"), having("kind-3")],
    ["1 6", "", "5 7", "2 4 6 8"],
  );
  assert.equal(
    node(6).getAttribute("aria-label"),
    "6, other, partner 2, legal: 6 is a multiple of 3",
  );
  assert.deepEqual([lines("edges"), lines("pairs"), lines("near"), lines("pair")], [12, 3, 0, 0]);
  const { places, height, size } = layOut(LOST, 320);
  const at = [node(8).style.left, node(8).style.top].map(Number.parseFloat);
  assert.deepEqual(rounded(at), rounded([places.get(8).x, places.get(8).y]));
  const { style } = graph.element;
  const sizes = [style.height, style.getPropertyValue("--size")].map(Number.parseFloat);
  assert.deepEqual(rounded(sizes), rounded([height, size]));
  assert.equal(graph.element.querySelector("svg").getAttribute("viewBox"), `0 0 320 ${height}`);
  surface.resize(graph.element, 500, 0);
  assert.equal(node(8).style.left, "250px");
  graph.show(WON, takeStones);
  assert.deepEqual([having("wins"), having("kind-4")], ["1 2", "6"]);
});

test("the edges of many nodes are only those of the one shown", t => {
  const edges = large(60, 60).pairs;
  const { lines, over } = matchingGraph(t, large(60, 60, { edges: [...edges, [1, 4]] }));
  assert.deepEqual([lines("edges"), lines("pairs")], [0, 30]);
  over(1);
  assert.deepEqual([lines("near"), lines("pair")], [2, 1]);
});

test("the node under the pointer stands out with its partner and its neighbours", t => {
  const { graph, having, lines, over, leave, shown } = matchingGraph(t);
  over(2);
  assert.deepEqual([having("shown"), having("partner"), having("near")], ["2", "6", "1 2 4 6 8"]);
  assert.deepEqual([lines("near"), lines("pair"), shown()], [4, 1, 2]);
  assert.equal(graph.element.classList.contains("has-shown"), true);
  graph.element.firstChild.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })); // beside nodes
  assert.equal(shown(), 2);
  leave();
  assert.deepEqual(
    [having("shown"), having("near"), lines("near"), lines("pair"), shown()],
    ["", "", 0, 0, null],
  );
  assert.equal(graph.element.classList.contains("has-shown"), false);
  over(5);
  assert.deepEqual([having("partner"), lines("pair")], ["", 0]);
});

test("a click selects a node, and another one deselects it", t => {
  const { node, having, over, leave, shown, graph } = matchingGraph(t);
  const pressed = () =>
    texts(graph.element, "button")
      .filter((_, at) => graph.element.querySelectorAll("button")[at].ariaPressed === "true")
      .join();
  node(2).firstChild.click();
  over(7);
  leave();
  assert.deepEqual([having("shown"), pressed(), shown()], ["2", "2", 2]);
  node(7).click();
  assert.deepEqual([pressed(), having("shown")], ["7", "7"]);
  node(7).click();
  assert.deepEqual([pressed(), shown()], ["", null]);
  graph.element.click();
  node(2).click();
  graph.show(WON, takeStones);
  assert.deepEqual([having("shown"), shown()], ["", null]);
});

test("a click that means more does not select", t => {
  const { node, having, chosen } = matchingGraph(t, LOST, () => true);
  node(6).click();
  assert.deepEqual([having("shown"), chosen.mock.calls[0].arguments], ["", [6]]);
});

test("the graph has one tab stop, which keys move", t => {
  const { node, stop, shown, graph } = matchingGraph(t);
  assert.equal(stop(), "1"); // the first legal one
  node(1).focus();
  for (const [key, move] of [
    ["ArrowDown", 3],
    ["ArrowRight", 5],
    ["End", 7],
    ["ArrowRight", 4],
    ["ArrowLeft", 7],
    ["Home", 2],
    ["ArrowUp", 1],
  ]) {
    assert.equal(press(document.activeElement, key), true);
    assert.deepEqual(
      [document.activeElement, stop(), shown()],
      [node(move), String(move), move],
      key,
    );
  }
  for (const key of ["ArrowUp", "x"]) assert.equal(press(node(1), key), false);
  for (const key of ["altKey", "metaKey", "ctrlKey"])
    assert.equal(press(node(1), "ArrowDown", { [key]: true }), false);
  node(1).blur();
  assert.equal(shown(), null);
  graph.show({ ...LOST, nodes: LOST.nodes.slice(1, 4), edges: [], pairs: [] }, takeStones);
  assert.equal(stop(), "2"); // the first one, as none is legal
});

test("the focus stays in the graph when another matching is shown", t => {
  const { graph, node } = matchingGraph(t);
  graph.element.querySelector = selector =>
    HTMLElement.prototype.querySelector.call(
      graph.element,
      selector.replace(":focus-visible", ":focus"),
    );
  node(8).focus();
  graph.show(WON, takeStones);
  assert.equal(document.activeElement, node(1));
  node(1).blur();
  graph.show(LOST, takeStones);
  assert.equal(document.activeElement, document.body);
});
