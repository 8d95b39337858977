import { deepEqual, equal, match, ok } from "node:assert/strict";
import { GameSection } from "/bot/game_section.js";
import { recentPlay } from "/bot/recent_play.js";
import * as scores from "/bot/score_table.js";
import { botMatches, connect, standing } from "../support/arena.js";
import { leaveView, pass, signal, test } from "../support/browser.js";
import { all, links, show, text, texts } from "../support/elements.js";

const NONE = [0, 0, 0, null, null];
const SIDES = { score: [3, 0, 1, 0.3, 0.954], first: [3, 0, 0, 0.4, 1], second: [0, 0, 1, 0, 0.8] };
const STANDING = standing(SIDES);
const RECENT = botMatches();
const facts = () => texts(".bot-numbers div");
const shown = (...elements) => {
  document.body.replaceChildren(...elements);
  return texts("p, li");
};
const recent = (fields, onTime = 0) =>
  shown(...recentPlay(botMatches(fields), "Take-Stones", onTime));

function open() {
  const { connection, socket } = connect();
  const section = new GameSection("ann", "take_stones", "Take-Stones", connection, signal());
  show(section.element);
  return { section, socket, questions: () => socket.questions("find_bot_matches").length };
}

test("the numbers of a bot are told", () => {
  const { section } = open();
  section.update(STANDING);
  deepEqual(facts(), [
    "Rating+12 Elo ± 35 (95 %)",
    "Rank2 of 5",
    "Results4 matches: 3 won, 1 lost",
    "Score75 % (95 %: 30–95 %)",
    "Accuracyunknown",
    "Forfeitsnone",
  ]);
  deepEqual(links(document, "dd a"), ["#/games?bot=ann&game=take_stones"]);
  deepEqual(texts("h2, h3"), ["Take-Stones", "By side", "Head to head"]);
});

test("numbers that are unknown, shared or of draws are told", () => {
  const { connection } = connect();
  const section = new GameSection("ann", "isolation", "Isolation", connection, signal());
  show(section.element);
  const forfeits = { timeout: 2, meteor: 1 };
  const drawn = { score: [1, 1, 0, 0.2, 0.9], margin: null, is_shared: true, forfeits };
  section.update({ ...STANDING, ...drawn });
  deepEqual(facts(), [
    "Rating+12 Elo",
    "Rank=2 of 5",
    "Results2 matches: 1 won, 1 drawn, 0 lost",
    "Score75 % (95 %: 20–90 %)",
    "Forfeits2 timeout, 1 meteor",
  ]);
  const solved = open().section;
  solved.update({ ...STANDING, accuracy: 0.5, judged: 1 });
  equal(facts()[4], "Accuracy50.0 % in 1 analysed match");
});

test("results are listed by side and by opponent", () => {
  const { section } = open();
  const opponent = { ...SIDES, bot: "bob", elo: -5, forfeits: 0 };
  section.update({ ...STANDING, opponents: [opponent], omitted: 1 });
  const label = region => region.getAttribute("aria-label");
  deepEqual(all("[role=region]").map(label), [
    "Results of ann in Take-Stones by side",
    "Results of ann in Take-Stones against each opponent",
  ]);
  const ticks = "050100";
  deepEqual(texts("tr"), [
    `SideMatchesScore95 %${ticks}WonLost`,
    "Both475 %30–95 %31",
    "As player 13100 %40–100 %30",
    "As player 210 %0–80 %01",
    `OpponentMatchesScore95 %${ticks}WonLostPlayer 1Player 2EloForfeits of both`,
    "bob475 %30–95 %31100 %0 %−5.",
  ]);
  deepEqual(links(document, "tbody a"), [
    "#/bot/bob",
    "#/games?bot=ann&opponent=bob&game=take_stones",
  ]);
  equal(texts(".bot-row p")[0], "1 opponent with fewer matches not shown.");
});

