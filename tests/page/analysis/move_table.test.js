import { deepEqual, equal, match, ok } from "node:assert/strict";
import { MoveTable } from "/analysis/move_table.js";
import { isolation, takeStones } from "../support/boards.js";
import { test } from "../support/browser.js";
import { all, button, isSame, properties, text, texts } from "../support/elements.js";

const FOUND = { nodes_visited: 1200 };
const VALUES = [
  [1, false, 0.5, -0.25, 900, [1, 2, 4], null],
  [3, true, 0, Infinity, 2000, [3], null],
  [5, true, -0.5, 0.75, 100, [5, 6], null],
];

/** Return a table in the document that shows moves. */
function moveTable(
  t,
  { player = 1, legal = [1, 3, 5], winning = [3, 5], module = takeStones } = {},
) {
  const [move, mark] = [t.mock.fn(), t.mock.fn()];
  const table = new MoveTable(move, mark);
  const { element } = table;
  document.body.append(element);
  const show = isSearching =>
    table.show({ player, legal_moves: legal, winning_moves: winning }, module, isSearching);
  show(true);
  const rows = () => all("tbody tr", element).map(row => texts("th, td", row).join("|"));
  const order = () => texts("tbody th", element).join(" ");
  const sort = name => button(name, element.querySelector("thead")).click();
  const sorted = () => {
    const head = element.querySelector("[aria-sort]");
    return `${head.textContent} ${head.getAttribute("aria-sort")}`;
  };
  const marked = () => mark.mock.calls.map(call => call.arguments[0]);
  const summary = () => element.querySelector("p").textContent;
  return { table, element, show, rows, order, sort, sorted, move, marked, summary };
}

test("moves are there before they are searched, winners first", t => {
  const { element, rows, summary, show } = moveTable(t);
  deepEqual(rows(), ["3|wins|…|…|…|…", "5|wins|…|…|…|…", "1|loses|…|…|…|…"]);
  equal(summary(), "Each move is searched…");
  equal(text("thead th", element), "Move | Perfect play | Value | Static | Nodes | Expected line");
  show(false);
  deepEqual([rows()[2], summary()], ["1|loses|–|–|–|–", "No search depth is set."]);
});

test("values come with the search, the best for the player first", t => {
  const { table, element, rows, summary } = moveTable(t);
  table.showValues(VALUES, FOUND, 4);
  deepEqual(rows(), [
    "3|wins|∞|0.0|2,000|3",
    "5|wins|0.75|−0.5|100|5 6",
    "1|loses|−0.25|0.5|900|1 2 4",
  ]);
  equal(
    summary(),
    "Each move was searched alone to depth 4, values are for player 1: 3,000 nodes in all, where alpha-beta visits 1,200.",
  );
  equal(element.querySelector("td").className, "wins");
  equal(element.querySelector(".line").title, "3");
  table.showValues(VALUES.slice(2), { nodes_visited: 90 }, 0);
  match(
    summary(),
    /alone to the end of the game, .*: 100 nodes in all, where alpha-beta visits 90\.$/,
  );
});

test("moves that were not searched say so", t => {
  const { table, rows, summary } = moveTable(t);
  const stopped = ["nodes", "seconds", "luck"].map((reason, at) => [
    [1, 3, 5][at],
    at === 0,
    null,
    null,
    70,
    [],
    reason,
  ]);
  table.showValues(stopped, FOUND, 4);
  deepEqual(rows(), [
    "1|wins|–|–|–|not searched: node limit",
    "3|loses|–|–|–|not searched: time limit",
    "5|loses|–|–|–|not searched: luck",
  ]);
  match(summary(), /: 0 nodes in all.* The limit was reached before 3 moves\.$/);
});

