import { deepEqual, equal, match, ok } from "node:assert/strict";
import { view } from "/lobby/lobby.js";
import { ARENA, connect, facts, row, summary, TOURNAMENT, table } from "../support/arena.js";
import { pass, signal, test, until } from "../support/browser.js";
import { all, kinds, links, show, text, texts } from "../support/elements.js";

const CONTEST = { ...ARENA, tournament: { ...TOURNAMENT, matches: 4 } };
const WORKERS = { workers: 1, matches_per_second: 5, in_flight: 1, lost: 0, replayed: 0 };
const shown = selector => all(selector).filter(found => !found.closest("[hidden]")).length;

/** Open the lobby of an arena with its first state. */
async function open({ arena = ARENA, ...update } = {}) {
  const { connection, socket } = connect(arena);
  const main = show(document.createElement("main"));
  view({ main, connection, signal: signal() });
  const send = lobby => socket.receive({ type: "lobby", ...lobby });
  const rank = (...tables) => socket.receive({ type: "tables", tables });
  send({ full: true, bots: [], results: [], finished: 0, ...update });
  if (arena.tournament) await until(() => all(".finale").length);
  return { main, socket, send, rank };
}

test("before its first state the lobby has placeholders", () => {
  const { connection, socket } = connect(null);
  const main = show(document.createElement("main"));
  view({ main, connection, signal: signal() });
  deepEqual(texts(".skeleton .hidden-text"), [
    "Loading the live matches…",
    "Loading the standings…",
  ]);
  equal(texts(".welcome")[0], "Connecting to the arena…");
  equal(all(".skeleton [aria-hidden]").length, 24);
  socket.receive(ARENA);
  deepEqual(socket.sent, [{ type: "watch", match: null }]);
  socket.receive({ type: "lobby", full: true, finished: 2 });
  match(texts(".welcome")[0], /^Open arena/);
  deepEqual(texts(".skeleton .hidden-text"), ["Loading the standings…"]);
});

test("why there are no live matches is explained", async () => {
  const archive = { ...ARENA, is_open: false };
  for (const [update, text, seats] of [
    [{}, "No bots connected yet. The first two to connect play each other.", 0],
    [{ bots: ["a"] }, "One bot is connected and waits for an opponent.", 1],
    [{ bots: ["a", "b", "c"] }, "The next match is about to start.", 2],
    [{ arena: archive }, "No live matches. The stored matches can be replayed.", 0],
    [{ workers: WORKERS }, "Workers play the matches. All finished matches can be replayed.", 0],
    [
      { arena: { ...CONTEST, is_open: false } },
      "No bots connected yet. The first two to connect play each other.",
      0,
    ],
  ]) {
    await open(update);
    await pass(250);
    deepEqual(texts(".nothing"), [text]);
    equal(all(".nothing .seat").length, 2);
    equal(all(".nothing .seat.taken").length, seats);
    equal(shown(".nothing"), 1);
  }
});

test("an empty arena without opponents shows first how to connect", async () => {
  await open();
  equal(document.querySelector("details").open, false);
  const arena = { ...ARENA, offers: {} };
  await open({ arena });
  ok(document.querySelector("details").open);
  await open({ arena, bots: ["ann"] });
  equal(document.querySelector("details").open, false);
  await open({ arena, started: [facts(1)] });
  equal(document.querySelector("details").open, false);
});

test("live matches are counted, and lead to the best one on TV", async () => {
  const { send } = await open({ started: [facts(1), facts(2)] });
  await pass(250);
  deepEqual([texts("h2")[0], shown(".nothing"), shown(".tv")], ["Live matches 2", 0, 1]);
  equal(document.querySelector(".tv").getAttribute("href"), "/?present=tv");
  send({ over: [1, 2] });
  await pass(2500);
  deepEqual([texts("h2")[0], shown(".tv"), shown(".nothing")], ["Live matches ", 0, 1]);
});

test("the connected bots are listed by name, numbers as numbers", async () => {
  const { send } = await open({ bots: ["bot 10", "bot 9", "ann"] });
  const card = document.querySelector(".aside").lastChild;
  equal(card.textContent, "Connected bots 3annbot 9bot 10");
  deepEqual(links(card), ["#/bot/ann", "#/bot/bot%209", "#/bot/bot%2010"]);
  send({ bots: [] });
  equal(card.hidden, true);
});

