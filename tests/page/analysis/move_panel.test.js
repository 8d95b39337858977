import { deepEqual, equal, match } from "node:assert/strict";
import { disagreements, MovePanel } from "/analysis/move_panel.js";
import { answeringArena, GAMES } from "../support/arena.js";
import { takeStones } from "../support/boards.js";
import { settle, test } from "../support/browser.js";
import { button, pointAt, texts } from "../support/elements.js";
import { LOST } from "../support/matchings.js";

const [STONES, ISOLATION] = GAMES;
const FOUND = { depth: 4, move: 2, value: 0.6, max_depth: 3, stopped: null, nodes_visited: 9 };

/** Return a position with the result of its search. */
const position = (analysis = {}, game = STONES) => ({
  ...{ game, module: takeStones, setup: { stones: 20 }, moves: [3, 6] },
  analysis: { player: 1, legal_moves: [2, 4, 8], winning_moves: [8], search: FOUND, ...analysis },
});
const row = (move, staticValue, value, line = []) => [
  move,
  false,
  staticValue,
  value,
  9,
  line,
  null,
];
const VALUES = [row(2, 0.6, 0.6), row(4, 0.5, 0.1), row(8, 0.1, -0.2)];

/** Return what is said of a position with a search; `replies` win after the move it prefers. */
async function said({ values = VALUES, depth = 4, game = ISOLATION, replies = [12], ...more }) {
  const { reasons, value = 0.6, ...analysis } = more;
  const { connection, asked } = answeringArena({
    analyse: () => ({ winning_moves: replies }),
    find_matching: () => {
      if (!reasons) throw new Error("too large");
      return { sentences: reasons };
    },
  });
  const searched = position({ search: { ...FOUND, value }, ...analysis }, game);
  const paragraphs = await disagreements(searched, values, depth, connection);
  return { words: paragraphs.map(({ textContent }) => textContent), asked };
}

const AGREED =
  "The search to depth 4 prefers 2, with which player 1 wins with perfect play: both agree.";
const START =
  "The search to depth 4 values 2 at 0.6, the best for player 1, but after 2 player 2 wins";
const VALUED = "With perfect play 8 wins, which the search values";
const LOSES = "The search to depth 4 values the position at";
const UNKNOWN = "Perfect play is unknown here.";
const STATIC = `${UNKNOWN} The static evaluation`;
const [two, four] = [row(2, 0.1, 0.6), row(4, 0.5, 0.1)];
for (const [options, ...expected] of [
  [{ search: null }],
  [{ winning_moves: [2, 8] }, AGREED],
  [{ winning_moves: [2], value: 0 }, AGREED],
  [{ winning_moves: [2], values: [two, row(4, null, 0)] }, AGREED],
  [
    { player: 2, winning_moves: [2], depth: 0 },
    "The search to the end prefers 2, with which player 2 wins with perfect play, but values it at " +
      "0.6, in favour of player 1: it does not see the end.",
    "The static evaluation values 8 at 0.1, the best for player 2, but after 8 player 1 wins with " +
      "12. With perfect play 2 wins, which the search values at 0.6.",
  ],
  [
    { winning_moves: [2], values: [two, four, row(8, 0.3, 0)] },
    AGREED,
    "The static evaluation values 4 at 0.5, the best for player 1, but after 4 player 2 wins with " +
      "12. With perfect play 2 wins, which the search values at 0.6.",
  ],
  [{}, `${START} with 12. ${VALUED} at −0.2.`],
  [{ replies: [12, 14, 16] }, `${START} with 12, 14 or 16. ${VALUED} at −0.2.`],
  [{ replies: [12, 14, 16, 18] }, `${START} with 12, 14, 16 or 1 other. ${VALUED} at −0.2.`],
  [{ replies: null }, `${START}. ${VALUED} at −0.2.`],
  [{ values: [row(2, 1, 0.6), row(8, 0, 0.6)] }, `${START} with 12. ${VALUED} the same.`],
  [{ values: [row(2, 1, 0), row(8, 0, null)] }, `${START} with 12. With perfect play 8 wins.`],
  [
    { winning_moves: [], value: -0.2 },
    `${LOSES} −0.2, and player 2 wins against any move: both agree.`,
  ],
  [
    { winning_moves: [], player: 2, value: 0 },
    `${LOSES} 0.0, and player 1 wins against any move: both agree.`,
  ],
  ...[
    [[12], "with 12"],
    [[], "too"],
  ].map(([replies, end]) => [
    { winning_moves: [], replies },
    `${LOSES} 0.6, in favour of player 1, but player 2 wins against any move: after 2 ${end}.`,
  ]),
  [{ winning_moves: null }, `${STATIC} and the search both prefer 2.`],
  [{ winning_moves: null, values: [row(2, null, 1)] }, UNKNOWN],
  [
    { winning_moves: null, values: [two, row(4, 0.5, 0.1, [4, 12, 6])] },
    `${STATIC} prefers 4, at 0.5, the search 2: after 4 the search expects 12 6, worth 0.1.`,
  ],
  ...[row(4, 0.5, null, [4, 12]), row(4, 0.5, 0.1, [4])].map(other => [
    { winning_moves: null, values: [two, other] },
    `${STATIC} prefers 4, at 0.5, the search 2.`,
  ]),
]) {
  test(`the search is compared with perfect play: ${JSON.stringify(options)}`, async () => {
    deepEqual((await said(options)).words, expected);
  });
}

