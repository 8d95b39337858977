import { deepEqual, equal, ok } from "node:assert/strict";
import { analysisElements, decimal } from "/analysis/analysis_result.js";
import { GAMES } from "../support/arena.js";
import { takeStones } from "../support/boards.js";
import { test } from "../support/browser.js";
import { button, properties, text, texts } from "../support/elements.js";

const SEARCH = {
  ...{ depth: 4, move: 2, value: 0.6, nodes_visited: 8600, nodes_evaluated: 4500, max_depth: 4 },
  ...{ branching_factor: 2.0732, stopped: null, winner: null },
};
const ANALYSIS = {
  ...{ player: 2, legal_moves: [2, 12, 18], value: -0.6, explanation: "Stone 1 is taken." },
  ...{ winner: 2, winning_moves: [12], search: SEARCH, search_error: null },
};
const OVER = { legal_moves: [], winning_moves: [], search: null };
const [STONES, ISOLATION] = GAMES;

/** Return the elements of an analysis in a box. */
function shown(analysis = {}, position = {}) {
  const box = document.createElement("div");
  const usual = { game: STONES, module: takeStones, setup: { stones: 20 }, moves: [3, 1, 6] };
  const all = { ...usual, depth: 4, isSearching: false, onMove() {}, ...position };
  box.append(...analysisElements({ ...ANALYSIS, ...analysis }, all));
  return box;
}

const NO_TIME = "The winner is unknown: the solver ran out of time.";
const UNSEEN =
  "The winner is unknown: this game has no solver, and the search has not seen the end.";
const decided = player => `Player ${player} wins with perfect play: the game is decided.`;
for (const [analysis, game, winner, turn] of [
  [
    {},
    STONES,
    "Player 2 wins with perfect play, by 1 of 3 moves: ★.",
    "Player 2 to move, 3 legal moves",
  ],
  [{ winner: 1, winning_moves: [] }, STONES, "Player 1 wins against any move with perfect play."],
  [{ winner: null }, STONES, NO_TIME],
  [{ winning_moves: null }, STONES, NO_TIME],
  [{ ...OVER, winner: 1 }, STONES, "Player 1 has won.", "The game is over"],
  [{ ...OVER, winner: null }, STONES, "It is a draw.", "The game is over"],
  [
    { legal_moves: [2], winning_moves: [2] },
    STONES,
    "Player 2 wins with perfect play, by 1 of 1 move: ★.",
    "Player 2 to move, 1 legal move",
  ],
  [{ winner: null }, ISOLATION, UNSEEN],
  [{ winner: null, search: null }, ISOLATION, UNSEEN],
  [{ winner: null, search: { ...SEARCH, winner: 1 } }, ISOLATION, decided(1)],
  [{ winner: 2 }, ISOLATION, decided(2)],
]) {
  test(`it is said who wins: ${winner}`, () => {
    const box = shown(analysis, { game });
    equal(box.querySelector("p").textContent, winner);
    if (turn) equal(box.querySelector("h2").textContent, turn);
  });
}

test("players have their colours", () => {
  const box = shown({ winner: 1, winning_moves: [] });
  equal(box.querySelector("h2 span").className, "player-2");
  equal(box.querySelector("p span").className, "player-1");
});

test("legal moves are in groups, winners first", t => {
  const onMove = t.mock.fn();
  const box = shown({ legal_moves: [2, 3, 12, 18], winning_moves: [12, 3] }, { onMove });
  equal(
    text(".legal-moves > .hint", box),
    "wins, factor of 6 | wins, multiple of 6 | factor of 6 | multiple of 6",
  );
  deepEqual(texts(".legal-moves ul", box), ["3 ✓ wins", "12 ✓ wins", "2", "18"]);
  deepEqual(properties("className", box.querySelectorAll(".legal-moves button")), [
    "wins",
    "wins",
    "",
    "",
  ]);
  button("18", box).click();
  deepEqual(onMove.mock.calls[0].arguments, [18]);
});

test("of each group 500 moves are shown", () => {
  const moves = Array.from({ length: 1501 }, (_, at) => at + 7);
  const box = shown({ legal_moves: moves.slice(0, 500), winning_moves: null }, { module: null });
  deepEqual([texts("li", box).length, texts(".legal-moves .hint", box)], [500, [""]]);
  const more = shown({ legal_moves: moves, winning_moves: null });
  equal(texts("li", more).length, 500);
  deepEqual(texts(".legal-moves .hint", more), ["multiple of 6", "and 1,001 more"]);
});

test("the static evaluation is explained, unless there is none", () => {
  const evaluation = box => texts("p", box).slice(1, 3);
  deepEqual(evaluation(shown()), ["−0.6 for player 1", "Stone 1 is taken."]);
  equal(evaluation(shown({ value: null }))[0], "This game has no evaluation.");
});

test("the search has its numbers", () => {
  const box = shown();
  equal(
    text("dt", box),
    "Move | Value | Nodes visited | Nodes evaluated | Max depth reached | " +
      "Effective branching factor",
  );
  deepEqual(texts("dd", box), ["2", "0.6", "8,600", "4,500", "4", "2.07"]);
  equal(box.querySelector(".warning"), null);
  deepEqual(texts("h3", box), ["Static evaluation", "Alpha-beta search", "On the command line"]);
});

for (const [analysis, position, text] of [
  [{}, {}, "Depth: 4 plies."],
  [{ search: { ...SEARCH, depth: 1 } }, {}, "Depth: 1 ply."],
  [{ search: { ...SEARCH, depth: 0 } }, {}, "To the end of the game."],
  [
    { search: { ...SEARCH, stopped: "nodes" } },
    {},
    "The search was stopped early: node limit reached.",
  ],
  [
    { search: { ...SEARCH, stopped: "seconds" } },
    {},
    "The search was stopped early: time limit reached.",
  ],
  [{ search: { ...SEARCH, stopped: "luck" } }, {}, "The search was stopped early: luck reached."],
  [{ search_error: "no memory" }, {}, "There is no result: no memory."],
  [{ search: null }, {}, "No search depth is set."],
  [OVER, {}, "There is no legal move to search."],
  [{}, { isSearching: true }, "Searching…"],
]) {
  test(`of the search it is said: ${text}`, () =>
    ok(texts("p", shown(analysis, position)).includes(text)));
}

test("a search can be seen step by step, unless there is no move", () => {
  const link = shown().querySelector("a");
  equal(link.getAttribute("href"), "#/learn?game=take_stones&stones=20&moves=3%2C1%2C6&depth=3");
  equal(link.textContent, "See a search step by step");
  equal(shown(OVER).querySelector("a"), null);
});

for (const [analysis, position, command] of [
  [{}, {}, "python -m core.take_stones 20 3 3 1 6 4"],
  [{ search: null }, { depth: 0 }, "python -m core.take_stones 20 3 3 1 6 0"],
  [
    { search: { ...SEARCH, stopped: "nodes", max_depth: 3 } },
    {},
    "python -m core.take_stones 20 3 3 1 6 3",
  ],
  [{}, { depth: null }, null],
  [{}, { module: null }, null],
  [OVER, {}, null],
]) {
  test(`the command is ${command}`, () => {
    const code = shown(analysis, position).querySelector(".copyable code");
    equal(code?.textContent ?? null, command);
    if (code) equal(code.nextElementSibling.getAttribute("aria-label"), "Copy the command");
  });
}

test("values have one or two decimals", () => {
  const written = { 0.6: "0.6", "-1": "−1.0", 2.125: "2.13", 12345: "12,345.0" };
  for (const [value, text] of Object.entries(written)) equal(decimal(Number(value)), text);
});
