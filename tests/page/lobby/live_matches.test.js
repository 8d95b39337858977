import assert, { deepEqual, doesNotMatch, equal, ok } from "node:assert/strict";
import { mock } from "node:test";
import { theme } from "/boards/colours.js";
import { follow } from "/links.js";
import { LiveCard, LiveMatches } from "/lobby/live_matches.js";
import { MatchState } from "/match/match_state.js";
import { ARENA, connect, facts, moves, result, summary, UNTIMED } from "../support/arena.js";
import {
  hidePage,
  hold,
  isObserved,
  leaveView,
  pass,
  resize,
  setVisible,
  signal,
  test,
  tick,
} from "../support/browser.js";
import { all, links, show, texts } from "../support/elements.js";

const note = element => element.querySelector(".faint").textContent;
const hrefs = lives => links(lives.element, ".cover");
/** Return a card of a match of a game without a board. */
function openCard(fields) {
  const card = new LiveCard(new MatchState(facts(3, fields)), ARENA);
  card.module = null;
  return card;
}

/** Return the live matches of a lobby, visible as they are added. */
function open(...started) {
  const { connection, socket } = connect();
  const lives = new LiveMatches(connection, signal());
  show(lives.element);
  lives.update({
    started: started.map(match => (typeof match === "number" ? facts(match) : match)),
  });
  for (const card of lives.element.children) setVisible(card);
  return { lives, connection, socket };
}

test("a card names the match, its game and its latest move", () => {
  const card = openCard({ casual: true });
  card.draw();
  equal(card.element.querySelector("a").textContent, "ann against bob, Take-Stones, 7 stones");
  deepEqual(links(card.element), ["#/match/3"]);
  equal(note(card.element), "Take-Stones, 7 stones · 0 moves");
  deepEqual(texts(".latest-moves span", card.element), []);
  card.match.apply(moves(3, 0, [3, 6, 2, 4, 1, 5]));
  card.draw();
  equal(note(card.element), "Take-Stones, 7 stones · 6 moves · last 5");
  const latest = all(".latest-moves span", card.element);
  deepEqual(
    latest.map(({ textContent, className }) => `${textContent} ${className}`),
    ["6 player-2", "2 player-1", "4 player-2", "1 player-1", "5 player-2"],
  );
  equal(all("canvas", card.element).length, 0);
});

test("the clocks of a card show the time left, that of the player to move runs", () => {
  const clocks = card => all(".time-left", card.element);
  const running = card => clocks(card).map(clock => clock.classList.contains("running"));
  const card = openCard({ control2: UNTIMED });
  card.match.apply(moves(3, 0, [3], 1000));
  card.draw();
  deepEqual(texts(".time-left", card.element), ["4.9", ""]);
  deepEqual(running(card), [false, true]);
  card.match.apply(moves(3, 1, [6], 1000));
  card.draw();
  deepEqual(texts(".time-left", card.element), ["3.9", ""]);
  deepEqual(running(card), [true, false]);
  card.finish(result(3));
  card.draw();
  deepEqual(running(card), [false, false]);
});

test("a card that is over shows who has won, or how it ended", () => {
  const card = openCard();
  card.finish(result(3));
  card.draw();
  ok(card.element.classList.contains("over"));
  equal(card.element.querySelector(".ended.by-2").textContent, "bobwon");
  equal(note(card.element), "Take-Stones, 7 stones · 0 moves · no legal move");
  const drawn = openCard();
  drawn.finish(result(3, { winner: null }));
  deepEqual(texts(".ended", drawn.element), ["draw"]);
});

