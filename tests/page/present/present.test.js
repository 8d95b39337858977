import assert, { deepEqual, equal, ok } from "node:assert/strict";
import { follow } from "/links.js";
import { view } from "/present/present.js";
import { Ratings, RoundsSlide, StandingsSlide, UpsetsSlide } from "/present/slides.js";
import {
  ARENA,
  BRACKET,
  CUP,
  connect,
  encounter,
  facts,
  moves,
  row,
  summary,
  TOURNAMENT,
  table,
} from "../support/arena.js";
import { leaveView, pass, replaceProperty, signal, test } from "../support/browser.js";
import { all, kinds, press, properties, show, text, texts } from "../support/elements.js";

const BOTS = [row("strong", 100), row("ann", 50), row("bob", 0), row("weak", -200)];
const UPSET = summary(1, { players: ["weak", "strong"] }, { winner: 1 });
const players = () => texts(".live-slide .player bdi");
const visible = () =>
  all(".slide")
    .filter(slide => !slide.hidden)
    .map(slide => slide.getAttribute("aria-label"))
    .join();

/** Open the slides with a state of the arena. */
async function open({ arena = ARENA, search = "?present", bots = BOTS, ...update } = {}) {
  history.replaceState(null, "", `/${search}`);
  const { connection, socket } = connect(arena);
  const main = show(document.createElement("main"));
  view({ main, connection, signal: signal() });
  const send = async lobby => {
    socket.receive({ type: "lobby", ...lobby });
    await pass(500);
  };
  if (bots) socket.receive({ type: "tables", tables: [table(bots)] });
  await send({ full: true, finished: 0, ...update });
  return { socket, send };
}

test("before the arena is known the page says so", () => {
  const { connection, socket } = connect(null);
  view({ main: show(document.createElement("main")), connection, signal: signal() });
  deepEqual(texts("h1"), ["Connecting to the arena…"]);
  socket.receive(ARENA);
  deepEqual(texts("h1"), ["Take-Stones, Isolation"]);
  deepEqual(socket.sent, [{ type: "watch", match: null }]);
});

test("the heading names the tournament and its progress", async () => {
  const arena = { ...ARENA, games: [ARENA.games[0]], tournament: TOURNAMENT };
  const { send } = await open({ arena, finished: 5 });
  const head = () => texts(".present-head > *").join("|");
  equal(head(), "Take-Stones tournament||5 of 1,200 matches played");
  await send({ finished: 1200 });
  await send({});
  equal(head(), "Take-Stones tournament||All 1,200 matches played");
});

test("without content the next match is awaited", async () => {
  const { send } = await open({ bots: null });
  deepEqual(texts(".waiting"), ["The next match is shown here as soon as it begins."]);
  deepEqual([document.querySelector(".waiting").hidden, visible()], [false, ""]);
  await send({ results: [summary(3)] });
  equal(visible(), "");
});

test("slides with content take turns of fifteen seconds", async () => {
  await open({ results: [UPSET] });
  deepEqual([document.querySelector(".waiting").hidden, visible()], [true, "Standings"]);
  await pass(14_000);
  equal(visible(), "Standings");
  await pass(1500);
  equal(visible(), "Upsets");
  await pass(15_500);
  equal(visible(), "Standings");
});

test("keys pause and change the slides", async () => {
  await open({ results: [UPSET], started: [facts(1)] });
  const badge = document.querySelector(".badge");
  equal(visible(), "Live match");
  for (const [key, slide] of [
    ["ArrowRight", "Standings"],
    ["ArrowRight", "Upsets"],
    ["ArrowRight", "Live match"],
    ["ArrowLeft", "Upsets"],
    ["x", "Upsets"],
  ]) {
    equal(press(key), key !== "x");
    equal(visible(), slide);
  }
  equal(badge.hidden, true);
  ok(press(" "));
  deepEqual([badge.hidden, badge.textContent], [false, "paused"]);
  press("ArrowLeft");
  await pass(60_000);
  equal(visible(), "Standings");
  press(" ");
  deepEqual([badge.hidden, badge.textContent], [true, ""]);
  await pass(14_000);
  equal(visible(), "Standings");
  await pass(1500);
  equal(visible(), "Upsets");
  press("ArrowLeft");
  await pass(14_500);
  equal(visible(), "Standings");
});

test("on TV there is the live match alone", async () => {
  await open({ search: "?present=tv", results: [UPSET] });
  deepEqual(properties("className", all(".slide")), ["slide waiting", "slide live-slide"]);
});

