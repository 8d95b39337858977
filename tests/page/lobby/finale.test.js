import assert, { deepEqual } from "node:assert/strict";
import { Finale } from "/lobby/finale.js";
import { connect, row, summary, table } from "../support/arena.js";
import { settle, test } from "../support/browser.js";
import { all, kinds, links, texts } from "../support/elements.js";

const BOTS = [row("ann", 90.4), row("bob", 9), row("eve", 9.2), row("fay", -7)];

function open() {
  const { connection, socket } = connect();
  return { finale: new Finale(connection), socket };
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
  deepEqual(links(finale.element)[0], "#/bot/bob");
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
  const text = () => finale.element.querySelector("p").textContent;
  assert.equal(text(), "Biggest upset: bob beat ann, rated 81 Elo higher.");
  deepEqual(links(finale.element, "p a"), [
    "#/games?bot=bob&opponent=ann&game=take_stones&outcome=won",
  ]);
  finale.show(table(BOTS, { meetings: meetings.slice(1, 2) }));
  assert.equal(text(), "");
  const equal = [row("ann", 0.4), row("bob", 0), row("eve", null)];
  const lost = (one, other) => [one, other, [0, 1], [0, 0], 0, [0, 0]];
  finale.show(table(equal, { meetings: [lost(0, 1), lost(2, 1), lost(0, 2)] }));
  assert.equal(text(), "");
});

test("matches without a blunder are asked for once, and listed", async () => {
  const { finale, socket } = open();
  finale.show(table(BOTS));
  finale.show(table(BOTS));
  const [question, ...others] = socket.questions("find_games");
  deepEqual(others, []);
  const wanted = { game: "take_stones", max_blunders: 0, limit: 4 };
  deepEqual(question, { type: "find_games", ...wanted, request: 1 });
  assert.equal(finale.isComplete, false);
  await socket.answer("find_games", { games: [summary(7), summary(8)] });
  assert.equal(finale.isComplete, true);
  deepEqual(texts("h3", finale.element), ["Matches without a blunder"]);
  assert.equal(
    kinds(finale.element),
    "h2 ol.podium[list] li.place-1 a bdi span.faint span.step li.place-2 p div h3 " +
      "ul.results[list] li div.meeting a.bot-link.player-2 a.cover " +
      "a.bot-link.player-1.beaten p.faint span time",
  );
  deepEqual(links(finale.element, ".cover"), ["#/match/7", "#/match/8"]);
  assert.equal(links(finale.element).at(-1), "#/games?game=take_stones&max_blunders=0");
  finale.show(table(BOTS));
  await settle();
  assert.equal(socket.questions("find_games").length, 1);
});

test("no such match is no heading; a busy arena is asked again with the next table", async () => {
  const { finale, socket } = open();
  finale.show(table(BOTS));
  await socket.fail("find_games", "busy");
  assert.equal(finale.isComplete, true);
  finale.show(table(BOTS));
  assert.equal(socket.questions("find_games").length, 2);
  await socket.answer("find_games", { games: [] });
  deepEqual(texts("h3", finale.element), []);
});
