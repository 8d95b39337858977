import { deepEqual, equal, match } from "node:assert/strict";
import { firstBoard } from "/lobby/first_board.js";
import { answeringArena, GAMES, TOURNAMENT } from "../support/arena.js";
import { takeStones } from "../support/boards.js";
import { settle, signal, test } from "../support/browser.js";
import { all, show, text, texts } from "../support/elements.js";

const OFFERS = { greedy: ["isolation"], random: ["take_stones"], perfect: ["take_stones"] };

/** Show the board for newcomers of an arena. */
async function board(about) {
  const { connection, asked } = answeringArena({ analyse: () => ({ winning_moves: [] }) }, about);
  const element = firstBoard(connection.arena, connection, signal());
  if (element) show(element);
  await settle();
  return { element, asked };
}
async function openCard(element) {
  element.open = true;
  element.dispatchEvent(new Event("toggle"));
  await settle();
}

test("one tap on a stone begins a match against the weakest bot", async () => {
  const { element } = await board({ offers: OFFERS });
  equal(all(".stones .stone", element).length, 40);
  equal(texts("p", element)[0], takeStones.lesson.summary);
  const status = () => element.querySelector("[role=status]").textContent;
  equal(status(), "Your move: an odd stone below 20. The bot random plays any legal move.");
  all(".stones .stone", element)[1].click();
  match(status(), /must be odd and below 20, which 2 is not/);
  equal(location.hash, "");
  all(".stones .stone", element)[6].click();
  equal(location.hash, "#/play?game=take_stones&opponent=random&side=1&time=&stones=40&start=7");
});

test("where nobody can be challenged, a card has the rules and a match to try them", async () => {
  for (const about of [
    { is_open: false, offers: {}, tournament: TOURNAMENT },
    { is_open: false, offers: {} },
    { offers: { greedy: ["isolation"] } },
  ]) {
    const { element, asked } = await board(about);
    equal(text("summary", element), "What is this game?");
    deepEqual([asked, all(".board", element)], [[], []]);
    await openCard(element);
    equal(texts("p", element)[0], takeStones.lesson.summary);
    equal(all(".lesson .stones .stone", element).length, 12);
    all(".lesson .stone", element)[4].click();
    match(text(".lesson-status", element), /The opponent thinks/);
  }
});

test("a tournament shows its own game", async () => {
  const tournament = { ...TOURNAMENT, game: "isolation" };
  const { element } = await board({ offers: {}, tournament });
  await openCard(element);
  match(texts("p", element)[0], /^Move your piece as a queen in chess/);
});

test("an arena without games has no place", async () => {
  equal((await board({ games: [], offers: {} })).element, null);
});

test("a game without a board has no place, one without a lesson leaves it", async () => {
  const nim = GAMES.find(({ name }) => name === "nim");
  equal((await board({ games: [nim] })).element, null);
  for (const offers of [{}, { random: ["unknown"] }]) {
    const games = [{ ...nim, name: "unknown", has_board: true }];
    const { element } = await board({ games, offers });
    if (!offers.random) await openCard(element);
    equal(element.isConnected, false);
  }
});
