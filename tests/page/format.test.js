import assert, { deepEqual, equal, ok } from "node:assert/strict";
import { readNumbers } from "/dom.js";
import * as format from "/format.js";
import { setupText } from "/format.js";
import { addSetup, botLink, botName, follow, isFollowed, matchesAddress } from "/links.js";
import { ARENA, facts, result } from "./support/arena.js";
import { pass, replaceProperty, test } from "./support/browser.js";
import { all, links, show, texts } from "./support/elements.js";

const shown = (...children) => {
  const element = document.createElement("p");
  element.append(...children.flat(Infinity).filter(Boolean));
  return element;
};
const check = (run, cases) => {
  for (const [argument, text] of cases) equal(run(argument), text, JSON.stringify(argument));
};

test("a setup is written with its parameters, of which a plural follows its number", () => {
  deepEqual([setupText({ heaps: 3, heap: 20 }), setupText({})], ["3 heaps, heap 20", ""]);
});

test("a setup is read from number fields, and added to an address", () => {
  const form = document.createElement("form");
  form.innerHTML = '<input type="number" name="stones" value="12"><input type="number" name="k">';
  deepEqual(readNumbers(form), { stones: 12, k: NaN });
  const query = new URLSearchParams("a=b");
  addSetup(query, { stones: 7 });
  equal(String(query), "a=b&stones=7");
});

test("a filter of matches is an address", () => {
  equal(matchesAddress({ bot: "a&b", max_blunders: 0 }), "#/games?bot=a%26b&max_blunders=0");
  equal(matchesAddress({ game: "nim" }, { heap: 5 }), "#/games?game=nim&heap=5");
});

test("a game has its title, its name where the arena does not list it, and its setup", () => {
  equal(format.gameTitle(ARENA, "isolation"), "Isolation");
  deepEqual([format.gameTitle(ARENA, "nim"), format.gameTitle(null, "nim")], ["nim", "nim"]);
  equal(format.gameText(ARENA, facts(1)), "Take-Stones, 7 stones");
  equal(format.gameText(null, { game: "chess", setup: {} }), "chess");
});

test("a casual match has a badge", () => {
  equal(format.casualBadge({ casual: false }), false);
  const badge = shown(format.casualBadge({ casual: true }));
  equal(badge.innerHTML, ' <span class="badge">unrated</span>');
});

test("a player has the symbol of the side, a mark after a loss, and a page", () => {
  const match = facts(1, { players: ["ann", "a/b"] });
  equal(format.playerName(match, 1).outerHTML, '<span class="player-1"><bdi>ann</bdi></span>');
  equal(format.playerName(match, 2, true).className, "player-2 beaten");
  const link = format.playerLink(match, 2);
  equal(link.className, "bot-link player-2");
  equal(format.playerLink(match, 1, true).className, "bot-link player-1 beaten");
  deepEqual([link.getAttribute("href"), link.title], ["#/bot/a%2Fb", "a/b"]);
});

test("a followed bot has a star until it is no longer followed", () => {
  follow("ann", true);
  const [name, star] = botName("ann");
  deepEqual([name.outerHTML, star.textContent], ["<bdi>ann</bdi>", "★"]);
  deepEqual([star.title, star.getAttribute("aria-label")], ["followed", "followed"]);
  deepEqual([star.getAttribute("role"), star.className], ["img", "followed"]);
  deepEqual([botLink("bob").textContent, botLink("bob", { class: "x" }).className], ["bob", "x"]);
  follow("ann", false);
  equal(isFollowed("ann"), false);
});

test("the bots that were followed first are forgotten beyond 200, one followed again is last", () => {
  for (let bot = 0; bot < 200; bot++) follow(`bot ${bot}`, true);
  follow("bot 0", true);
  follow("new", true);
  equal(JSON.parse(localStorage.getItem("followed")).length, 200);
  equal(isFollowed("bot 1"), false);
  ok(isFollowed("bot 0") && isFollowed("bot 2") && isFollowed("new"));
});

test("what else is stored counts as nobody followed", () => {
  for (const text of ["{", "3", '"ann"', "[1, null]"]) {
    localStorage.setItem("followed", text);
    deepEqual([isFollowed("ann"), isFollowed(1)], [false, false]);
  }
  follow("eve", true);
  equal(localStorage.getItem("followed"), '["eve"]');
});

test("time controls are spelled out", () => {
  check(format.timeControlText, [
    ["5+0.05", "5 s + 0.05 s a move"],
    ["600+0", "10 min"],
    ["600+5", "10 min + 5 s a move"],
    ["90+0", "90 s"],
    ["0+1", "0 s + 1 s a move"],
    ["0.5+0", "0.5 s"],
    ["20/move", "20 s a move"],
    ["1000/move", "1000 s a move"],
    ["86400/move", "no clock"],
    ["86400/move5", "86400 s a move5"],
    ["100 nodes", "100 nodes a move"],
  ]);
});

test("columns explain what needs it, and that of names is wider", () => {
  equal(format.columnName("Won"), "Won");
  assert.match(format.columnName("±").title, /^half the width of the 95 % confidence interval$/);
  const titles = ["Accuracy", "Pairs", "Forfeits"].map(name => format.columnName(name).title);
  deepEqual(titles, [
    "share of moves from winning positions that kept the win",
    "pairs of matches with swapped sides that the bot won, tied and lost",
    "matches lost by timeout, illegal move, disconnection or malformed messages",
  ]);
  const row = shown(format.columnHeads("Bot", "±"));
  equal(row.textContent, "Bot±");
  equal(row.firstChild.outerHTML, '<th scope="col" class="name">Bot</th>');
  equal(row.lastChild.className, "");
});

