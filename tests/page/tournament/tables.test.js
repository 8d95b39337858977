import { deepEqual } from "node:assert/strict";
import { gauntletTable } from "/tournament/tables.js";
import { row, table } from "../support/arena.js";
import { test } from "../support/browser.js";
import { all, links, properties, texts } from "../support/elements.js";

test("the scores of the reference bot are told from its side, the hardest opponent first", () => {
  const bots = [row("ann", 90), row("bob", 0), row("cid", -20), row("dan", null)];
  const meetings = [
    [0, 1, [2, 0], [1, 1], 0, [0, 0]], // ann beat bob: twice as player 1, once as player 2
    [1, 2, [2, 0], [1, 0], 0, [0, 1]],
    [0, 2, [9, 9], [9, 9], 0, [0, 0]],
    [1, 3, [1, 1], [1, 1], 0, [0, 0]],
  ];
  const shown = gauntletTable("bob", table(bots, { meetings }));
  deepEqual(texts("tr", shown), [
    "BotPointsSharePlayer 1Player 2Elo",
    "ann1–325.0 %1–10–2+90",
    "dan2–250.0 %1–11–1.",
    "cid3½–½87.5 %2–01½–½−20",
  ]);
  deepEqual(links(shown, ".points a"), [
    "#/games?bot=bob&opponent=ann&game=take_stones",
    "#/games?bot=bob&opponent=dan&game=take_stones",
    "#/games?bot=bob&opponent=cid&game=take_stones",
  ]);
  deepEqual(properties("className", all(".points", shown)), [
    "points below heat-2",
    "points",
    "points above heat-2",
  ]);
});
