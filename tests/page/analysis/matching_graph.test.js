import { deepEqual, equal } from "node:assert/strict";
import { layOut, MatchingGraph } from "/analysis/matching_graph.js";
import { takeStones } from "../support/boards.js";
import { resize, test } from "../support/browser.js";
import { isSame, pointAt, press, show, texts } from "../support/elements.js";
import { LOST, manyMoves, WON } from "../support/matchings.js";

const rounded = numbers => numbers.map(number => Number(number.toFixed(6)));

/** Return a graph in the document that shows a matching. */
function matchingGraph(t, matching = LOST, choose = () => false) {
  const onShow = t.mock.fn();
  const onChoose = t.mock.fn(choose);
  const graph = new MatchingGraph({ onShow, onChoose });
  show(graph.element);
  resize(graph.element, { clientWidth: 320 });
  graph.show(matching, takeStones);
  const node = move => graph.element.querySelector(`[data-move="${move}"]`);
  const having = name => texts(`button.${name}`, graph.element).join(" ");
  const path = name => graph.element.querySelector(`path.${name}`).getAttribute("d");
  const lines = name => path(name).split("M").length - 1;
  const over = move => pointAt(node(move), "pointerover");
  const leave = () => pointAt(graph.element, "pointerleave");
  const stop = () => texts("[tabindex='0']", graph.element).join();
  const shown = () => onShow.mock.calls.at(-1).arguments[0];
  const chosen = onChoose;
  return { graph, node, having, lines, path, over, leave, stop, shown, chosen };
}

test("nodes are buttons at their places", t => {
  const { graph, node, having, lines } = matchingGraph(t);
  deepEqual(texts("button", graph.element), ["1", "2", "3", "5", "7", "4", "6", "8"]);
  deepEqual([having("legal"), having("wins"), having("kind-1")], ["1 6", "", "5 7"]);
  equal(having("kind-3"), "2 4 6 8");
  equal(node(6).getAttribute("aria-label"), "6, other, partner 2, legal: 6 is a multiple of 3");
  deepEqual([lines("edges"), lines("pairs"), lines("near"), lines("pair")], [12, 3, 0, 0]);
  const { places, height, size } = layOut(LOST, 320);
  const at = [node(8).style.left, node(8).style.top].map(Number.parseFloat);
  deepEqual(rounded(at), rounded([places.get(8).x, places.get(8).y]));
  const { style } = graph.element;
  const sizes = [style.height, style.getPropertyValue("--size")].map(Number.parseFloat);
  deepEqual(rounded(sizes), rounded([height, size]));
  equal(graph.element.querySelector("svg").getAttribute("viewBox"), `0 0 320 ${height}`);
  resize(graph.element, { clientWidth: 500 });
  equal(node(8).style.left, "250px");
  graph.show(WON, takeStones);
  deepEqual([having("wins"), having("kind-4")], ["1 2", "6"]);
});

test("the edges of many nodes are only those of the one shown", t => {
  const edges = manyMoves(60, 60).pairs;
  const { lines, over } = matchingGraph(t, manyMoves(60, 60, { edges: [...edges, [1, 4]] }));
  deepEqual([lines("edges"), lines("pairs")], [0, 30]);
  over(1);
  deepEqual([lines("near"), lines("pair")], [2, 1]);
});

test("the node under the pointer stands out with its partner and its neighbours", t => {
  const { graph, having, lines, over, leave, shown } = matchingGraph(t);
  over(2);
  deepEqual([having("shown"), having("partner"), having("near")], ["2", "6", "1 2 4 6 8"]);
  deepEqual([lines("near"), lines("pair"), shown()], [4, 1, 2]);
  equal(graph.element.classList.contains("has-shown"), true);
  pointAt(graph.element.firstChild, "pointerover"); // beside nodes
  equal(shown(), 2);
  leave();
  deepEqual([having("shown"), having("near"), lines("near"), lines("pair")], ["", "", 0, 0]);
  deepEqual([shown(), graph.element.classList.contains("has-shown")], [null, false]);
  over(5);
  deepEqual([having("partner"), lines("pair")], ["", 0]);
});

test("a click selects a node, and another one deselects it", t => {
  const { node, having, over, leave, shown, graph } = matchingGraph(t);
  const pressed = () =>
    texts("button", graph.element)
      .filter((_, at) => graph.element.querySelectorAll("button")[at].ariaPressed === "true")
      .join();
  node(2).firstChild.click();
  over(7);
  leave();
  deepEqual([having("shown"), pressed(), shown()], ["2", "2", 2]);
  node(7).click();
  deepEqual([pressed(), having("shown")], ["7", "7"]);
  node(7).click();
  deepEqual([pressed(), shown()], ["", null]);
  graph.element.click();
  node(2).click();
  graph.show(WON, takeStones);
  deepEqual([having("shown"), shown()], ["", null]);
});

test("a click that means more does not select", t => {
  const { node, having, chosen } = matchingGraph(t, LOST, () => true);
  node(6).click();
  deepEqual([having("shown"), chosen.mock.calls[0].arguments], ["", [6]]);
});

test("the graph has one tab stop, which keys move", t => {
  const { node, stop, shown, graph } = matchingGraph(t);
  equal(stop(), "1"); // the first legal one
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
    equal(press(key, document.activeElement), true);
    isSame(document.activeElement, node(move));
    deepEqual([stop(), shown()], [String(move), move], key);
  }
  for (const key of ["ArrowUp", "x"]) equal(press(key, node(1)), false);
  for (const key of ["altKey", "metaKey", "ctrlKey"])
    equal(press("ArrowDown", node(1), { [key]: true }), false);
  node(1).blur();
  equal(shown(), null);
  graph.show({ ...LOST, nodes: LOST.nodes.slice(1, 4), edges: [], pairs: [] }, takeStones);
  equal(stop(), "2"); // the first one, as none is legal
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
  isSame(document.activeElement, node(1));
  node(1).blur();
  graph.show(LOST, takeStones);
  isSame(document.activeElement, document.body);
});
