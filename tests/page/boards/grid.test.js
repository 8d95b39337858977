import { deepEqual, equal } from "node:assert/strict";
import { layOutRows } from "/boards/graph_layout.js";
import { Grid } from "/boards/grid.js";
import { testAfter } from "../support/browser.js";
import { press, properties } from "../support/elements.js";

let grid, moves, refused, shaken, hasReducedMotion;
const legal = [2, 4, 9]; // of 1 to 10

const test = testAfter(t => {
  [moves, refused, shaken, hasReducedMotion] = [[], [], [], false];
  const names = { label: "ten cells", className: "cells", cellName: "cell" };
  grid = new Grid({ ...names, count: 10, first: 1, onMove: move => moves.push(move) });
  grid.layOut(4);
  grid.setLegalMoves(legal, true);
  grid.element.addEventListener("illegal", ({ detail }) => refused.push(detail));
  for (const [at, cell] of grid.cells.entries()) {
    cell.animate = (frames, time) => shaken.push([at, frames, time]);
  }
  t.mock.method(globalThis, "matchMedia", query => ({
    matches: hasReducedMotion && query === "(prefers-reduced-motion: reduce)",
  }));
  document.body.append(grid.element);
});

const click = (index, properties = {}) =>
  grid.cells[index].dispatchEvent(new PointerEvent("click", { bubbles: true, ...properties }));
const touch = index => click(index, { pointerType: "touch" });
const tabStops = () => grid.cells.flatMap(({ tabIndex }, at) => (tabIndex === 0 ? [at] : []));
const focused = () => grid.cells.indexOf(document.activeElement);

/** Press a key on the focused cell; return the index of the next one. */
const pressed = (key, more) => (press(key, document.activeElement, more) ? focused() : "unused");

/** Return where keys lead from a cell. */
const led = (from, keys, properties) =>
  keys.map(key => {
    grid.cells[from].focus();
    return pressed(key, properties);
  });

test("cells are in rows of a labelled grid", () => {
  const rows = [...grid.element.children];
  deepEqual(
    rows.map(row => [row.getAttribute("role"), [...row.children].map(cell => cell.index)]),
    [
      ["row", [0, 1, 2, 3]],
      ["row", [4, 5, 6, 7]],
      ["row", [8, 9]],
    ],
  );
  const attributes = ["role", "aria-label", "aria-keyshortcuts", "class"];
  deepEqual(
    attributes.map(name => grid.element.getAttribute(name)),
    ["grid", "ten cells", "N Shift+N", "cells interactive"],
  );
  equal(grid.cells[0].outerHTML, '<div role="gridcell" class="cell" tabindex="0"></div>');
  grid.layOut(4);
  equal(grid.element.firstChild, rows[0], "the same number of columns changes nothing");
  grid.layOut(5);
  equal(grid.element.children.length, 2);
});

test("a new layout keeps the focus", () => {
  grid.cells[3].focus();
  grid.layOut(3);
  equal(focused(), 3);
  document.activeElement.blur();
  grid.layOut(2);
  equal(focused(), -1);
});

test("only legal moves are chosen, others shake and are reported", () => {
  for (const index of grid.cells.keys()) click(index);
  deepEqual(moves, legal);
  deepEqual(refused, [1, 3, 5, 6, 7, 8, 10]);
  const transform = ["none", "translateX(-4px)", "translateX(4px)", "none"];
  deepEqual(shaken[0], [0, { transform }, { duration: 130, iterations: 2 }]);
  equal(shaken.length, 7);
  hasReducedMotion = true;
  click(0);
  deepEqual([shaken.length, refused.length], [7, 8]);
});

test("moves are numbered from 0 on, and nobody need listen", () => {
  const other = new Grid({ label: "", className: "", cellName: "", count: 2 });
  other.layOut(2);
  other.setLegalMoves([0], true, 1);
  document.body.append(other.element);
  other.cells[0].click();
  deepEqual(properties("tabIndex", other.cells), [-1, 0]);
  other.element.remove();
});

test("a click beside the cells chooses nothing", () => {
  grid.element.click();
  deepEqual([moves, refused], [[], []]);
});

test("a finger that misses takes the only legal cell around", () => {
  for (const index of [0, 7, 5, 6, 9]) touch(index);
  // Around 0 there is cell 1, around 7 cell 3, around 5 both 1 and 8, around 6 both, around 9: 8.
  deepEqual(moves, [2, 4, 9]);
  deepEqual(refused, [6, 7]);
  grid.setLegalMoves([1], true);
  for (const index of [3, 2, 8, 4]) touch(index);
  deepEqual([moves.slice(3), refused.slice(2)], [[1], [4, 3, 9]]);
  touch(0);
  click(1, { pointerType: "mouse" });
  deepEqual([moves.slice(4), refused.slice(5)], [[1], [2]]);
});