const DRAW = { winner: null, termination: "game_over", reason: "the board is full" };
const ABORTED = { winner: null, termination: "aborted", reason: "the arena was killed" };

test("a match ends in a draw, by a known termination or by another", () => {
  check(format.endingText, [
    [result(1), "no legal move"],
    [DRAW, "draw"],
    [ABORTED, "aborted"],
    [{ winner: 1, termination: "meteor" }, "meteor"],
    [{ winner: 1, termination: "game_over" }, "end of the game"],
    [{ winner: 1, termination: "illegal_move" }, "illegal move"],
    [{ winner: 1, termination: "timeout" }, "timeout"],
    [{ winner: 1, termination: "disconnect" }, "disconnected"],
    [{ winner: 1, termination: "resignation" }, "resignation"],
    [{ winner: 1, termination: "malformed" }, "malformed messages"],
  ]);
  deepEqual([DRAW, ABORTED, result(1)].map(format.isDraw), [true, false, false]);
});

test("an ending has its reason as a tooltip, that of an aborted match as text", () => {
  const ending = format.endingElement(result(1));
  deepEqual([ending.textContent, ending.title], ["no legal move", "player 1 (ann) cannot move"]);
  const aborted = format.endingElement(ABORTED);
  equal(aborted.textContent, "aborted: the arena was killed");
  equal(aborted.title, "An aborted match is unrated; a tournament plays it again.");
});

test("a result is a sentence, as elements and as text", () => {
  for (const [ending, text] of [
    [result(1), "bob wins: player 1 (ann) cannot move"],
    [DRAW, "Draw: the board is full"],
    [ABORTED, "No winner: the arena was killed"],
  ]) {
    equal(shown(format.resultSentence(facts(1), ending)).textContent, text);
    equal(format.resultText(facts(1), ending), text);
  }
  const [who] = format.resultSentence(facts(1), result(1, { winner: 1 }));
  equal(who.outerHTML, "<b><bdi>ann</bdi> wins</b>");
  check(format.outcomeText, [
    [{ winner: 1, reason: "player 2 cannot move" }, "Player 1 wins: player 2 cannot move."],
    [{ winner: null, reason: "the board is full" }, "Draw: the board is full."],
  ]);
});

test("each player has a result", () => {
  const both = ending => [1, 2].map(player => format.playerResult(ending, player));
  deepEqual(both(result(1)), ["", "won"]);
  deepEqual(both(DRAW), ["draw", "draw"]);
  deepEqual(both(ABORTED), ["", ""]);
  deepEqual(both(null), ["", ""]);
});

test("a meeting names the winner first, and marks who has lost", () => {
  for (const [ending, text, beaten] of [
    [result(3), "bob beat ann", [false, true]],
    [result(3, { winner: 1 }), "ann beat bob", [false, true]],
    [DRAW, "ann drew with bob", [false, false]],
    [ABORTED, "ann met bob", [true, true]],
  ]) {
    const meeting = { facts: facts(3), result: ending };
    const elements = shown(format.meetingElements(meeting));
    const linked = shown(format.meetingLinks(meeting));
    for (const element of [elements, linked]) {
      equal(element.textContent, text);
      const names = all("[class*=player-]", element);
      deepEqual(
        names.map(name => name.classList.contains("beaten")),
        beaten,
      );
    }
    equal(linked.querySelector(".cover").getAttribute("aria-label"), text);
  }
  const linked = shown(format.meetingLinks({ facts: facts(3), result: result(3) }));
  deepEqual(links(linked), ["#/bot/bob", "#/match/3", "#/bot/ann"]);
});

test("numbers are short, and a dot where they are unknown", () => {
  check(format.pointsText, [
    [2, "2"],
    [1.5, "1½"],
    [0.5, "½"],
    [0, "0"],
  ]);
  check(format.eloText, [
    [12.4, "+12"],
    [-3.5, "−3"],
    [-3.6, "−4"],
    [0.4, "0"],
    [-0.4, "0"],
    [null, "."],
  ]);
  check(format.marginText, [
    [20.5, "21"],
    [null, "."],
  ]);
  check(format.percentText, [
    [1, "100.0 %"],
    [0.99999, "99.9 %"],
    [0.5, "50.0 %"],
    [null, "."],
  ]);
});

test("ratings that read the same share a rank", () => {
  const ranks = format.rankTexts([9, 5.1, 4.9, 1, null, null].map(elo => ({ elo })));
  deepEqual(ranks, ["1", "=2", "=2", "4", ".", "."]);
});

test("times are relative to now, until a day has passed", async () => {
  const now = Date.now() / 1000;
  const relative = age => format.timeElement(now - age).textContent;
  check(relative, [
    [59, "just now"],
    [60, "1 min ago"],
    [3599, "59 min ago"],
    [3600, "1 h ago"],
    [86_399, "23 h ago"],
    [86_400, "1 Jan 2026"],
  ]);
  const time = format.timeElement(Date.UTC(2026, 0, 2, 11, 59, 30) / 1000);
  equal(time.dateTime, "2026-01-02T11:59:30.000Z");
  assert.match(time.title, /^\d+ Jan 2026, \d\d:\d\d:30$/);
  show(time);
  await pass(45_000);
  format.refreshTimes(document.body);
  deepEqual(texts("time"), ["1 min ago"]);
});

test("without storage nobody is followed", () => {
  replaceProperty(globalThis, "localStorage", undefined);
  follow("ann", true);
  equal(isFollowed("ann"), false);
});