test("the best bots of each game are listed, at most once per second", async () => {
  const { rank } = await open({ finished: 9 });
  equal(all(".aside .skeleton").length, 1);
  const six = [90, 80, 80, 1, 0, -9].map((elo, at) => row(`bot ${at}`, elo));
  const small = table([row("eve", null, { margin: null })], { game: "isolation" });
  rank(table(six), small, table([], { game: "nim" }));
  const [standings] = document.querySelector(".aside").children;
  equal(standings.hidden, false);
  deepEqual(texts("h2, h3", standings), ["Standings", "Take-Stones", "Isolation"]);
  equal(
    text("tr", standings),
    "#BotElo± | 1bot 0+9020 | =2bot 1+8020 | =2bot 2+8020 | 4bot 3+120 | 5bot 4020 | #BotElo± | " +
      ".eve..",
  );
  equal(links(standings).at(-1), "#/tables");
  equal(links(standings, ".bot-link")[0], "#/bot/bot%200");
  rank(table([]));
  await pass(999);
  equal(standings.hidden, false);
  await pass(1);
  equal(standings.hidden, true);
});

test("the lists appear at once where no match has finished", async () => {
  await open({ bots: ["ann"] });
  deepEqual([all(".aside .skeleton").length, all(".aside > section").length], [0, 3]);
});

test("the progress and the workers of a tournament are kept between updates", async () => {
  const { send, rank } = await open({ arena: CONTEST, finished: 1, workers: WORKERS });
  deepEqual(texts(".played, .workers"), [
    "1 of 4 matches played",
    "1 worker, 5 matches/s, 1 batch in flight",
  ]);
  send({ results: [summary(1)] });
  rank(table([]));
  await pass(1000);
  deepEqual([texts(".played"), texts(".results .cover")], [["1 of 4 matches played"], ["beat"]]);
});

test("the end of a tournament is shown when all of it has arrived", async () => {
  const { rank, socket } = await open({ arena: CONTEST, finished: 4 });
  await pass(250);
  equal(shown(".finale, .nothing"), 0);
  deepEqual(texts(".now .skeleton .hidden-text"), ["Loading the final places…"]);
  ok(document.querySelector(".lobby").classList.contains("loading"));
  rank(table([row("ann", 5), row("bob", -5)]), table([], { game: "isolation" }));
  equal(all(".now .skeleton").length, 1);
  for (const question of socket.questions("find_games")) {
    await socket.answer("find_games", { games: [] }, question);
  }
  await pass(250);
  deepEqual([shown(".finale"), texts(".now .skeleton")], [1, []]);
  equal(document.querySelector(".lobby").className, "lobby");
  equal(shown(".now > .spread, .nothing"), 0);
  equal(
    document.querySelector(".nothing").textContent,
    "The tournament is over. All its matches can be replayed.",
  );
});

test("live matches are shown before the end of a tournament", async () => {
  const { rank, socket, send } = await open({ arena: CONTEST, finished: 4, started: [facts(9)] });
  equal(all(".now .skeleton").length, 0);
  rank(table([row("ann", 5)]));
  await socket.answer("find_games", { games: [] });
  deepEqual([shown(".finale"), shown(".live-card")], [0, 1]);
  send({ over: [9] });
  await pass(2500);
  equal(shown(".finale"), 1);
});

test("a tournament without its last match, or without bots, has no end to show", async () => {
  for (const [finished, bots] of [
    [3, [row("ann", 5)]],
    [4, []],
  ]) {
    const { rank } = await open({ arena: CONTEST, finished });
    await pass(250);
    equal(all(".now .skeleton").length, 1); // it may be a knockout that is over
    rank(table(bots));
    await pass(250);
    deepEqual([shown(".finale, .now .skeleton"), shown(".nothing")], [0, 1]);
  }
  await open({ arena: CONTEST });
  await pass(250);
  equal(all(".now .skeleton").length, 0);
});

test("the parts of the lobby have their elements, classes and roles", async () => {
  const { rank } = await open({
    started: [facts(1, { casual: true })],
    results: [summary(2)],
    bots: ["ann"],
  });
  rank(table([row("ann", 5)]));
  await pass(1000);
  equal(
    kinds(),
    "main div.lobby section.welcome p.eyebrow h1 p.row.faint span span.played " +
      "p.row.invitations a.button.main a.button details summary p div.copyable code button " +
      "section.begin section.now div.spread h2 span.faint a.tv div div.nothing div.seats span.seat ul.lives[list] li.live-card div.stage canvas a.cover " +
      "span.player-1 bdi span.hidden-text span.player-2 div.times-left " +
      "span.time-left.running span.time-left p.faint div.aside section.card h3 " +
      "table thead tr th th.name abbr tbody td.faint a.bot-link td a ul.results[list] li " +
      "div.meeting a.bot-link.player-2 a.bot-link.player-1.beaten time ul.chips[list]",
  );
  await open({ arena: CONTEST });
  await pass(250);
  equal(
    kinds(),
    "main div.lobby section.welcome p.eyebrow h1 span.faint p.row.faint span div.row " +
      "progress span.played p.faint a p.faint.workers section.begin section.now div.spread h2 a.tv " +
      "div div.finale p.victory ol.podium[list] div.pairings div.wide.card[region] p div.matches " +
      "div.nothing div.seats span.seat ul.lives[list] " +
      "div.aside section.card ul.results[list] ul.chips[list]",
  );
});