test("a finger that misses takes the only legal node around", () => {
  const spacing = { most: 5, pitch: 31, size: 20, lineGap: 0, rowGap: 10 };
  grid.layOutGraph(
    layOutRows(
      [
        [1, 2, 3, 4, 5],
        [6, 7, 8, 9, 10],
      ],
      200,
      spacing,
    ),
  );
  for (const index of [0, 2, 3, 4, 7, 9]) touch(index);
  // Node 2 is between 1 and 3, node 4 is legal, 9 is below 4.
  deepEqual([moves, refused], [[2, 4, 4, 9, 9], [3]]);
  grid.setLegalMoves([1], true);
  grid.layOutGraph(layOutRows([[1, 2]], 200, { ...spacing, pitch: 32 }));
  touch(1);
  deepEqual(refused, [3, 2], "32 pixels are not near");
});

test("nodes of a graph have their places and lines", () => {
  const spacing = { most: 3, pitch: 30, size: 20, lineGap: 4, rowGap: 10 };
  grid.layOutGraph(layOutRows([[1], [2, 3], [4]], 100, spacing));
  const rows = [...grid.element.children].map(row => [...row.children].map(cell => cell.index));
  deepEqual(rows, [[0], [1, 2], [3]]);
  const { left, top } = grid.cells[1].style;
  deepEqual([left, top], ["25px", "34px"]);
});

test("arrow keys lead through a graph, and stay at its edge", () => {
  const spacing = { most: 7, pitch: 30, size: 20, lineGap: 4, rowGap: 10 };
  grid.layOutGraph(layOutRows([[1], [2, 3], [4, 5, 6, 7, 8, 9, 10]], 100, spacing));
  const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
  deepEqual(led(0, keys), [0, 1, 0, 1, 0, 0]);
  deepEqual(led(2, keys), [0, 6, 1, 3, 1, 2]);
  deepEqual(led(2, ["Home", "End", "ArrowRight"], { ctrlKey: true }), [0, 9, 3]);
  deepEqual(led(2, ["n", "x"]), [3, "unused"]);
});

test("arrow keys lead through the cells, and stay at the edge", () => {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
  deepEqual(led(5, keys), [4, 6, 1, 9, 4, 7]);
  deepEqual(led(0, keys), [0, 1, 0, 4, 0, 3]);
  deepEqual(led(9, keys), [8, 9, 5, 9, 8, 9]);
});

test("Ctrl leads to the ends and, as n does, to the next legal cell, around the end", () => {
  const ctrl = { ctrlKey: true };
  deepEqual(led(5, ["Home", "End", "ArrowLeft", "ArrowRight"], ctrl), [0, 9, 3, 8]);
  deepEqual(led(5, ["n", "N"]), [8, 3]);
  deepEqual(led(8, ["n", "N"]), [1, 3]);
  deepEqual(led(1, ["n", "N"]), [3, 8]);
  deepEqual(led(1, ["n", "N"], ctrl), ["unused", "unused"]);
  grid.setLegalMoves([], true);
  deepEqual(led(5, ["n", "N"]), [5, 5]);
});

test("other keys are left to the browser", () => {
  deepEqual(led(5, ["x", "Tab", "Escape"]), ["unused", "unused", "unused"]);
  const used = key => led(5, [key], { altKey: true }).concat(led(5, [key], { metaKey: true }));
  deepEqual(["ArrowLeft", "Enter"].map(used), Array(2).fill(["unused", "unused"]));
});

test("Enter and Space choose the focused cell, which keeps the tab stop", () => {
  deepEqual([led(1, ["Enter", " "]), led(0, ["Enter"]), moves], [[1, 1], [0], [2, 2]]);
  deepEqual([refused, tabStops()], [[1], [0]]);
  grid.setLegalMoves(legal, true, 9);
  deepEqual(tabStops(), [0], "the focus stays");
});

test("Tab leads to the given move, at first to the first", () => {
  deepEqual(tabStops(), [0]);
  for (const [move, stop] of [
    [9, 8],
    [undefined, 0],
    [11, 0],
  ]) {
    grid.setLegalMoves(legal, true, move);
    deepEqual(tabStops(), [stop]);
  }
});

test("a spectator chooses nothing, and a click leaves the focus", () => {
  const isFocusKept = () =>
    !grid.cells[0].dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
  equal(isFocusKept(), false);
  grid.setLegalMoves(legal, false);
  let untimely = 0;
  grid.element.addEventListener("untimely", () => untimely++);
  click(1);
  deepEqual([led(1, ["Enter"]), moves, refused, isFocusKept()], [["unused"], [], [], true]);
  equal(untimely, 2);
  equal(grid.element.className, "cells");
});
