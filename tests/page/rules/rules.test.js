import { deepEqual, equal, match, ok } from "node:assert/strict";
import { view } from "/rules/rules.js";
import { answeringArena, GAMES } from "../support/arena.js";
import { isolation, takeStones } from "../support/boards.js";
import { leaveView, settle, signal, test, tick } from "../support/browser.js";
import { all, button, outline, show, text, texts, unusedClasses } from "../support/elements.js";

/** Return an analysis by the rules of Take-Stones on 12 stones, with 5 and 10 as the winning moves. */
const analysed = ({ setup, moves }) => ({
  winning_moves: takeStones.legalMoves(setup, moves).filter(move => move % 5 === 0),
});
const ended = ({ moves }) => ({
  outcome: {
    winner: 1 + ((moves.length + 1) % 2),
    reason: `player ${1 + (moves.length % 2)} cannot move`,
  },
});

/** Return the page of a game. */
async function rulesPage(t, { name, answers = {}, about = {} } = {}) {
  const random = t.mock.method(Math, "random", () => 0);
  const { connection, asked, open } = answeringArena(
    { analyse: analysed, find_position: ended, ...answers },
    about,
  );
  const main = show(document.createElement("main"));
  view({ main, connection, parameters: [name], signal: signal() });
  await settle();
  const part = selector => main.querySelector(selector);
  const choose = async move => {
    all(".stones .stone", main)[move - 1].click();
    await settle();
  };
  const reply = async (milliseconds = 700) => {
    tick(milliseconds);
    await settle();
  };
  const cells = kind => texts(`.stone.${kind}`, main).join(" ");
  const status = () => part(".lesson-status").textContent;
  return { main, part, asked, open, choose, reply, cells, status, random };
}

test("a game has its rules, a match and links to the others", async t => {
  const { main, part } = await rulesPage(t);
  equal(
    text("h1.hidden-text, h2", main),
    "Rules | Take-Stones in twenty seconds | Marks | Questions",
  );
  deepEqual(texts("ol li", main), takeStones.lesson.rules);
  equal(part("ol + .hint").textContent, "Try it: you begin.");
  const links = all("nav a", main).map(link => [
    link.textContent,
    link.getAttribute("href"),
    link.getAttribute("aria-current"),
  ]);
  deepEqual(links, [
    ["Take-Stones", "#/rules/take_stones", "page"],
    ["Isolation", "#/rules/isolation", null],
    ["Nim", "#/rules/nim", null],
  ]);
});

for (const [name, title] of [
  ["isolation", "Isolation"],
  ["nim", "Nim"],
  ["chess", "Take-Stones"],
]) {
  test(`#/rules/${name} is about ${title}`, async t => {
    const { part, main } = await rulesPage(t, { name });
    equal(part("section h2").textContent, `${title} in twenty seconds`);
    const hasLesson = name !== "nim";
    deepEqual(
      [
        main.querySelectorAll(".lesson").length,
        part("section").textContent.endsWith("This game brings no lesson."),
      ],
      [Number(hasLesson), !hasLesson],
    );
  });
}

test("an arena of one game has no links", async t => {
  equal(
    (await rulesPage(t, { about: { games: GAMES.slice(0, 1) } })).part("nav").childElementCount,
    0,
  );
});

test("the page waits for the arena, and begins once", async t => {
  const { part, open, choose, cells } = await rulesPage(t, { about: { isOpen: false } });
  equal(part(".lesson"), null);
  open();
  await settle();
  await choose(1);
  open();
  await settle();
  equal(cells("taken"), "1");
});

test("a match is played against random moves", async t => {
  const { choose, reply, status, cells, random, part } = await rulesPage(t);
  equal(status(), "Your move: odd and below 6.");
  await choose(5);
  deepEqual([status(), cells("taken")], ["5 keeps the win. The opponent thinks…", "5"]);
  equal(part(".interactive"), null);
  await choose(10); // it is not the reader's turn
  await reply(699);
  equal(cells("taken"), "5");
  random.mock.mockImplementation(() => 0.99);
  await reply(1);
  equal(status(), "5 keeps the win. The opponent plays 10. Your move: factor of 10.");
  equal(cells("taken"), "5 10");
  await choose(2);
  equal(status(), "Every move was a losing one. The opponent thinks…");
});

test("a reader who gives up the win is told", async t => {
  const { choose, reply, status, asked } = await rulesPage(t);
  deepEqual(asked[0], { type: "analyse", game: "take_stones", setup: { stones: 12 }, moves: [] });
  await choose(3);
  equal(status(), "3 gives up the win: 5 would have kept it. The opponent thinks…");
  await reply();
  equal(
    status(),
    "3 gives up the win: 5 would have kept it. The opponent plays 1. Your move: multiple of 1.",
  );
  await choose(12);
  equal(status(), "12 gives up the win: 5 or 10 would have kept it. The opponent thinks…");
});

test("the end of the match is told", async t => {
  const { choose, reply, status } = await rulesPage(t);
  await choose(5);
  await reply(); // 1
  await choose(7); // after which there is no move
  equal(
    status(),
    "7 gives up the win: 10 would have kept it. You win! Player 1 wins: player 2 cannot move.",
  );
});