test("the reasons of the game follow, if it has some", async () => {
  const { words, asked } = await said({ game: STONES, reasons: ["It is so.", "It is play."] });
  equal(words[1], "It is so. It is play.");
  const question = { game: "take_stones", setup: { stones: 20 }, moves: [3, 6, 2] };
  deepEqual(asked, [
    { type: "analyse", ...question, depth: null },
    { type: "find_matching", ...question },
  ]);
  equal((await said({ game: STONES })).words.length, 1); // too large
});

/** Return a panel whose arena answers, or waits. */
function movePanel(t, answers = {}) {
  const { connection, asked } = answeringArena({
    find_move_values: () => ({ values: VALUES }),
    analyse: () => ({ winning_moves: [12] }),
    find_matching: () => LOST,
    ...answers,
  });
  const [onMove, onMark] = [t.mock.fn(), t.mock.fn()];
  const panel = new MovePanel(connection, { onMove, onMark });
  const { element } = panel;
  const words = () => texts(".disagreement p", element);
  const summary = () => element.querySelector(".hint").textContent;
  return { panel, element, asked, onMove, onMark, words, summary };
}

test("moves are shown, then their values, then what differs", async t => {
  const { panel, element, asked, words, summary, onMove, onMark } = movePanel(t);
  equal(element.hidden, true);
  panel.show(position(), true);
  deepEqual([element.hidden, summary(), words()], [false, "Each move is searched…", []]);
  await panel.search(position());
  deepEqual(asked[0], {
    type: "find_move_values",
    game: "take_stones",
    setup: { stones: 20 },
    moves: [3, 6],
    depth: 4,
  });
  match(summary(), /^Each move was searched alone to depth 4/);
  match(words()[0], /^The search to depth 4 values 2/);
  equal(element.querySelector(".disagreement").getAttribute("role"), "status");
  button("4", element).click();
  pointAt(element.querySelector("tr[data-move='4'] td"), "mouseover");
  deepEqual([onMove.mock.calls[0].arguments, onMark.mock.calls[0].arguments], [[4], [4]]);
  panel.show(position(), true);
  deepEqual(words(), []);
});

test("a search that was stopped is repeated to the depth that it has reached", async t => {
  const { panel, asked } = movePanel(t);
  panel.show(position(), true);
  await panel.search(position({ search: { ...FOUND, stopped: "nodes" } }));
  equal(asked[0].depth, 3);
});

test("at the end of the game there is no table", async t => {
  const { panel, element, asked } = movePanel(t);
  panel.show(position({ legal_moves: [] }), true);
  await panel.search(position({ legal_moves: [] }));
  deepEqual([element.hidden, asked], [true, []]);
});

for (const [name, answers, analysis, text] of [
  [
    "a search without a result",
    {},
    { search: null },
    "The moves have no values, as the search has none.",
  ],
  [
    "an error",
    {
      find_move_values: () => {
        throw new Error("not connected");
      },
    },
    {},
    "The moves have no values: not connected.",
  ],
]) {
  test(`after ${name} it is said: ${text}`, async t => {
    const { panel, summary } = movePanel(t, answers);
    panel.show(position(), true);
    await panel.search(position(analysis));
    equal(summary(), text);
  });
}

for (const [name, type, fails] of [
  ["values", "find_move_values", false],
  ["errors", "find_move_values", true],
  ["sentences", "analyse", false],
]) {
  test(`${name} of an earlier position are dropped`, async t => {
    const { promise, resolve, reject } = Promise.withResolvers();
    const { panel, words, summary } = movePanel(t, { [type]: () => promise });
    panel.show(position(), true);
    const done = panel.search(position());
    await settle();
    panel.show(position(), false);
    if (fails) reject(new Error("late"));
    else resolve({ values: VALUES, winning_moves: [12] });
    await done;
    deepEqual([words(), summary()], [[], "No search depth is set."]);
  });
}