test("a thumbnail is drawn by the game; one that fails gives way to the moves", () => {
  const error = mock.method(console, "error", () => {});
  const card = openCard();
  const drawn = [];
  const drawThumbnail = (canvas, ...position) => drawn.push([canvas.tagName, ...position]);
  card.module = { drawThumbnail, formatMove: move => `<${move}>` };
  card.match.apply(moves(3, 0, [3]));
  card.draw();
  deepEqual(drawn, [["CANVAS", { stones: 7 }, [3]]]);
  assert.match(note(card.element), / · last <3>$/);
  equal(all(".stage canvas[aria-hidden=true]", card.element).length, 1);
  card.module = { drawThumbnail: () => assert.fail("no") };
  card.draw();
  equal(error.mock.calls[0].arguments[0], "The thumbnail of take_stones cannot be drawn:");
  deepEqual([card.module, texts(".latest-moves", card.element)], [null, ["3"]]);
});

test("cards are in the order of the matches, those of followed bots first", () => {
  follow("eve", true);
  const { lives } = open(1, facts(2, { players: ["eve", "bob"] }), 3);
  deepEqual([hrefs(lives), lives.count], [["#/match/2", "#/match/1", "#/match/3"], 3]);
  equal(lives.isEmpty, false);
  equal(new LiveMatches(connect().connection, signal()).isEmpty, true);
});

test("moves are drawn with the next frame on visible cards alone", async () => {
  const { lives } = open(1, 2);
  await pass(16);
  const [first, second] = lives.element.children;
  setVisible(second, false);
  lives.update({ moves: [moves(1, 0, [3]), moves(2, 0, [3]), moves(9, 0, [1])] });
  assert.match(note(first), / 0 moves/);
  await pass(16);
  assert.match(note(first), / 1 move · last 3/);
  assert.match(note(second), / 0 moves/);
  setVisible(second);
  await pass(16);
  assert.match(note(second), / 1 move/);
});

test("a card is drawn again when it is known that its game has no board", async () => {
  const { lives } = open();
  lives.update({ started: [facts(1, { game: "chess" })], moves: [moves(1, 0, [3])] });
  const [card] = lives.element.children;
  setVisible(card);
  tick(16);
  assert.match(note(card), / 1 move/);
  deepEqual(texts(".latest-moves", card), []);
  await pass(16);
  await pass(16);
  deepEqual(texts(".latest-moves", card), ["3"]);
});

test("a change of size or theme draws cards again", async () => {
  const { lives } = open(1);
  await pass(16);
  await pass(16);
  const [card] = lives.element.children;
  for (const change of [() => resize(card), () => theme.dispatchEvent(new Event("change"))]) {
    card.querySelector(".faint").lastChild.textContent = "";
    setVisible(card);
    await pass(16);
    doesNotMatch(note(card), /ply/);
    change();
    await pass(16);
    assert.match(note(card), / 0 moves/);
  }
});

test("moves of a match that begins with them are shown", async () => {
  const { lives } = open();
  lives.update({ started: [facts(1)], moves: [moves(1, 0, [3, 6])] });
  setVisible(lives.element.firstChild);
  await pass(16);
  assert.match(note(lives.element), / 2 moves · last 6/);
});

test("a finished match stays for a moment, then a waiting one takes its place", async () => {
  const { lives } = open(1, 2);
  lives.update({ over: [1, 9], started: [facts(3), facts(4)], results: [summary(1)] });
  deepEqual([hrefs(lives), lives.count], [["#/match/1", "#/match/2", "#/match/4"], 3]);
  const [card] = lives.element.children;
  deepEqual(texts(".ended", card), ["bobwon"]);
  lives.update({ moves: [moves(3, 0, [3])] });
  await pass(1499);
  equal(card.classList.contains("leaving"), false);
  await pass(1);
  ok(card.classList.contains("leaving"));
  await pass(399);
  deepEqual(hrefs(lives), ["#/match/1", "#/match/2", "#/match/4"]);
  await pass(1);
  deepEqual(hrefs(lives), ["#/match/3", "#/match/2", "#/match/4"]);
  assert.match(note(lives.element), / 1 move/);
  equal(isObserved(card), false);
  ok(isObserved(lives.element.firstChild));
  lives.update({ over: [2] });
  await pass(2000);
  deepEqual([hrefs(lives), lives.count], [["#/match/3", "#/match/4"], 2]);
  lives.update({ full: true, started: [1, 2, 3, 4, 5, 6, 7].map(id => facts(id)) });
  lives.update({ over: [1, 2, 3] });
  await pass(2000);
  equal(lives.element.dataset.size, "large");
});

