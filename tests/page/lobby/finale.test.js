import assert, { deepEqual, equal } from "node:assert/strict";
import { Finale } from "/lobby/finale.js";
import { ARENA, BRACKET, CUP, connect, encounter, row, summary, table } from "../support/arena.js";
import { settle, signal, test } from "../support/browser.js";
import { all, kinds, links, texts } from "../support/elements.js";

const BOTS = [row("ann", 90.4), row("bob", 9), row("eve", 9.2), row("fay", -7)];

function open(arena = ARENA) {
  const { connection, socket } = connect(arena);
  return { finale: new Finale(connection, signal()), socket };
}
const steps = finale =>
  all("li", finale.element).map(step => `${step.textContent} ${step.className}`);

test("the final ratings have a podium of three, also where ratings are equal", () => {
  const { finale } = open();
  finale.show(table(BOTS));
  deepEqual(texts("h2", finale.element), ["Final ratings"]);
  deepEqual(steps(finale), ["ann+90 Elo1 place-1", "bob+9 Elo=2 place-2", "eve+9 Elo=2 place-2"]);
  finale.show(table([row("ann", null), row("bob", null)]));
  deepEqual(steps(finale), ["ann. Elo. place-1", "bob. Elo. place-2"]);
});

test("the final places of a knockout are as the arena gives them", () => {
  const { finale } = open();
  const places = [
    [1, "bob", "won the final"],
    [3, "ann", "semi-final"],
    [3, "eve", "semi-final"],
  ];
  finale.show(table(BOTS, { places }));
  deepEqual(texts("h2", finale.element), ["Final places"]);
  deepEqual(steps(finale), [
    "bobwon the final1 place-1",
    "annsemi-final=3 place-3",
    "evesemi-final=3 place-3",
  ]);
  deepEqual(links(finale.element, ".podium a")[0], "#/bot/bob");
});

test("the biggest upset is the win over the bot that is rated higher by most", () => {
  const { finale } = open();
  const meetings = [
    [0, 1, [3, 1], [2, 0], 0, [0, 0]], // ann lost a match against bob
    [0, 3, [5, 0], [5, 0], 0, [0, 0]],
    [2, 3, [0, 0], [0, 1], 0, [0, 0]],
    [0, 2, [1, 0], [0, 2], 0, [0, 0]],
  ];
  finale.show(table(BOTS, { meetings }));
  const text = () => texts(".finale > p", finale.element)[1];
  assert.equal(text(), "Biggest upset: bob beat ann, rated 81 Elo higher.");
  assert.equal(
    links(finale.element, ".finale > p a").at(-1),
    "#/games?bot=bob&opponent=ann&game=take_stones&outcome=won",
  );
  finale.show(table(BOTS, { meetings: meetings.slice(1, 2) }));
  assert.equal(text(), "");
  const equal = [row("ann", 0.4), row("bob", 0), row("eve", null)];
  const lost = (one, other) => [one, other, [0, 1], [0, 0], 0, [0, 0]];
  finale.show(table(equal, { meetings: [lost(0, 1), lost(2, 1), lost(0, 2)] }));
  assert.equal(text(), "");
});

test("the end of a knockout tells of the final, the bracket and the upset by seeds", async () => {
  const { finale, socket } = open(CUP);
  const cup = table(BOTS, { places: [[1, "dan", "won the final"]], rounds: BRACKET });
  finale.show(cup);
  deepEqual(texts(".finale > p", finale.element), [
    "dan won the final 3–1 against bob in sudden death.",
    "Biggest upset: dan eliminated ann, seed 4 against seed 1.",
  ]);
  equal(all(".encounter", finale.element).length, 7);
  const [final] = socket.questions("find_games");
  const wanted = { game: "take_stones", bot: "dan", opponent: "bob", limit: 4 };
  deepEqual(final, { type: "find_games", ...wanted, request: 1 });
  await socket.answer("find_games", { games: [summary(7)] }, final);
  await socket.answer("find_games", { games: [] });
  deepEqual(texts(".matches h3", finale.element), ["Matches of the final"]);
  equal(links(finale.element).at(-1), "#/games?game=take_stones&bot=dan&opponent=bob");
  finale.show(table(BOTS, { rounds: [[encounter("ann", "dan", [2, 0], "ann", "played")]] }));
  equal(texts(".finale > p", finale.element)[1], "");
});

test("matches of the first two and without a blunder are asked for once, and listed", async () => {
  const { finale, socket } = open();
  finale.show(table(BOTS));
  finale.show(table(BOTS));
  const [first, best, ...others] = socket.questions("find_games");
  deepEqual(others, []);
  equal([first.bot, first.opponent].join(), "ann,bob");
  const wanted = { game: "take_stones", max_blunders: 0, limit: 4 };
  deepEqual(best, { type: "find_games", ...wanted, request: 2 });
  assert.equal(finale.isComplete, false);
  await socket.answer("find_games", { games: [summary(6)] }, first);
  await socket.answer("find_games", { games: [summary(7), summary(8)] }, best);
  assert.equal(finale.isComplete, true);
  deepEqual(texts("h3", finale.element), ["Matches of the first two", "Matches without a blunder"]);
  assert.equal(
    kinds(finale.element),
    "h2 p.victory span a bdi ol.podium[list] li.place-1 span.faint span.step li.place-2 " +
      "div.pairings div.wide.card[region] p div.matches div h3 ul.results[list] li div.meeting " +
      "a.bot-link.player-2 a.cover a.bot-link.player-1.beaten p.faint time",
  );
  deepEqual(links(finale.element, ".cover"), ["#/match/6", "#/match/7", "#/match/8"]);
  assert.equal(links(finale.element).at(-1), "#/games?game=take_stones&max_blunders=0");
  finale.show(table(BOTS));
  await settle();
  assert.equal(socket.questions("find_games").length, 2);
});

test("no such match is no heading; a busy arena is asked again with the next table", async () => {
  const { finale, socket } = open();
  finale.show(table(BOTS));
  await socket.fail("find_games", "busy");
  assert.equal(finale.isComplete, true);
  finale.show(table(BOTS));
  const questions = socket.questions("find_games");
  assert.equal(questions.length, 4);
  for (const question of questions.slice(2))
    await socket.answer("find_games", { games: [] }, question);
  deepEqual(texts("h3", finale.element), []);
});