test("the match whose weaker player is the strongest is shown", async () => {
  const match = (id, ...names) => facts(id, { players: names });
  const started = [match(1, "weak", "strong"), match(2, "bob", "ann"), match(3, "bob", "strong")];
  const { send, socket } = await open({ started });
  deepEqual(players(), ["bob", "ann"]);
  const position = { text: "", legal_moves: [], legal_names: [], played_names: [], outcome: null };
  await socket.answer("find_position", position);
  await send({ moves: [moves(2, 0, [3, 6])] });
  deepEqual(socket.questions("find_position").at(-1).moves, [3, 6]);
  assert.match(texts(".live-side")[0], /^Player 1: bob, to move4.9Player 2: ann4.9/);
  await send({ over: [2], results: [summary(2, {}, { reason: "no stone is left" })] });
  deepEqual(texts(".ending"), ["ann wins: no stone is left"]);
  await pass(4000);
  deepEqual(players(), ["bob", "ann"]);
  await pass(1500);
  deepEqual([players(), texts(".ending")], [["bob", "strong"], [""]]);
  deepEqual(texts(".live-side > .faint"), ["Take-Stones, 7 stones"]);
});

test("matches of unknown bots come last, those of followed ones first", async () => {
  const match = (id, ...names) => facts(id, { players: names });
  await open({ started: [match(1, "new", "strong"), match(2, "weak", "bob")] });
  deepEqual(players(), ["weak", "bob"]);
  follow("new", true);
  await open({ started: [match(2, "weak", "bob"), match(1, "new", "strong")] });
  deepEqual(players(), ["new", "strong"]);
});

test("no match is chosen before the ratings are known", async () => {
  const { socket } = await open({ bots: null, started: [facts(1)] });
  equal(visible(), "");
  socket.receive({ type: "tables", tables: [] });
  await pass(500);
  deepEqual(players(), ["ann", "bob"]);
});

test("after a reconnection the match goes on, or is left", async () => {
  const { send } = await open({ started: [facts(1)] });
  await send({ full: true, started: [facts(1), facts(2, { players: ["strong", "ann"] })] });
  deepEqual(players(), ["ann", "bob"]);
  await send({ full: true, started: [] });
  await pass(4000);
  equal(visible(), "Live match");
  await pass(1500);
  equal(visible(), "Standings");
});

test("the screen is kept on while the slides are shown", async () => {
  const calls = [];
  const release = () => calls.push("release");
  const request = async kind => {
    calls.push(kind);
    return { release };
  };
  replaceProperty(navigator, "wakeLock", { request });
  await open();
  leaveView();
  deepEqual(calls, ["screen", "release"]);
});

test("a screen that must not be kept on does not matter; keys of a left view do nothing", async () => {
  replaceProperty(navigator, "wakeLock", { request: () => Promise.reject(new Error("hidden")) });
  await open({ results: [UPSET] });
  leaveView();
  equal(press(" "), false);
  await pass(16_000);
  equal(visible(), "Standings");
});

test("ratings are known by game and bot", () => {
  const ratings = new Ratings([table([row("ann", 5), row("bob", null)])]);
  equal(ratings.of("take_stones", "ann"), 5);
  ok(Number.isNaN(ratings.of("take_stones", "bob")));
  ok(Number.isNaN(ratings.of("isolation", "ann")));
});

test("the best twenty bots are shown in two tables, fewer of several games", () => {
  const slide = new StandingsSlide();
  equal(slide.isEmpty, true);
  const bots = Array.from({ length: 22 }, (_, at) => row(`bot ${at}`, -at));
  slide.update(ARENA, [table(bots), table([], { game: "isolation" })]);
  deepEqual([slide.isEmpty, texts("h2", slide.element)], [false, ["Standings"]]);
  deepEqual(texts("tr", slide.element).slice(0, 3), [
    "#BotElo±WonLost",
    "1bot 002031",
    "2bot 1−12031",
  ]);
  deepEqual(
    all("tbody", slide.element).map(body => texts("tr", body).length),
    [10, 10],
  );
  slide.update(ARENA, [table(bots), table([row("a", 1, { draws: 4 })], { game: "isolation" })]);
  deepEqual(texts("h2", slide.element), ["Standings, Take-Stones", "Standings, Isolation"]);
  equal(texts("tbody tr", slide.element).length, 11);
  deepEqual(texts("tr", slide.element).slice(-2), ["#BotElo±WonDrawnLost", "1a+120341"]);
  slide.update(ARENA, [table([])]);
  equal(slide.isEmpty, true);
});

const RATED = new Ratings([
  table([row("a", 0), row("b", 49.5), row("c", 50), row("d", 300), row("e", 80)]),
]);
const win = (match, winner, loser, fields = {}, side = 1) =>
  summary(
    match,
    { players: side === 1 ? [winner, loser] : [loser, winner], ...fields },
    { winner: side },
  );