test("without a solver verdicts are unknown, and the values decide", t => {
  const { table, element, rows, order } = moveTable(t, {
    winning: null,
    module: isolation,
    legal: [7, 56],
  });
  deepEqual([rows()[0], element.classList.contains("unsolved")], ["(1 8)|unknown|…|…|…|…", true]);
  table.showValues(
    [
      [7, null, 0, 1, 5, [7, 56], null],
      [56, null, 0, 2, 5, [], null],
    ],
    FOUND,
    1,
  );
  deepEqual([order(), rows()[1]], ["(8 1) (1 8)", "(1 8)|unknown|1.0|0.0|5|(1 8) (8 1)"]);
  equal(moveTable(t).element.classList.contains("unsolved"), false);
});

for (const [player, name, first, second] of [
  [1, "Move", "1 3 5 ascending", "5 3 1 descending"],
  [1, "Value", "3 5 1 descending", "1 5 3 ascending"],
  [2, "Value", "1 5 3 ascending", "3 5 1 descending"],
  [1, "Static", "1 3 5 descending", "5 3 1 ascending"],
  [2, "Static", "5 3 1 ascending", "1 3 5 descending"],
  [1, "Nodes", "3 1 5 descending", "5 1 3 ascending"],
]) {
  test(`the column ${name} is sorted for player ${player}`, t => {
    const { table, order, sort, sorted } = moveTable(t, { player });
    table.showValues(VALUES, FOUND, 4);
    equal(sorted(), "Perfect play descending");
    for (const expected of [first, second]) {
      sort(name);
      equal(`${order()} ${sorted().split(" ").at(-1)}`, expected);
    }
  });
}

test("moves without values are last for player 2, too, and those not searched by nodes", t => {
  const { table, order, sort } = moveTable(t, { player: 2, winning: [] });
  table.showValues(
    [
      [1, false, 0, null, 0, [], "nodes"],
      [3, false, 0, 0.5, 7, [], null],
      [5, false, 0, -0.5, 5, [], null],
    ],
    FOUND,
    4,
  );
  equal(order(), "5 3 1");
  sort("Nodes");
  equal(order(), "3 5 1");
  sort("Nodes");
  equal(order(), "5 3 1");
});

test("the next position for the other player is sorted for that one", t => {
  const { table, sort, sorted } = moveTable(t);
  sort("Value");
  equal(sorted(), "Value descending");
  table.show({ player: 2, legal_moves: [1], winning_moves: [] }, takeStones, true);
  equal(sorted(), "Value ascending");
});

for (const [count, isMore] of [
  [10, false],
  [11, true],
  [1250, true],
]) {
  test(`of ${count} moves ten are shown at first`, t => {
    const legal = Array.from({ length: count }, (_, at) => at + 1);
    const { element, rows } = moveTable(t, { legal, winning: [] });
    const more = element.lastElementChild;
    deepEqual([rows().length, more.hidden], [10, !isMore]);
    if (!isMore) return;
    equal(more.textContent, `Show all ${count.toLocaleString("en")} moves`);
    more.click();
    deepEqual([rows().length, more.textContent], [count, "Show only 10 moves"]);
    ok(element.querySelector(".every-row"));
    more.click();
    deepEqual([rows().length, element.querySelector(".every-row")], [10, null]);
  });
}

test("a row is played with a click, and marked by the pointer and the focus", t => {
  const { element, move, marked } = moveTable(t);
  const cell = element.querySelector("tr[data-move='5'] td");
  const on = (type, target = cell) => target.dispatchEvent(new MouseEvent(type, { bubbles: true }));
  cell.click();
  element.querySelector("tbody").click();
  deepEqual(properties("arguments", move.mock.calls), [[5]]);
  on("mouseover");
  on("mouseleave", element.querySelector("tbody"));
  on("mouseover", element.querySelector("tbody"));
  button("1", element).focus();
  button("1", element).blur();
  deepEqual(marked(), [5, null, null, 1, null]);
});

test("the focus stays at its move when values come", t => {
  const { table, element } = moveTable(t);
  button("5", element).focus();
  table.showValues(VALUES, FOUND, 4);
  isSame(document.activeElement, button("5", element));
});

test("it is said why there are no values", t => {
  const { table, rows, summary } = moveTable(t);
  table.fail("No values.");
  deepEqual([summary(), rows()[0]], ["No values.", "3|wins|–|–|–|–"]);
});
