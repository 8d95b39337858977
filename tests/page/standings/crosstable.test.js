import { deepEqual, equal, ok } from "node:assert/strict";
import { Crosstable } from "/standings/crosstable.js";
import { row, table } from "../support/arena.js";
import { test } from "../support/browser.js";
import { all, links, properties, show, texts } from "../support/elements.js";

const BOTS = [row("ann", 9), row("bob", 0), row("eve", 0)];
/** Wins and losses of ann against bob as player 1 and 2, and against eve with draws. */
const MEETINGS = [
  [0, 1, [3, 1], [2, 0], 0, [0, 0]],
  [0, 2, [0, 2], [1, 1], 4, [1, 0]],
];

function open(bots = BOTS, meetings = MEETINGS) {
  const cross = new Crosstable("take_stones", "Take-Stones");
  show(cross.element);
  cross.update(table(bots, { meetings }));
  return cross;
}
const cells = () => all("tbody tr").map(line => all("td", line).map(cell => cell.textContent));
const classes = () => all("tbody tr").map(line => all("td", line).map(cell => cell.className));
const point = cell => cell.dispatchEvent(new Event("pointerover", { bubbles: true }));
const many = number => Array.from({ length: number }, (_, at) => row(`bot ${at}`, -at));

test("the points of each bot against each other are shown, above as player 1", () => {
  open();
  deepEqual(cells(), [
    ["", "3–1\n2–0", "½–2½\n1–1!"],
    ["0–2\n1–3", "", "·"],
    ["1–1\n2½–½!", "·", ""],
  ]);
  deepEqual(classes(), [
    ["itself", "above heat-3", "below heat-2"],
    ["below heat-3", "itself", "none"],
    ["above heat-2", "none", "itself"],
  ]);
  equal(links(document, "td a")[0], "#/games?bot=ann&opponent=bob&game=take_stones");
  equal(links(document, "td a")[2], "#/games?bot=bob&opponent=ann&game=take_stones");
  ok(all("td a, thead a").every(link => link.getAttribute("tabindex") === "-1"));
  deepEqual(properties("className", all("td b")), ["forfeits-mark", "forfeits-mark"]);
});

test("heads name the bots with their ranks, and lead to them", () => {
  open();
  deepEqual(texts("th"), ["Bot", "1ann", "=2bob", "=2eve", "1ann", "=2bob", "=2eve"]);
  deepEqual(links(document, "th a").slice(0, 2), ["#/bot/ann", "#/bot/bob"]);
  equal(all("th")[5].title, "bob");
  deepEqual(
    all("th").map(head => `${head.scope} ${head.className}`.trim()),
    ["col name", "col", "col", "col", "row name", "row name", "row name"],
  );
});

test("the table has a label and a legend", () => {
  open();
  const region = document.querySelector("[role=region]");
  equal(
    region.getAttribute("aria-label"),
    "Head to head in Take-Stones: points of each bot against each other",
  );
  deepEqual([region.tabIndex, region.style.getPropertyValue("--bots")], [0, "3"]);
  equal(texts("h3")[0], "Head to head");
  equal(
    texts(".legend")[0],
    "Points of the bot in the row and of its opponent: above as player 1, below as player 2; " +
      "! with forfeits; losing  winning",
  );
  deepEqual(texts(".legend .player-1, .legend .player-2"), ["player 1", "player 2"]);
});

test("colours have four steps on each side of the balance", () => {
  for (const [won, lost, heat] of [
    [4, 4, ""],
    [8, 0, "above heat-4"],
    [0, 8, "below heat-4"],
    [5, 3, "above heat-1"],
    [51, 49, "above heat-1"],
    [13, 3, "above heat-3"],
  ]) {
    open(BOTS, [[0, 1, [won, 0], [0, lost], 0, [0, 0]]]);
    equal(classes()[0][1], heat);
  }
});

test("only what has changed is replaced", () => {
  const cross = open();
  const [first, second] = all("td a");
  const changed = [MEETINGS[0], [0, 2, [0, 2], [1, 1], 0, [1, 0]]];
  cross.update(table(BOTS, { meetings: changed }));
  ok(document.contains(first));
  ok(!document.contains(second));
  deepEqual(cells()[0], ["", "3–1\n2–0", "½–2½\n1–1"]);
  cross.update(table([row("bob", 20), ...BOTS], { meetings: MEETINGS.slice(0, 1) }));
  deepEqual(texts("tbody th"), ["1bob", "2ann", "=3bob", "=3eve"]);
  equal(links(document, "td a")[0], "#/games?bot=bob&opponent=ann&game=take_stones");
});

test("a pair that no longer meets and another number of bots leave nothing", () => {
  const cross = open();
  cross.update(table(BOTS, { meetings: MEETINGS.slice(0, 1) }));
  deepEqual(cells()[0], ["", "3–1\n2–0", "·"]);
  deepEqual(classes()[0], ["itself", "above heat-3", "none"]);
  cross.update(table(BOTS.slice(0, 2), { meetings: MEETINGS.slice(0, 1) }));
  deepEqual(cells(), [
    ["", "3–1\n2–0"],
    ["0–2\n1–3", ""],
  ]);
});

test("the size of the table follows the number of bots", () => {
  const state = () => ["dense", "fitted"].map(name => all(`.${name}`).length);
  for (const [number, dense, fitted] of [
    [15, 0, 0],
    [16, 1, 1],
    [45, 1, 1],
    [46, 1, 0],
  ]) {
    open(many(number), [[0, 1, [1, 0], [0, 0], 0, [0, 0]]]);
    deepEqual(state(), [dense, fitted]);
    equal(all(".unprintable").length, number > 45 ? 1 : 0);
  }
  const cross = open(many(16), [[0, 1, [10, 0], [0, 0], 0, [0, 0]]]);
  deepEqual(state(), [1, 1]);
  cross.update(table(many(16), { meetings: [[0, 1, [10, 10], [0, 0], 0, [0, 0]]] }));
  deepEqual(state(), [1, 0]); // 10–10 is too long
  open(many(101), []);
  equal(all("tbody tr").length, 100);
});

test("draws are announced to the style sheet", () => {
  const cross = open();
  equal(all(".with-draws").length, 0);
  cross.update(table([BOTS[0], row("bob", 0, { draws: 1 })]));
  equal(all(".with-draws").length, 1);
});

test("a cell under the pointer is described, and its column marked", () => {
  open();
  const [itself, pair, drawn] = all("tbody tr:first-child td");
  point(pair.firstChild);
  equal(pair.title, "ann against bob: 3 won and 1 lost as player 1, 2 won and 0 lost as player 2");
  deepEqual(texts(".pointed"), ["=2bob"]);
  point(drawn);
  equal(
    drawn.title,
    "ann against eve: 0 won, 1 drawn and 2 lost as player 1, 1 won and 1 lost as player 2; forfeits: 4",
  );
  deepEqual(texts(".pointed"), ["=2eve"]);
  itself.title = "old";
  point(itself);
  equal(itself.hasAttribute("title"), false);
  point(document.querySelector("thead th"));
  deepEqual(texts(".pointed"), []);
  point(pair);
  document.querySelector("table").dispatchEvent(new Event("pointerleave"));
  deepEqual(texts(".pointed"), []);
});
