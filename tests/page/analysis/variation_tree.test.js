import { deepEqual, equal } from "node:assert/strict";
import { movesTo, VariationTree } from "/analysis/variation_panel.js";
import { test } from "../support/browser.js";

/** Return a tree of lines, at the end of the last of them. */
function treeOf(...lines) {
  const tree = new VariationTree();
  for (const line of lines) tree.go(line);
  return tree;
}

/** Return all lines of a tree, the main one first. */
const linesOf = node =>
  node.children.length ? node.children.flatMap(linesOf) : [movesTo(node).join()];

test("lines share their beginnings, and the first one is the main line", () => {
  const tree = treeOf([3, 6, 2], [3, 6, 1, 4], [3, 1], [3, 6, 2]);
  deepEqual(linesOf(tree.root), ["3,6,2", "3,6,1,4", "3,1"]);
  deepEqual([tree.mainLine, movesTo(tree.current), movesTo(tree.root)], [[3, 6, 2], [3, 6, 2], []]);
  deepEqual(movesTo(tree.add([3, 6, 5])), [3, 6, 5]);
  deepEqual(movesTo(tree.current), [3, 6, 2]); // it did not go there
});

test("steps lead along a line and between variations", () => {
  for (const [line, step, expected] of [
    [[3, 6], "previous", [3]],
    [[3, 6], "next", [3, 6, 2]],
    [[3, 6, 2], "down", [3, 6, 1]],
    [[3, 6, 1], "up", [3, 6, 2]],
    [[3, 6, 1], "down", null],
    [[3, 6, 2], "up", null],
    [[3, 6, 2], "next", null],
    [[], "previous", null],
    [[], "up", null],
    [[], "next", [3]],
  ]) {
    const node = treeOf([3, 6, 2], [3, 6, 1], line).neighbour(step);
    deepEqual(node && movesTo(node), expected, `${step} of ${line}`);
  }
});

test("a move is deleted with all that follows", () => {
  const tree = treeOf([3, 6, 2], [3, 6, 1, 4], [3, 1], [3, 6]);
  tree.delete();
  deepEqual([linesOf(tree.root), movesTo(tree.current)], [["3,1"], [3]]);
  tree.delete();
  tree.delete(); // there is nothing left
  deepEqual([tree.root.children, tree.current], [[], tree.root]);
});

test("a full tree leaves out the last moves, until one is deleted", () => {
  const tree = new VariationTree();
  const line = Array.from({ length: 5001 }, (_, at) => at);
  equal(movesTo(tree.add(line)).length, 4999); // with the start 5000 nodes
  equal(tree.add([77]), tree.root);
  tree.go(line);
  tree.delete();
  deepEqual(movesTo(tree.add([77])), [77]);
  equal(tree.add([78]), tree.root);
});

test("a tree is kept as a text", () => {
  const text = treeOf([3, 6, 2], [3, 1], [3, 6, 1]).toText();
  equal(text, "[[0,3],[1,6],[1,1],[2,2],[2,1]]");
  const tree = VariationTree.fromText(text);
  deepEqual([linesOf(tree.root), tree.current], [["3,6,2", "3,6,1", "3,1"], tree.root]);
  for (const damaged of [null, "[]", "[[9, 1]]", "{", "[[0,3],[5,1]]", "7"]) {
    deepEqual(VariationTree.fromText(damaged).mainLine, [], damaged);
  }
});