for (const [name, find_position, text] of [
  [
    "a draw",
    () => ({ outcome: { winner: null, reason: "nobody can move" } }),
    "Draw: nobody can move.",
  ],
  [
    "a loss",
    () => ({ outcome: { winner: 2, reason: "player 1 cannot move" } }),
    "You lose. Player 2 wins: player 1 cannot move.",
  ],
  ["an end that is unknown", () => ({ outcome: null }), ""],
  [
    "an error",
    () => {
      throw new Error("Not connected.");
    },
    "Not connected.",
  ],
]) {
  test(`${name} is told`, async t => {
    const { choose, reply, status } = await rulesPage(t, { answers: { find_position } });
    await choose(5);
    await reply();
    await choose(7);
    equal(status(), `7 gives up the win: 10 would have kept it.${text && ` ${text}`}`);
  });
}

test("the opponent ends the match with the last move", async t => {
  const { choose, reply, status, random, cells, asked } = await rulesPage(t);
  await choose(1);
  random.mock.mockImplementation(() => 0.5); // 7, after which there is no move
  await reply();
  deepEqual([cells("taken"), asked.at(-1).type], ["1 7", "find_position"]);
  equal(
    status(),
    "1 gives up the win: 5 would have kept it. You lose. Player 2 wins: player 1 cannot move.",
  );
});

test("winning moves are shown on demand, and only on the reader's turn", async t => {
  const { part, choose, reply, cells } = await rulesPage(t);
  equal(cells("winning"), "");
  const label = part(".spread label");
  equal(label.textContent, "Show the winning moves");
  label.querySelector("[role=switch]").click();
  equal(cells("winning"), "5");
  await choose(1);
  equal(cells("winning"), "");
  await reply();
  equal(cells("winning"), "10");
});

test("a match begins again", async t => {
  const { main, choose, reply, status, cells } = await rulesPage(t);
  await choose(3);
  button("Start again", main).click();
  await settle();
  deepEqual([status(), cells("taken")], ["Your move: odd and below 6.", ""]);
  await reply(9999);
  equal(cells("taken"), "");
});

test("a match against a bot of the same strength follows, where the arena allows it", async t => {
  const { part } = await rulesPage(t);
  const link = part('.lesson a[href^="#/play"]');
  equal(link.textContent, "Play a match");
  equal(link.getAttribute("href"), "#/play?game=take_stones&opponent=random&side=1&stones=12");
});

test("without matches of persons there is no link to them", async t => {
  const { main } = await rulesPage(t, { about: { is_open: false } });
  deepEqual(texts(".lesson a", main), ["Analyse"]);
});

test("the position leads to its analysis", async t => {
  const { part, choose } = await rulesPage(t);
  await choose(5);
  const address = "#/analysis?game=take_stones&stones=12&moves=5";
  equal(part('.lesson a[href^="#/analysis"]').getAttribute("href"), address);
});

test("a game without a solver is learnt without judgements", async t => {
  const { main, part, reply, status, asked } = await rulesPage(t, { name: "isolation" });
  const move = isolation.legalMoves({ size: 5 }, [])[0];
  part(".interactive .legal").click();
  await settle();
  equal(status(), "The opponent thinks…");
  await reply();
  const [answer] = isolation.legalMoves({ size: 5 }, [move]);
  ok(
    status().startsWith(
      `The opponent plays ${isolation.formatMove(answer)}. Your move: along the `,
    ),
    status(),
  );
  deepEqual([main.querySelector(".spread label"), asked], [null, []]);
});

test("without the arena moves are not judged", async t => {
  const { choose, status } = await rulesPage(t, {
    answers: {
      analyse: () => {
        throw new Error("lost");
      },
    },
  });
  await choose(3);
  equal(status(), "The opponent thinks…");
});

test("winning moves that come late are dropped", async t => {
  const { promise, resolve } = Promise.withResolvers();
  const { choose, status } = await rulesPage(t, { answers: { analyse: () => promise } });
  await choose(3);
  resolve({ winning_moves: [1] });
  await settle();
  equal(status(), "The opponent thinks…");
});

test("a page that was left plays no more", async t => {
  const { choose, reply, cells } = await rulesPage(t);
  await choose(5);
  leaveView();
  await reply(9999);
  equal(cells("taken"), "5");
});

test("marks are explained", async t => {
  const { main } = await rulesPage(t);
  const marks =
    "Player 1|Player 2|rim, dot|÷ ×|ring|★star|!hint|thick line|??|live|unrated|not finished|aborted|green|grey|=3|Podium|Elo|±|Accuracy";
  deepEqual(texts(".mark-meanings dt", main), marks.split("|"));
  const elo = "strength: 100 more win 64\u00a0% of the matches, 400 more 91\u00a0%";
  equal(texts(".mark-meanings dd", main)[17], elo);
  deepEqual(texts(".badge", main), ["live", "unrated", "not finished"]);
  const samples = all(".sample, .stripe", main);
  const kinds = samples.map(({ className }) => className.split(" ")[1]).join();
  equal(kinds, "legal,last,winning,hint,decided,undecided");
  ok(samples.every(sample => sample.getAttribute("aria-hidden") === "true"));
});

test("common questions are answered", async t => {
  const { main } = await rulesPage(t);
  const questions = [
    "Why can perfect stand third?",
    "Why do the evaluation and perfect play disagree?",
  ];
  deepEqual(texts(".card summary", main), questions);
  match(
    texts("details p", main)[1],
    /is only an estimate\. Perfect play knows the end of the game\.$/,
  );
});

test("the page is named for assistive technology", async t => {
  const { main } = await rulesPage(t);
  equal(outline(main), "section The rules; nav Games; p status; input switch; 6 span hidden");
});

test("elements have the classes of the style sheet", async t => {
  const { main } = await rulesPage(t);
  equal(unusedClasses(main, "rules/rules.css"), "");
});
