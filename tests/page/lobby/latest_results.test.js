import { deepEqual, equal, ok } from "node:assert/strict";
import { LatestResults, resultRow } from "/lobby/latest_results.js";
import { ARENA, connect, summary } from "../support/arena.js";
import { hold, leaveView, pass, signal, test } from "../support/browser.js";
import { links, show, texts } from "../support/elements.js";

/** Results with the given ids, the latest first. */
const results = (last, number) => Array.from({ length: number }, (_, at) => summary(last - at));
const shown = () => links(document, ".cover").map(href => Number(href.split("/").at(-1)));
const heading = () => texts("h2")[0];

function open() {
  const list = new LatestResults(connect().connection, signal());
  show(list.element);
  return list;
}

test("a result names the players, the ending, the game and the time", () => {
  const row = resultRow(ARENA, summary(4, { casual: true }));
  equal(row.textContent, "bob beat annno legal move · Take-Stones, 7 stones · 2 min ago unrated");
});

test("the latest eight results are listed, at most once per second", async () => {
  const list = open();
  list.update([]);
  equal(list.element.hidden, true);
  await pass(1000);
  list.update(results(20, 12));
  deepEqual([list.element.hidden, shown()], [false, [20, 19, 18, 17, 16, 15, 14, 13]]);
  deepEqual([heading(), links(document).at(-1)], ["Latest results ", "#/games"]);
  list.update(results(21, 12));
  await pass(999);
  equal(shown()[0], 20);
  await pass(1);
  equal(shown()[0], 21);
});

test("the list keeps still under the pointer, and counts what is new", async () => {
  const list = open();
  hold(list.element);
  list.update(results(2, 2));
  deepEqual(shown(), [2, 1]); // a first list is shown in any case
  for (const [last, number, text] of [
    [2, 2, "Latest results "],
    [3, 3, "Latest results 1 new"],
    [12, 12, "Latest results 10 new"],
    [30, 12, "Latest results over 11 new"],
  ]) {
    await pass(1000);
    list.update(results(last, number));
    equal(heading(), text);
    deepEqual(shown(), [2, 1]);
  }
  list.element.dispatchEvent(new Event("pointerleave"));
  await pass(16);
  deepEqual(shown(), [2, 1]); // the focus is still inside
  hold(list.element, false);
  list.element.dispatchEvent(new Event("focusout"));
  deepEqual(shown(), [2, 1]);
  await pass(16);
  deepEqual([shown()[0], heading()], [30, "Latest results "]);
  const first = list.element.querySelector("li");
  list.element.dispatchEvent(new Event("pointerleave"));
  await pass(16);
  ok(list.element.contains(first));
});

test("relative times are refreshed until the view is left", async () => {
  const list = open();
  list.update(results(1, 1));
  await pass(40_000);
  deepEqual(texts("time"), ["2 min ago"]);
  await pass(20_000);
  deepEqual(texts("time"), ["3 min ago"]);
  leaveView();
  await pass(60_000);
  deepEqual(texts("time"), ["3 min ago"]);
});
