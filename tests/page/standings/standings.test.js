import { deepEqual, equal, match, ok } from "node:assert/strict";
import { COLUMNS } from "/standings/rating_table.js";
import { view } from "/standings/standings.js";
import {
  ARENA,
  BRACKET,
  CUP,
  connect,
  encounter,
  facts,
  PANEL,
  row,
  SIZE,
  TOURNAMENT,
  table,
} from "../support/arena.js";
import { pass, signal, test } from "../support/browser.js";
import { all, attributes, button, kinds, links, show, text, texts } from "../support/elements.js";

const ANN = row("ann", 90, {
  wins: 5,
  losses: 1,
  accuracy: 0.5,
  forfeits: 2,
  pairs: [2, 1, 0],
  margin: 30,
});
const BOB = row("bob", 0, { wins: 2, losses: 2, draws: 1, margin: 10 });
const EVE = row("eve", 0, { wins: 1, losses: 5, margin: 40 });
const BOTS = [ANN, BOB, EVE];
const rows = () => texts(".standings tbody tr");
const names = () => texts(".standings tbody th").join(" ");

function open(arena = ARENA) {
  const { connection, socket } = connect(arena);
  const main = show(document.createElement("main"));
  view({ main, connection, signal: signal() });
  return { main, socket, rank: (...tables) => socket.receive({ type: "tables", tables }) };
}

test("each game has a table, in which unknown values are dots", () => {
  const { main, socket, rank } = open();
  deepEqual(socket.sent, [{ type: "watch", match: null }]);
  deepEqual(texts(".skeleton .hidden-text"), ["Loading the standings…"]);
  equal(all(".skeleton [aria-hidden]").length, 20);
  rank(table(BOTS), table([], { game: "isolation" }), table([EVE], { game: "nim" }));
  equal(all(".skeleton").length, 0);
  equal(
    text("h1, h2, summary"),
    "Standings | Take-Stones | Plots of Take-Stones | nim | Plots of nim",
  );
  deepEqual(rows().slice(0, 3), [
    "1ann+90305012–1–050.0 %2",
    "=2bob0102120–0–0..",
    "=2eve0401050–0–0..",
  ]);
  deepEqual(links(main, "tbody th.name > a").slice(0, 2), ["#/bot/ann", "#/bot/bob"]);
  deepEqual(attributes("aria-label", "[role=region]")[0], "Standings in Take-Stones");
  equal(main.querySelector("p").hidden, true);
});

test("without a finished match there is none to show", () => {
  const { rank, main } = open();
  equal(main.querySelector("p").hidden, true);
  rank(table([]));
  equal(main.querySelector("p").hidden, false);
  equal(main.textContent, "StandingsNo rated match has finished yet.");
});

test("the numbers of matches and the remarks of the arena are told", async () => {
  const { rank } = open();
  const lines = () => texts("section > p");
  rank(table(BOTS, { finished: 1 }));
  deepEqual(lines(), ["1 match", "", "First move: +12 ±34 Elo"]);
  equal(all(".warning")[0].hidden, true);
  const unrated = [row("ann", null, { margin: null })];
  rank(table(unrated, { finished: 2000, judged: 1500, omitted: 2, note: "beware" }));
  await pass(1000);
  deepEqual(lines(), [
    "2,000 matches; accuracies from 1,500 of them; 2 bots with fewer matches not shown",
    "beware",
    "No bot has a rating yet.",
  ]);
  deepEqual([all(".warning")[0].hidden, rows()], [false, [".ann..3010–0–0.."]]);
});

test("columns without a value are announced to the style sheet", async () => {
  const { rank } = open();
  const state = () => document.querySelector(".standings").className;
  rank(table(BOTS));
  equal(state(), "standings");
  rank(table([EVE]));
  await pass(1000);
  equal(state(), "standings unjudged undrawn unpaired");
});