test("the plots are open, and asked for with the bot", async () => {
  const { section, socket } = open();
  equal(section.element.querySelector("details").open, true);
  deepEqual(texts("summary"), ["Rating over time"]);
  section.update(STANDING);
  const [question] = socket.questions("find_plots");
  deepEqual([question.game, question.bot], ["take_stones", "ann"]);
  const size = { width: 9, height: 9, top: 1, bottom: 8 };
  await socket.answer("find_plots", { matches: 4, size, panels: [] });
  await pass(10_000);
  section.update({ ...STANDING, matches: 5 });
  equal(socket.questions("find_plots").length, 2);
});

test("the latest matches are asked for when there are others", async () => {
  const { section, socket, questions } = open();
  deepEqual(texts(".skeleton .hidden-text"), ["Loading the latest matches…"]);
  equal(all("section > .skeleton > [aria-hidden]").length, 8);
  section.update({ ...STANDING, forfeits: { timeout: 2 } });
  section.update(STANDING);
  equal(questions(), 1);
  await socket.answer("find_bot_matches", RECENT);
  equal(all(".skeleton").length, 0);
  ok(texts("p").includes("Lost on time: 2 matches."));
  section.update({ ...STANDING, judged: 1 });
  equal(questions(), 2);
  await socket.fail("find_bot_matches", "busy");
  deepEqual(texts(".bot-parts > p.faint[role=status]"), ["busy"]);
  section.update({ ...STANDING, judged: 1 });
  equal(questions(), 3);
});

test("nothing is replaced under the focus, and nothing shown in a view that was left", async () => {
  const { section, socket, questions } = open();
  section.update(STANDING);
  document.querySelector("dd a").focus();
  section.update({ ...STANDING, elo: 99, judged: 1 });
  deepEqual([facts()[0], questions()], ["Rating+12 Elo ± 35 (95 %)", 1]);
  leaveView();
  await socket.answer("find_bot_matches", RECENT);
  equal(all(".skeleton").length, 1);
});

test("an error in a view that was left is not shown", async () => {
  const { section, socket } = open();
  section.update(STANDING);
  leaveView();
  await socket.fail("find_bot_matches", "busy");
  deepEqual(texts(".bot-parts > p"), []);
});

test("shares and intervals are rounded, dots without matches", () => {
  deepEqual([scores.playedIn([1, 2, 4]), scores.shareText([1, 1, 1, 0, 1])], [7, "50 %"]);
  deepEqual([scores.shareText([2, 0, 1, 0, 1]), scores.shareText(NONE)], ["67 %", "."]);
  equal(scores.intervalText([1, 0, 0, 0.206, 1]), "21–100 %");
  equal(scores.intervalText(NONE), ".");
  deepEqual(scores.sideTexts({ first: [1, 0, 0, 0, 1], second: NONE }), ["100 %", "."]);
});

test("shares are drawn with their intervals", () => {
  const rows = [
    { name: "a", score: [1, 2, 1, 0.25, 0.75], others: ["x"] },
    { name: "b", score: NONE },
  ];
  show(scores.scoreTable("Scores", "Bot", rows, ["Other"]));
  equal(text("tr"), "BotMatchesScore95 %050100WonDrawnLostOther | a450 %25–75 %121x | b0..000");
  deepEqual(texts("tbody th.name[scope=row]"), ["a", "b"]);
  match(document.querySelector("abbr").title, /^95 % interval .* too narrow$/);
  const [axis, drawn, none] = all("svg");
  const attributes = (root, selector, ...keys) =>
    all(selector, root).map(found => keys.map(key => found.getAttribute(key)).join(" "));
  equal(
    axis.getAttribute("aria-label"),
    "Share of the points with its 95 % interval, from 0 to 100 %",
  );
  deepEqual(attributes(axis, "text", "x", "y", "text-anchor"), [
    "6 14 start",
    "65 14 middle",
    "124 14 end",
  ]);
  deepEqual(attributes(drawn, "path", "class", "d"), ["zero M65 0v24", "span M35.5 12H94.5"]);
  deepEqual(attributes(drawn, "circle", "cx", "cy", "r"), ["65 12 4"]);
  deepEqual([attributes(none, "path", "class"), all("circle", none).length], [["zero"], 0]);
  equal(none.getAttribute("viewBox"), "0 0 130 24");
});

