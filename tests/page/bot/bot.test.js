import assert, { deepEqual, equal } from "node:assert/strict";
import { view } from "/bot/bot.js";
import {
  ARENA,
  botMatches,
  connect,
  facts,
  standing,
  summary,
  TOURNAMENT,
} from "../support/arena.js";
import { leaveView, pass, settle, signal, test } from "../support/browser.js";
import { all, button, kinds, links, show, texts } from "../support/elements.js";

const both = score => ({ score, first: score, second: [0, 0, 0, null, null] });
const STANDING = standing(both([3, 0, 1, 0.3, 0.95]));
const note = () =>
  all("[role=status]", document.querySelector("main")).filter(
    found => found.className === "faint" && found.parentNode.tagName === "MAIN",
  )[0];

function open(name = "ann", arena = ARENA) {
  const { connection, socket } = connect(arena);
  const main = show(document.createElement("main"));
  view({ main, connection, parameters: [name], signal: signal() });
  const answer = async (standings, matches) => {
    await socket.answer("find_bot", { games: standings });
    if (matches) await socket.answer("find_games", { games: matches });
  };
  const questions = type => socket.questions(type).length;
  return { socket, answer, questions };
}

test("an address without a name leads to the standings", () => {
  open("");
  equal(document.body.textContent, "Bot not foundA bot has a name: see the standings.");
  deepEqual(links(document), ["#/tables"]);
});

test("a bot has its name, its standings and its latest matches", async () => {
  const { socket, answer } = open();
  deepEqual([document.title, texts("h1")], ["ann · Arena", ["ann"]]);
  deepEqual(texts(".skeleton .hidden-text"), ["Loading the bot…"]);
  equal(all(".skeleton [aria-hidden]").length, 20);
  equal(socket.questions("find_bot")[0].bot, "ann");
  const isolation = { ...STANDING, game: "isolation" };
  const other = summary(1, { players: ["anna", "bob"] });
  const matches = [other, ...[7, 6, 5, 4, 3, 2].map(match => summary(match))];
  await answer([STANDING, isolation], matches);
  const [question] = socket.questions("find_games");
  deepEqual([question.bot, question.limit], ["ann", 20]);
  deepEqual(texts("h2"), ["Playing now", "Take-Stones", "Isolation", "Latest matches"]);
  equal(document.querySelector("main > .skeleton"), null);
  deepEqual(
    links(document, ".results .cover"),
    [7, 6, 5, 4, 3].map(id => `#/match/${id}`),
  );
  deepEqual([links(document).at(-1), note().hidden], ["#/games?bot=ann", true]);
});

test("its matches are asked for again when there are more", async () => {
  const { socket, answer, questions } = open();
  await answer([STANDING], [summary(1)]);
  socket.receive({ type: "tables", tables: [] });
  equal(questions("find_bot"), 1);
  await pass(6000);
  equal(questions("find_bot"), 2);
  await answer([STANDING]);
  equal(questions("find_games"), 1);
  socket.receive({ type: "tables", tables: [] });
  await pass(6000);
  await answer([{ ...STANDING, ...both([4, 0, 1, 0.4, 0.9]) }], [summary(2), summary(1)]);
  deepEqual(links(document, ".results .cover"), ["#/match/2", "#/match/1"]);
  equal(all(".bot-game").length, 1);
});

test("nothing is replaced under the focus", async () => {
  const { socket, answer } = open();
  await answer([STANDING], [summary(1)]);
  document.querySelector(".results a").focus();
  socket.receive({ type: "tables", tables: [] });
  await pass(6000);
  await answer([{ ...STANDING, ...both([4, 0, 1, 0.4, 0.9]) }], [summary(2)]);
  deepEqual(links(document, ".results .cover"), ["#/match/1"]);
});

test("why a bot has no rating is told", async () => {
  const mine = [summary(1, { casual: true })];
  const contest = { ...ARENA, tournament: { ...TOURNAMENT, bots: ["ann"] } };
  for (const [text, matches, lobby, arena] of [
    ["It has finished no rated match yet: only those have ratings.", mine, {}],
    ["Its first match is being played.", [], { started: [facts(1)], bots: ["ann"] }],
    ["It is connected and waits for its first match.", [], { bots: ["ann"] }, contest],
    ["It plays in the tournament: no match of it has ended yet.", [], {}, contest],
    ["Nobody of this name has finished a match here. See the standings.", [], { bots: ["bob"] }],
    [
      "Nobody of this name has finished a match here. See the standings, or names that begin so: Anna, annb",
      [summary(1, { players: ["Anna", "bob"] }), summary(2, { players: ["annb", "Anna"] })],
      {},
    ],
  ]) {
    const { socket, answer } = open("ann", arena);
    socket.receive({ type: "lobby", ...lobby });
    await answer([], matches);
    equal(note().textContent, text);
    deepEqual([note().hidden, all(".skeleton").length], [false, 0]);
    equal(document.querySelector("main").lastChild.hidden, matches !== mine);
  }
  deepEqual(links(note()), ["#/tables", "#/bot/Anna", "#/bot/annb"]);
});