test("the table is updated at most once per second, and rows are moved", async () => {
  const { rank } = open();
  rank(table(BOTS));
  const [ann] = all(".standings tbody tr");
  const drawn = ann.querySelector("svg");
  rank(table([BOB, ANN]));
  await pass(999);
  equal(names(), "ann bob eve");
  await pass(1);
  equal(names(), "bob ann");
  ok(all(".standings tbody tr")[1] === ann);
  rank(table([BOB, { ...ANN, wins: 6 }]));
  await pass(1000);
  ok(ann.contains(drawn) === false); // the scale has changed
  const kept = ann.querySelector("svg");
  rank(table([BOB, { ...ANN, wins: 7 }]));
  await pass(1000);
  ok(ann.contains(kept));
});

test("rows are sorted by the chosen column", () => {
  const { rank } = open();
  rank(table(BOTS));
  for (const [column, order] of [
    ["Bot", "ann bob eve"],
    ["±", "bob ann eve"],
    ["Lost", "ann bob eve"],
    ["Won", "ann bob eve"],
    ["Drawn", "bob ann eve"],
    ["Forfeits", "bob eve ann"],
    ["Pairs", "ann bob eve"],
    ["Accuracy", "ann bob eve"],
    ["Elo", "ann bob eve"],
    ["#", "ann bob eve"],
  ]) {
    button(column).click();
    equal(names(), order, column);
    equal(all("[aria-sort]").length, 1);
  }
  const values = ["Elo", "±", "Won", "Drawn", "Lost", "Pairs", "Accuracy", "Forfeits"];
  const best = bot => values.map(column => COLUMNS[column].best(bot));
  deepEqual(best(ANN), [90, -30, 5, 0, -1, 2.5, 0.5, -2]);
  equal(COLUMNS["±"].best({ margin: null }), null);
  const ascending = Object.keys(COLUMNS).filter(column => COLUMNS[column].isAscending);
  deepEqual(ascending, ["#", "Bot", "±", "Lost", "Forfeits"]);
});

test("the given order can be reversed, and numbers in names are sorted as numbers", () => {
  const { rank } = open();
  rank(table([row("b10", 5), row("b9", 0)]));
  for (const [column, order] of [
    ["#", "b9 b10"],
    ["Bot", "b9 b10"],
    ["Bot", "b10 b9"],
  ]) {
    button(column).click();
    equal(names(), order);
  }
});

test("margins of a large table are asked for, one question at a time", async () => {
  const { socket, rank } = open();
  const bare = BOTS.map(bot => ({ ...bot, margin: null }));
  rank(table(bare));
  rank(table(bare));
  await pass(1000);
  const [question, ...others] = socket.questions("find_margins");
  deepEqual([question.game, others], ["take_stones", []]);
  match(rows()[0], /^1ann\+90\.5/);
  const margins = { ann: 33, bob: 11 };
  await socket.answer("find_margins", { first_move: "First move: -1 +-2", margins });
  match(rows()[0], /^1ann\+90335/);
  match(rows()[2], /^=2eve0\.1/);
  equal(texts("section > p")[2], "First move: −1 ±2");
  button("Won").click();
  match(rows()[0], /^1ann\+90335/);
  rank(table(bare));
  await socket.fail("find_margins", "busy");
  await pass(1000);
  match(rows()[0], /^1ann\+90335/);
  rank(table(BOTS));
  await pass(1000);
  match(rows()[0], /^1ann\+90305/);
});

const ENTRANTS = CUP.tournament.bots.map(bot => row(bot, 5));

test("a knockout has its bracket, places instead of ratings, and no crosstable", async () => {
  const { rank, socket } = open(CUP);
  socket.receive({ type: "lobby", full: true, started: [facts(9, { players: ["eve", "dan"] })] });
  rank(table(ENTRANTS, { note: "groups", rounds: [[encounter("dan", "eve")]] }));
  deepEqual(texts("h3"), ["Bracket", "Final", "Head to head"]);
  deepEqual(links(document, ".encounter .cover"), ["#/match/9"]);
  const bracket = document.querySelector(".pairings");
  rank(table(ENTRANTS, { note: "groups", rounds: BRACKET }));
  await pass(1000);
  ok(document.contains(bracket));
  deepEqual(texts(".standings td:first-child"), ["1", "2", "=3", "=3", "5"]);
  equal(names(), "dan bob ann cid eve");
  ok(document.querySelector(".standings").classList.contains("unranked"));
  const hidden = all("section [hidden]").map(({ textContent }) => textContent.slice(0, 12));
  deepEqual(hidden, ["groups", "First move: ", "Head to head"]);
});

