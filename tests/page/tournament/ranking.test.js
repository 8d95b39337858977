import { deepEqual, equal } from "node:assert/strict";
import { isKnockout, ranking } from "/tournament/ranking.js";
import { BRACKET, CUP, encounter, row, table } from "../support/arena.js";
import { test } from "../support/browser.js";

const BOTS = [row("ann", 90.4), row("bob", -7), row("eve", null, { draws: 1 })];
const shown = ({ lines }) =>
  lines.map(({ rank, bot, values }) => [rank, bot.bot, ...values].join(" "));

test("bots are ranked by their ratings", () => {
  const found = ranking(table(BOTS));
  deepEqual(found.heads, ["Elo", "±", "Won", "Drawn", "Lost"]);
  deepEqual(shown(found), ["1 ann +90 20 3 0 1", "2 bob −7 20 3 0 1", ". eve . 20 3 1 1"]);
  deepEqual(ranking(table(BOTS.slice(0, 2))).heads, ["Elo", "±", "Won", "Lost"]);
});

test("those of a Swiss by the ranks that the arena gives", () => {
  const points = [
    [1, "eve", 2.5, 4, 3, 0],
    [2, "bob", 2, 4, 3, 0],
    [2, "ann", 2, 4, 3, 0],
    [4, "omitted", 1, 4, 3, 0],
  ];
  const swiss = table(BOTS.slice(0, 2), { points, rounds: [[]] });
  deepEqual(ranking(swiss).heads, ["Points", "Won", "Lost"]);
  deepEqual(shown(ranking(swiss)), ["=2 bob 2 3 1", "=2 ann 2 3 1"]);
  equal(isKnockout(swiss), false);
});

test("those of a knockout by the rounds that they have reached", () => {
  const bots = CUP.tournament.bots.map(bot => row(bot, 0));
  const cup = table(bots, { rounds: BRACKET });
  deepEqual(ranking(cup).heads, ["Won", "Lost"]);
  deepEqual(shown(ranking(cup)), [
    "1 dan 3 1",
    "2 bob 3 1",
    "=3 ann 3 1",
    "=3 cid 3 1",
    "5 eve 3 1",
  ]);
  const open = [
    ...BRACKET.slice(0, 1),
    [encounter("ann", "dan"), BRACKET[1][1]],
    [encounter(null, "bob")],
  ];
  deepEqual(shown(ranking(table(bots, { rounds: open }))), [
    ". ann 3 1",
    ". bob 3 1",
    ". dan 3 1",
    "=3 cid 3 1",
    "5 eve 3 1",
  ]);
  equal(isKnockout(cup), true);
  equal(isKnockout(table(bots)), false);
});
