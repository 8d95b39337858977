import { deepEqual, equal } from "node:assert/strict";
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
  deepEqual([names(sorting.sort(ROWS)), marks()], ["b10 b9 a", "place descending"]);
  choose("place");
  deepEqual([names(sorting.sort(ROWS)), marks(), changes], ["a b9 b10", "place ascending", 1]);
});

test("the best value comes first, a second click reverses, unknown ones stay last", () => {
  choose("elo");
  deepEqual([names(sorting.sort(ROWS)), marks()], ["a b10 b9", "elo descending"]);
  choose("elo");
  deepEqual([names(sorting.sort(ROWS)), marks()], ["b10 a b9", "elo ascending"]);
});

test("a column whose best value is the lowest ascends at first", () => {
  choose("time");
  deepEqual([marks(), names(sorting.sort(ROWS))], ["time ascending", "b9 b10 a"]);
});

test("texts are sorted with their numbers as numbers", () => {
  choose("name");
  equal(names(sorting.sort(ROWS)), "a b9 b10");
  choose("name");
  equal(names(sorting.sort(ROWS)), "b10 b9 a");
});
