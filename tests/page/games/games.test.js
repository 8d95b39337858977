import { deepEqual, equal, ok } from "node:assert/strict";
import { view } from "/games/games.js";
import { ARENA, connect, summary } from "../support/arena.js";
import { leaveView, pass, replaceProperty, settle, signal, test } from "../support/browser.js";
import { all, button, kinds, links, properties, show, texts } from "../support/elements.js";

const page = (last, number) => Array.from({ length: number }, (_, at) => summary(last - at));
const rows = () => all(".played-games li");
const status = () => texts("p[role=status]")[0];
const more = () => document.querySelector("div > p > button");

async function open({ query = "", arena = ARENA } = {}) {
  const { connection, socket } = connect(arena);
  const main = show(document.createElement("main"));
  view({ main, connection, query: new URLSearchParams(query), signal: signal() });
  const answer = (last, number, others) =>
    socket.answer(
      "games",
      { games: page(last, number), more: true, total: 200, ...others },
      asked(),
    );
  const asked = () => socket.questions("find_games").at(-1);
  await settle();
  return { main, socket, answer, asked };
}

test("the list is loaded once the arena is known, with a placeholder until then", async () => {
  const { socket, asked } = await open({ arena: null });
  deepEqual(texts("h1, .hidden-text"), ["Matches", "Loading the matches…"]);
  deepEqual([all(".skeleton [aria-hidden]").length, asked()], [50, undefined]);
  socket.receive(ARENA);
  await settle();
  deepEqual([asked().limit, all(".skeleton").length], [50, 1]);
  deepEqual([document.querySelector(".match-table").hidden, more().hidden], [true, true]);
});

test("a row names the players, the game, the ending, the moves and the time", async () => {
  const { answer } = await open();
  await answer(0, 0, {
    total: 4,
    more: false,
    games: [
      summary(9, { casual: true }),
      summary(8, { setup: {} }, { winner: 1 }, 1),
      summary(7, {}, { winner: null, termination: "game_over" }),
      summary(6, {}, { winner: null, termination: "aborted", reason: "killed" }),
    ],
  });
  deepEqual(properties("textContent", rows()), [
    "ann against bobannbob ✓ wonTake-Stones, 7 stones unratedno legal move6 moves2 min ago",
    "ann against bobann ✓ wonbobTake-Stonesno legal move1 move2 min ago",
    "ann against bobann ½bob ½Take-Stones, 7 stonesdraw6 moves2 min ago",
    "ann against bobannbobTake-Stones, 7 stonesaborted: killed6 moves2 min ago",
  ]);
  deepEqual(links(rows()[0]), ["#/match/9", "#/bot/ann", "#/bot/bob"]);
  deepEqual(properties("textContent", all(".beaten", rows()[0])), ["ann"]);
  equal(rows()[1].dataset.match, "8");
  equal(texts(".match-heads")[0], "Player 1Player 2GameEndingMovesEnded");
  deepEqual([status(), document.querySelector(".match-table").hidden], ["4 matches", false]);
  equal(more().hidden, true);
});

test("more matches are loaded before the last one", async () => {
  const { answer, asked } = await open({ query: "bot=ann&stones=7" });
  deepEqual([asked().before, asked().bot, asked().setup], [null, "ann", { stones: 7 }]);
  await answer(200, 50);
  deepEqual([more().textContent, more().hidden], ["Load more (150 left)", false]);
  more().focus();
  more().click();
  more().click();
  deepEqual([asked().limit, asked().before], [50, 151]);
  await answer(150, 30, { total: null });
  deepEqual([asked().limit, asked().before], [20, 121]);
  await answer(120, 20, { more: false });
  deepEqual([rows().length, more().hidden], [100, true]);
  ok(document.activeElement === rows()[50].querySelector("a"));
  deepEqual(history.state, { matches: 100, y: 0 });
  more().click();
  equal(asked().request, 3);
});

test("the focus stays where it is when more is loaded without it", async () => {
  const { answer } = await open();
  await answer(200, 50);
  more().click();
  await answer(150, 50);
  ok(document.activeElement === document.body);
});

test("after Back all that was shown is loaded, and its place", async () => {
  const places = [];
  replaceProperty(globalThis, "scrollTo", (...place) => places.push(place));
  history.replaceState({ matches: 130, y: 77 }, "");
  const { answer, asked, socket } = await open();
  equal(asked().limit, 100);
  await answer(200, 100);
  equal(asked().limit, 30);
  await answer(100, 30);
  deepEqual(places, [[0, 77]]);
  socket.receive(ARENA);
  await settle();
  equal(socket.questions("find_games").length, 2);
});

test("the place is kept while the page is scrolled", async () => {
  const { answer } = await open();
  dispatchEvent(new Event("scroll"));
  equal(history.state, null);
  await answer(200, 50);
  for (const [y, noted] of [
    [10, 0],
    [20, 20],
  ]) {
    replaceProperty(globalThis, "scrollY", y);
    dispatchEvent(new Event("scroll"));
    if (noted) await pass(300);
    equal(history.state?.y ?? 0, noted);
  }
  equal(history.state.matches, 50);
});

test("a filter without matches and an error are told", async () => {
  const { answer, socket } = await open();
  await socket.fail("find_games", "The arena is busy.");
  deepEqual([status(), all(".skeleton").length], ["The arena is busy.", 1]);
  socket.receive(ARENA);
  await settle();
  await answer(0, 0, { more: false, total: 0 });
  deepEqual([status(), all(".skeleton").length], ["No matches found.", 0]);
  equal(document.querySelector(".match-table").hidden, true);
});

test("an answer for a view that was left is not shown", async () => {
  history.replaceState({ matches: 130, y: 0 }, "");
  const { answer, socket } = await open();
  leaveView();
  await answer(200, 100);
  deepEqual([rows().length, socket.questions("find_games").length], [0, 1]);
});

test("the form is drawn with the list", async () => {
  const { main } = await open({ query: "bot=ann" });
  equal(main.querySelector("form [name=bot]").value, "ann");
  ok(button("Show"));
});

test("the list has its elements, classes and roles", async () => {
  const { answer } = await open({ query: "bot=ann" });
  await answer(2, 2);
  equal(
    kinds(),
    "main h1 div form[search] label input select option button.main a details summary " +
      "div.filters p.faint[status] div.card.match-table div.match-heads span.sides span " +
      "ol.played-games[list] li div.sides a.cover span.hidden-text span.side " +
      "a.bot-link.player-1.beaten bdi a.bot-link.player-2 span.won span.unit time p button",
  );
});