test("the largest upsets come first, the smallest are none", () => {
  const slide = new UpsetsSlide();
  slide.add([win(1, "a", "c"), win(2, "a", "d", {}, 2), win(3, "a", "b"), win(4, "d", "a")]);
  equal(slide.isEmpty, true);
  slide.rate(RATED);
  equal(slide.isEmpty, false);
  equal(text("h2, li", slide.element), "Upsets | a beat d300 Elo lower | a beat c50 Elo lower");
  slide.add([
    win(5, "a", "e", { casual: true }),
    win(6, "a", "x"),
    win(8, "a", "e", { game: "isolation" }),
  ]);
  equal(texts("li", slide.element).length, 2);
  for (const loser of ["c", "d", "e"]) slide.add([win(20, "b", loser), win(21, "c", loser)]);
  slide.add([win(30, "a", "e"), win(31, "b", "d"), win(32, "c", "d"), win(33, "e", "d")]);
  equal(
    text("li", slide.element),
    "a beat d300 Elo lower | b beat d251 Elo lower | c beat d250 Elo lower | " +
      "e beat d220 Elo lower | a beat e80 Elo lower",
  );
});

test("an upset stays after a draw or a casual win", () => {
  const slide = new UpsetsSlide();
  slide.rate(RATED);
  slide.add([win(1, "a", "d"), win(2, "a", "d", { casual: true })]);
  slide.add([summary(3, { players: ["a", "d"] }, { winner: null })]);
  deepEqual(texts("li", slide.element), ["a beat d300 Elo lower"]);
});

test("two bots have one upset, and old results are forgotten", () => {
  const slide = new UpsetsSlide();
  slide.rate(RATED);
  slide.add([win(3, "a", "e"), win(2, "a", "d", {}, 2), win(1, "a", "d")]); // the latest first
  equal(texts("li", slide.element).length, 2);
  const news = number => Array.from({ length: number }, (_, at) => win(10 + at, "d", "a"));
  slide.add(news(499));
  deepEqual(texts("li", slide.element), ["a beat e80 Elo lower"]);
  slide.add(news(500));
  equal(slide.isEmpty, true);
});

const rounds = text => texts(".pairings h3", text);

test("a knockout has its bracket instead of ratings and upsets", async () => {
  const { socket } = await open({ arena: CUP, bots: null, results: [UPSET] });
  socket.receive({ type: "tables", tables: [table(BOTS, { rounds: BRACKET })] });
  await pass(500);
  equal(visible(), "Rounds of the tournament");
  deepEqual(rounds(), ["Quarterfinals", "Semifinals", "Final"]);
  press("ArrowRight");
  equal(visible(), "Standings");
  deepEqual(texts(".slide thead th"), ["#", "Bot", "Won", "Lost"]);
  press("ArrowRight");
  equal(visible(), "Rounds of the tournament");
});

test("the slide of the rounds shows what is played now, and the bracket once it can be read", () => {
  const { connection } = connect(CUP);
  const slide = new RoundsSlide(connection, signal());
  const names = () => [texts("h2", slide.element), texts("h3", slide.element)];
  slide.update([table(BOTS)]);
  equal(slide.isEmpty, true);
  const first = decided =>
    Array.from({ length: 16 }, (_, at) => encounter(`a${at}`, `b${at}`, [2, 0], `a${at}`, decided));
  const second = first(null).slice(0, 8);
  slide.update([table(BOTS, { rounds: [first(null), second] })]);
  deepEqual([slide.isEmpty, ...names()], [false, ["Knockout"], ["Round of 32"]]);
  equal(slide.element.style.cssText, "--columns: 3; --rows: 7;");
  slide.update([table(BOTS, { rounds: [first("played"), second] })]);
  deepEqual(names()[1], ["Round of 16"]);
  equal(slide.element.style.cssText, "--columns: 1; --rows: 9;");
  slide.update([
    table(BOTS, { rounds: [second, first("played")], points: [[1, "a0", 2, 0, 0, 0]] }),
  ]);
  deepEqual(names(), [["Swiss"], ["Round 1"]]);
  slide.update([table(BOTS, { rounds: [first("played")], points: [[1, "a0", 2, 0, 0, 0]] })]);
  deepEqual(names(), [["Swiss"], ["Round 1"]]);
});

test("the slides have their elements, classes and roles", async () => {
  await open({ results: [UPSET], started: [facts(1)] });
  equal(
    kinds(document.querySelector(".present")),
    "div.present-head h1 p.badge[status] p.faint p.slide.waiting section.slide.live-slide " +
      "div.live-board div.board.text-board pre.position[region] p.hint div.choices[group] " +
      "div.live-side div.players div.player.on span.player-1 span.hidden-text a bdi " +
      "span.outcome span.clock div.player span.player-2 p.ending section.slide h2 div.pairings " +
      "div.wide.card[region] div.top-bots table " +
      "thead tr th th.name abbr tbody td.faint td ol.upsets li p span.player-2.beaten",
  );
});