test("a bot without matches is asked for again", async () => {
  const { socket, answer, questions } = open();
  await answer([], []);
  socket.receive({ type: "tables", tables: [] });
  await pass(6000);
  await answer([], []);
  equal(questions("find_games"), 2);
});

test("its live matches are shown, those of others are not", async () => {
  const { socket } = open();
  const playing = () => document.querySelector(".bot-live").hidden;
  equal(playing(), true);
  const others = facts(2, { players: ["bob", "eve"] });
  socket.receive({ type: "lobby", full: true, started: [facts(1), others] });
  deepEqual([playing(), links(document, ".live-card .cover")], [false, ["#/match/1"]]);
  socket.receive({ type: "lobby", over: [1] });
  await pass(2500);
  socket.receive({ type: "lobby" });
  equal(playing(), true);
});

test("an error is told and asked about again, but not without a connection", async () => {
  const { socket, questions } = open();
  await socket.fail("find_bot", "The arena is busy.");
  deepEqual([note().textContent, note().hidden], ["The arena is busy.", false]);
  await pass(6000);
  equal(questions("find_bot"), 2);
  socket.receive({ type: "tables", tables: [] });
  await pass(6000);
  equal(questions("find_bot"), 2); // one question at a time
  socket.lose();
  await settle();
  equal(note().textContent, "The arena is busy.");
});

test("before the arena is known nothing is asked", () => {
  const { socket } = open("ann", null);
  deepEqual(socket.sent, []);
  socket.receive(ARENA);
  deepEqual([socket.questions("find_bot").length, socket.questions("watch")[0].match], [1, null]);
});

test("an answer for a view that was left is not shown", async () => {
  const { answer, questions } = open();
  leaveView();
  await answer([STANDING]);
  deepEqual([all(".bot-game").length, questions("find_games")], [0, 0]);
});

test("a bot is followed by a button", () => {
  open();
  const follow = button("☆ Follow");
  assert.match(follow.title, /^A star marks the bot in lists, .* Only this browser keeps that\.$/);
  equal(follow.getAttribute("aria-pressed"), "false");
  follow.click();
  deepEqual([follow.textContent, follow.getAttribute("aria-pressed")], ["★ Follow", "true"]);
  equal(localStorage.getItem("followed"), '["ann"]');
  follow.click();
  deepEqual([follow.textContent, localStorage.getItem("followed")], ["☆ Follow", "[]"]);
});

test("the page has its elements, classes and roles", async () => {
  const { socket, answer } = open();
  socket.receive({ type: "lobby", started: [facts(1)] });
  const opponents = [{ ...both([1, 0, 0, 0, 1]), bot: "bob", elo: 1, forfeits: 0 }];
  await answer([{ ...STANDING, opponents, omitted: 1 }], [summary(1)]);
  const lost = { match: 9, opponent: "bob", setup: {}, blunders: 1, ply: 4, outcome: "won" };
  const times = { moves: 1, median_ms: 1, longest_ms: 2, match: 1, ply: 0 };
  const found = botMatches({ times, judged: 1, lost_wins: [lost] });
  await socket.answer("find_bot_matches", found);
  equal(
    kinds(),
    "main div.bot-head h1 bdi button.follow-button span section.bot-live h2 " +
      "ul.lives[list] li.live-card div.stage canvas a.cover span.player-1 span.hidden-text " +
      "span.player-2 div.times-left span.time-left.running span.time-left p.faint " +
      "p.faint[status] div section.bot-game dl.bot-numbers dt dd b a div.bot-parts " +
      "details.plots summary div.panels section h3 div.wide.card.score-frame[region] " +
      "table.scores thead tr th.name th abbr svg[img] text tbody td td.share svg path.zero " +
      "path.span circle.dot section.bot-row ol.lost-wins li p ul.results[list] div.meeting " +
      "a.bot-link.player-2 a.bot-link.player-1.beaten time",
  );
});