test("without latest matches of its own a bot has no parts", () => {
  deepEqual(recent({ matches: 0 }), ["None of the arena's latest matches are its own."]);
  deepEqual(texts("h3"), ["By setup"]);
});

test("results are ordered by setup", () => {
  const setups = [{ stones: 20 }, { stones: 7, k: 2 }, { stones: 7, k: 1 }, {}];
  recent({ setups: setups.map(setup => ({ ...SIDES, setup })), omitted: 2 });
  deepEqual(texts("h3"), ["By setup", "Wins given up", "Moves"]);
  equal(texts("p")[0], "4 matches, the latest ones. 2 rarer setups not shown.");
  const region = document.querySelector("[role=region]");
  equal(region.getAttribute("aria-label"), "Results of ann in Take-Stones by setup");
  deepEqual(texts("tbody th").sort(), [
    "20 stones",
    "7 stones, k 1",
    "7 stones, k 2",
    "the only one",
  ]);
  recent({ setups: setups.slice(0, 3).map(setup => ({ ...SIDES, setup })) });
  deepEqual(texts("tbody th"), ["7 stones, k 1", "7 stones, k 2", "20 stones"]);
  equal(texts("p")[0], "4 matches, the latest ones. ");
  equal(links(document, "td a")[0], "#/games?bot=ann&game=take_stones&stones=7&k=1");
  equal(texts("tbody tr")[0], "7 stones, k 1475 %30–95 %31100 %0 %");
});

test("wins that were given up lead to their moves", () => {
  const lost = {
    match: 9,
    opponent: "bob",
    setup: { stones: 7 },
    blunders: 1,
    ply: 4,
    outcome: "won",
  };
  const none = "None of its latest matches have been analysed yet.";
  equal(recent({})[1], none);
  equal(recent({ judged: 1 })[1], "It gave up no won position in its latest 1 analysed match.");
  const lines = recent({
    judged: 3,
    lost_wins: [
      lost,
      { ...lost, blunders: 2, setup: {}, outcome: "lost" },
      { ...lost, outcome: "draw" },
    ],
  });
  deepEqual(lines.slice(1, 5), [
    "The worst of its latest 3 analysed matches; links lead to the last such move.",
    "Match 9, move 5: gave up the win once against bob (7 stones), but won",
    "Match 9, move 5: gave up the win 2 times against bob, and lost",
    "Match 9, move 5: gave up the win once against bob (7 stones), and drew",
  ]);
  deepEqual(links(document, "li a").slice(0, 2), ["#/match/9/5", "#/bot/bob"]);
});

test("times of moves and what the bot reported are told", () => {
  const times = { moves: 1, median_ms: 12.34, longest_ms: 999.5, match: 3, ply: 0 };
  const reported = { moves: 2, depth: 5, nodes: 1234 };
  deepEqual(recent({ times, reported }, 1).slice(2), [
    "Time for a move: 12 ms in the median, 1 s at most (match 3, move 1), in 1 move of the latest 4 matches.",
    "Lost on time: 1 match.",
    "It reported its search with 2 moves: depth 5 and 1,234 nodes in the median. Nobody checks that.",
  ]);
  deepEqual(links(document, "p a"), [
    "#/match/3/1",
    "#/games?bot=ann&game=take_stones&outcome=lost&ending=timeout",
  ]);
  for (const [depth, nodes, text] of [
    [5, null, ": depth 5 in the median"],
    [null, 7, ": 7 nodes in the median"],
    [null, null, ""],
  ]) {
    const [, , late, report] = recent({ reported: { moves: 1, depth, nodes } });
    equal(late, "Lost on time: no match.");
    equal(report, `It reported its search with 1 move${text}. Nobody checks that.`);
  }
  for (const [ms, text] of [
    [0.09, "below 0.1 ms"],
    [0.1, "0.1 ms"],
    [999.4, "1,000 ms"],
    [123456, "120 s"],
  ]) {
    match(recent({ times: { ...times, median_ms: ms } })[2], new RegExp(`: ${text} in the median`));
  }
});
