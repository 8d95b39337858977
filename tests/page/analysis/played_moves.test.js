import { deepEqual, equal } from "node:assert/strict";
import { PlayedMoves } from "/analysis/played_moves.js";
import { answeringArena } from "../support/arena.js";
import { takeStones } from "../support/boards.js";
import { test } from "../support/browser.js";
import { all, attributes, button, properties, texts } from "../support/elements.js";

/** Return a panel whose arena answers with continuations. */
function playedMoves(continuations) {
  const { connection, asked } = answeringArena({
    find_continuations: ({ moves }) => {
      if (moves[0] === 13) throw new Error("Not connected.");
      return { continuations: moves.length > 1 ? [] : continuations };
    },
  });
  const chosen = [];
  const panel = new PlayedMoves(connection, move => chosen.push(move));
  const { element } = panel;
  const show = (moves, analysis = {}) =>
    panel.show({
      ...{ game: "take_stones", module: takeStones, setup: { stones: 7 }, moves },
      analysis: { legal_moves: [3], winning_moves: [5], ...analysis },
    });
  const rows = () => all("tbody tr", element).map(row => texts("th, td", row).join("|"));
  const bars = () => attributes("aria-label", "[role=img]", element);
  const text = () => element.querySelector(".hint").textContent;
  const isTable = () => !element.querySelector("table").hidden;
  return { element, show, rows, bars, chosen, asked, text, isTable };
}

const CONTINUATIONS = [
  [3, 0, 0, 1],
  [5, 1200, 30, 4],
  [1, 0, 2, 0],
];

test("moves that were played are in a table, the most frequent first", async () => {
  const { element, show, rows, bars, text, chosen, asked, isTable } = playedMoves(CONTINUATIONS);
  equal(element.hidden, true);
  await show([]);
  deepEqual(asked, [
    { type: "find_continuations", game: "take_stones", setup: { stones: 7 }, moves: [] },
  ]);
  deepEqual(rows(), ["5|wins|1,234|1200304", "1|loses|2|2", "3|loses|1|1"]);
  deepEqual(bars(), [
    "1,200 won by player 1, 30 drawn, 4 won by player 2",
    "2 drawn",
    "1 won by player 2",
  ]);
  equal(text(), "1,237 rated matches of this arena went on from here.");
  deepEqual([isTable(), element.hidden], [true, false]);
  const parts = all("[role=img]", element).map(bar =>
    [...bar.children].map(part => [part.className, part.style.flexGrow, part.hidden]),
  );
  deepEqual(parts[1], [
    ["one", "0", true],
    ["drawn", "2", false],
    ["two", "0", true],
  ]);
  button("1", element).click();
  deepEqual(chosen, [1]);
  deepEqual(texts("thead th", element), ["Move", "Perfect play", "Matches", "Results"]);
  deepEqual(properties("className", all("td:nth-child(2)", element)), ["wins", "loses", "loses"]);
});

test("without a solver the verdict is unknown", async () => {
  const { element, show, rows, text } = playedMoves([[3, 0, 0, 1]]);
  await show([], { winning_moves: null });
  deepEqual([rows(), element.querySelector("td").className], [["3|unknown|1|1"], ""]);
  equal(text(), "1 rated match of this arena went on from here.");
});

test("it is said that nothing was played, or why that is unknown", async () => {
  const { show, text, isTable } = playedMoves(CONTINUATIONS);
  await show([3, 6]);
  deepEqual([text(), isTable()], ["No rated match of this arena went on from here.", false]);
  await show([]);
  await show([13]);
  deepEqual([text(), isTable()], ["Not connected.", false]);
});

for (const [name, moves, analysis, isHidden] of [
  ["twelve moves", Array(12).fill(3), {}, false],
  ["thirteen moves", Array(13).fill(3), {}, true],
  ["the end of the game", [3], { legal_moves: [] }, true],
]) {
  test(`after ${name} the panel is ${isHidden ? "hidden" : "shown"}`, async () => {
    const { element, show, asked } = playedMoves(CONTINUATIONS);
    await show(moves, analysis);
    deepEqual([element.hidden, asked.length], [isHidden, isHidden ? 0 : 1]);
  });
}

test("answers for earlier positions are dropped", async () => {
  const { show, rows, text } = playedMoves(CONTINUATIONS);
  await Promise.all([show([13]), show([3, 6]), show([])]);
  deepEqual([rows().length, text().slice(0, 5)], [3, "1,237"]);
});
