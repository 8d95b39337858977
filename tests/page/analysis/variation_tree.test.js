import { deepEqual, equal } from "node:assert/strict";
import { movesTo, VariationTree } from "/analysis/variation_panel.js";
import { test } from "../support/browser.js";

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

test("a damaged text is an empty tree", () => {
  for (const damaged of [null, "[]", "[[9, 1]]", "{", "[[0,3],[5,1]]", "7"]) {
    deepEqual(VariationTree.fromText(damaged).mainLine, [], damaged);
  }
});