test("a Swiss has its points and rounds before the ratings", async () => {
  const { rank } = open();
  const points = [
    [1, "bob", 2, 1, 0.75, 0],
    [2, "ann", 1.5, 2, 0, 1],
  ];
  rank(table(BOTS, { rounds: [[encounter("ann", "bob", [0, 2], "bob", "played")]], points }));
  deepEqual(texts("h3"), ["Points", "Rounds", "Round 1", "Head to head"]);
  const points_table = document.querySelector("table");
  deepEqual(texts("tr", points_table), [
    "#BotPointsBuchholzBergerByes",
    "1bob210.75.",
    "2ann1½201",
  ]);
  rank(table(BOTS, { rounds: [[encounter("ann", "bob", [0, 2], "bob", "played")]], points }));
  await pass(1000);
  ok(document.contains(points_table));
  deepEqual([all(".unranked").length, all(".cross-frame").length], [0, 1]);
});

test("a gauntlet has the scores of its reference bot instead of a crosstable", () => {
  const tournament = { ...TOURNAMENT, format: "gauntlet", references: 1 };
  const { rank } = open({ ...ARENA, tournament: { ...tournament, bots: ["bob", "ann", "eve"] } });
  const meetings = [[0, 1, [1, 0], [1, 0], 0, [0, 0]]];
  rank(table(BOTS, { meetings }));
  equal(texts("h3")[0], "bob against the others");
  deepEqual(texts(".gauntlet tbody tr"), ["ann0–20.0 %0–10–1+90"]);
  ok(document.querySelector(".cross-frame").parentNode.hidden);
});

test("of a gauntlet with more than a hundred bots the first ten references have their scores", () => {
  const names = Array.from({ length: 120 }, (_, at) => `bot ${at}`);
  const tournament = { ...TOURNAMENT, format: "gauntlet", references: 12, bots: names };
  const { rank } = open({ ...ARENA, tournament });
  const meetings = [[0, 119, [1, 0], [1, 0], 0, [0, 0]]];
  const bots = names.map((name, at) => row(name, -at));
  rank(table(bots, { meetings }));
  const heads = texts("h3").filter(head => head.endsWith("against the others"));
  deepEqual([heads.length, heads.at(-1)], [10, "bot 9 against the others"]);
  deepEqual(texts(".gauntlet tbody tr"), ["bot 1192–0100.0 %1–01–0−119"]);
  ok(document.querySelector(".cross-frame").parentNode.hidden);
});

test("the standings have their elements, classes and roles", async () => {
  const { rank, socket } = open();
  const meetings = [[0, 1, [1, 0], [1, 0], 1, [0, 0]]];
  rank(table(BOTS, { meetings }));
  document.querySelector("details").open = true;
  await socket.answer("find_plots", { matches: 3, size: SIZE, panels: [PANEL] });
  equal(
    kinds(),
    "main h1 p.faint section h2 div p.warning div.wide.card[region] table.standings thead tr " +
      "th button.sort th.name abbr th.plot svg[img] text tbody td a bdi td.plot svg " +
      "path.zero path.rule path.span circle.dot h3 p.legend.faint span.player-1 " +
      "span.player-2 b.forfeits-mark span span.ramp div.wide.card.cross-frame[region] " +
      "table.cross.with-draws span.place bdi.vertical td.itself td.above.heat-4 td.none " +
      "td.below.heat-4 details.plots summary p.faint[status] div.panels text.title " +
      "text.label line.zero text.axis line.rule path.dot title path.line text.name " +
      "text.note",
  );
});
