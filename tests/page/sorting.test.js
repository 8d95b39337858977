import assert from "node:assert/strict";
import { Sorting } from "/sorting.js";
import { testAfter } from "./support/browser.js";

const COLUMNS = {
  name: { text: row => row.name },
  elo: { best: row => row.elo },
  time: { best: row => (row.time === null ? null : -row.time), isAscending: true },
  place: {},
};
const ROWS = [
  { name: "b10", elo: 1, time: 3 },
  { name: "b9", elo: null, time: 1 },
  { name: "a", elo: 7, time: null },
];
const names = rows => rows.map(row => row.name).join(" ");

let changes, sorting, heads;
const test = testAfter(() => {
  changes = 0;
  sorting = new Sorting(COLUMNS, "place", () => changes++);
  heads = Object.fromEntries(Object.keys(COLUMNS).map(name => [name, sorting.heads(name)[0]]));
});

const choose = name => heads[name].querySelector("button").click();
const marks = () =>
  Object.entries(heads)
    .filter(([, head]) => head.hasAttribute("aria-sort"))
    .map(([name, head]) => `${name} ${head.getAttribute("aria-sort")}`)
    .join();

test("rows keep their order until a column is chosen", () => {
  assert.equal(names(sorting.sort(ROWS)), "b10 b9 a");
  assert.equal(marks(), "place descending");
  choose("place");
  assert.equal(names(sorting.sort(ROWS)), "a b9 b10");
  assert.equal(marks(), "place ascending");
  assert.equal(changes, 1);
});

test("the best value comes first, a second click reverses, unknown ones stay last", () => {
  choose("elo");
  assert.equal(names(sorting.sort(ROWS)), "a b10 b9");
  assert.equal(marks(), "elo descending");
  choose("elo");
  assert.equal(names(sorting.sort(ROWS)), "b10 a b9");
  assert.equal(marks(), "elo ascending");
});

test("a column whose best value is the lowest ascends at first", () => {
  choose("time");
  assert.equal(marks(), "time ascending");
  assert.equal(names(sorting.sort(ROWS)), "b9 b10 a");
});

test("texts are sorted with their numbers as numbers", () => {
  choose("name");
  assert.equal(names(sorting.sort(ROWS)), "a b9 b10");
  choose("name");
  assert.equal(names(sorting.sort(ROWS)), "b10 b9 a");
});