test("a waiting match that ends is never shown", async () => {
  const { lives } = open(1);
  lives.update({ over: [1], started: [facts(2)] });
  lives.update({ over: [2] });
  deepEqual([lives.count, lives.isEmpty], [0, false]);
  await pass(2000);
  equal(lives.isEmpty, true);
  lives.update({ started: [facts(3)], over: [3] });
  equal(lives.isEmpty, true);
});

test("a result that comes later is shown, once", async () => {
  const { lives } = open(1);
  lives.update({ over: [1] });
  deepEqual(texts(".ended"), []);
  lives.update({ results: [summary(1, {}, { winner: 1 })] });
  lives.update({ results: [summary(1, {}, { winner: 1 })] });
  deepEqual(texts(".ended"), ["annwon"]);
  await pass(16);
  assert.match(note(lives.element), /no legal move/);
});

test("a finished match that the user is about to open stays", async () => {
  const { lives } = open(1);
  const [card] = lives.element.children;
  hold(card);
  lives.update({ over: [1] });
  await pass(1500);
  equal(card.className, "live-card");
  hold(card, false);
  await pass(1499);
  equal(card.className, "live-card");
  await pass(1);
  equal(card.className, "live-card leaving");
});

test("after a reconnection all matches are new", async () => {
  const { lives } = open(1, 2);
  const old = lives.element.firstChild;
  lives.update({ over: [2] });
  lives.update({ over: [1], started: [facts(5)] });
  lives.update({ full: true, started: [facts(1)] });
  deepEqual([hrefs(lives), isObserved(old), lives.count], [["#/match/1"], false, 1]);
  await pass(2000);
  deepEqual(hrefs(lives), ["#/match/1"]);
});

test("the more matches, the smaller are the cards, without flickering", () => {
  const size = lives => lives.element.dataset.size;
  const { lives } = open();
  const grow = number =>
    lives.update({ full: true, started: Array.from({ length: number }, (_, id) => facts(id)) });
  for (const [number, expected] of [
    [6, "large"],
    [7, "normal"],
    [5, "normal"],
    [4, "large"],
    [30, "normal"],
    [31, "small"],
    [21, "small"],
    [20, "normal"],
    [30, "normal"],
  ]) {
    grow(number);
    equal(size(lives), expected, number);
  }
});

test("clocks run on visible cards of a connected page", async () => {
  const { lives, socket } = open(1, 2);
  const left = () => texts(".time-left").join();
  lives.update({ moves: [moves(1, 0, [], 0), moves(2, 0, [], 0)] });
  await pass(100);
  setVisible(lives.element.lastChild, false);
  await pass(100);
  equal(left(), "4.8,5.0,4.9,5.0");
  hidePage(true);
  await pass(100);
  equal(left(), "4.8,5.0,4.9,5.0");
  hidePage(false);
  await pass(100);
  equal(left(), "4.6,5.0,4.9,5.0");
  lives.update({ over: [1] });
  await pass(100);
  equal(left(), "5.0,5.0,4.9,5.0"); // it no longer runs
  socket.lose();
  await pass(100);
  equal(left(), "5.0,5.0,4.9,5.0");
});

test("a view that was left does nothing more", async () => {
  const { lives } = open(1);
  await pass(16);
  lives.update({ moves: [moves(1, 0, [3], 0)] });
  leaveView();
  await pass(100);
  assert.match(note(lives.element), / 0 moves/);
  equal(isObserved(lives.element.firstChild), false);
});
