import assert from "node:assert/strict";
import { PuzzleScreen } from "/puzzles/puzzle_screen.js";
import { connect, puzzle as puzzleOf } from "../support/arena.js";
import { pass, replaceProperty, settle, signal, test } from "../support/browser.js";
import { all, button, links, show, texts } from "../support/elements.js";

const status = () => texts(".puzzle-status")[0];
const kind = () => document.querySelector(".puzzle-status").className;
const isShown = text => !button(text).closest("[hidden]");

/** Show a puzzle whose board is a stand-in that notes what it shows. */
function open({ puzzle = {}, hasMatching = false, module = {} } = {}) {
  const { connection, socket } = connect();
  const shown = [];
  const results = [];
  let choose;
  class Board {
    element = document.createElement("div");
    constructor(_, { onMove }) {
      choose = onMove;
    }
    show(state) {
      shown.push(state);
    }
  }
  const formatMove = move => `m${move}`;
  const screen = new PuzzleScreen({
    puzzle: puzzleOf(puzzle),
    module: { isDrawable: () => true, formatMove, Board, ...module },
    hasMatching,
    connection,
    signal: signal(),
    onResult: result => results.push(result),
    onOver: () => results.push("over"),
  });
  show(...screen.head, screen.board, ...screen.parts);
  const analyse = fields => socket.answer("analyse", { legal_moves: [1, 2], ...fields });
  const board = () => shown.at(-1);
  return { screen, socket, results, board, analyse, choose: move => choose(move) };
}
/** Play a winning move, which the opponent answers. */
async function play(found, move, reply, next) {
  found.choose(move);
  await found.analyse({ search: { move: reply } });
  await found.analyse(next);
}
const asked = socket => socket.questions("analyse").at(-1);

test("a puzzle says who is to move, and how hard it is", () => {
  const { board } = open();
  assert.equal(texts(".puzzle-turn")[0], "Player 2 to move. Find the winning move.");
  assert.equal(
    texts(".hint")[0],
    "Take-Stones, 20 stones. Easy: 1 of 3 moves wins and the match went on for 12 moves.",
  );
  assert.equal(status(), "Choose a move on the board.");
  assert.equal(document.querySelector("section").getAttribute("aria-label"), "Board");
  assert.deepEqual([board().moves, board().isInteractive], [[3, 6, 2], true]);
  assert.deepEqual(["Hint", "Try again", "Solution"].map(isShown), [true, false, true]);
  document.body.replaceChildren();
  open({ puzzle: { winning_moves: [4, 8] } });
  assert.equal(texts(".puzzle-turn")[0], "Player 2 to move. Find a winning move.");
});

test("a winning move is answered after a moment, and the next one asked for", async () => {
  const found = open();
  const { socket, board, results } = found;
  found.choose(8);
  assert.equal(status(), "m8 keeps the win.");
  assert.deepEqual([board().moves, board().isInteractive], [[3, 6, 2, 8], false]);
  assert.equal(button("Hint").ariaDisabled, "true");
  assert.deepEqual([asked(socket).moves, asked(socket).depth], [[3, 6, 2, 8], 4]);
  await found.analyse({ search: { move: 1 } });
  assert.deepEqual([asked(socket).moves, asked(socket).depth], [[3, 6, 2, 8, 1], null]);
  await found.analyse({ legal_moves: [5, 7], winning_moves: [7] });
  await pass(599);
  assert.equal(status(), "m8 keeps the win.");
  await pass(1);
  assert.equal(status(), "m8 keeps the win. Player 1 answers m1. Your move again.");
  assert.equal(kind(), "puzzle-status is-right");
  assert.deepEqual([board().moves, board().isInteractive], [[3, 6, 2, 8, 1], true]);
  assert.equal(button("Hint").ariaDisabled, "false");
  assert.deepEqual(results, []);
});

test("a puzzle is solved when the game is over, or every move wins", async () => {
  const outcome = { winner: 2, reason: "player 1 cannot move" };
  const first = open();
  first.choose(8);
  await first.analyse({ legal_moves: [] });
  await first.socket.answer("find_position", { outcome });
  assert.equal(status(), "m8 keeps the win. Player 2 wins: player 1 cannot move. Solved!");
  assert.deepEqual(first.results, ["solved", "over"]);
  assert.deepEqual(["Hint", "Try again", "Solution"].map(isShown), [false, false, false]);
  document.body.replaceChildren();
  const second = open();
  await play(second, 8, 1, { legal_moves: [] });
  await second.socket.answer("find_position", { outcome });
  await pass(600);
  assert.match(status(), /answers m1\. Player 2 wins: player 1 cannot move\. Solved!$/);
  for (const next of [{ winning_moves: [1, 2] }, { winning_moves: null }]) {
    document.body.replaceChildren();
    await play(open(), 8, 1, next);
    await pass(600);
    assert.match(status(), / answers m1\. Every move wins now\. Solved!$/);
    assert.equal(kind(), "puzzle-status is-right");
  }
});

test("three choices are enough, and a search is not needed for a reply", async () => {
  const found = open();
  for (const [move, expected] of [
    [8, /Your move again\.$/],
    [8, /Your move again\.$/],
    [8, /answers m1\. The rest is won with perfect play, too\. Solved!$/],
  ]) {
    found.choose(move);
    await found.analyse({ search: null });
    await found.analyse({ legal_moves: [8, 9], winning_moves: [8] });
    await pass(600);
    assert.match(status(), expected);
  }
});

test("a wrong move is refuted, and may be replaced", async () => {
  const found = open();
  const animations = [];
  found.screen.board.firstChild.animate = (...how) => animations.push(how);
  found.choose(4);
  assert.equal(status(), "m4 gives up the win.");
  assert.deepEqual(found.results, ["failed"]);
  assert.equal(animations[0][1], 350);
  assert.deepEqual(animations[0][0].map(({ transform }) => transform)[1], "translateX(-6px)");
  assert.equal(isShown("Try again"), false);
  assert.deepEqual([asked(found.socket).moves, asked(found.socket).depth], [[3, 6, 2, 4], null]);
  await found.analyse({ winning_moves: [12] });
  assert.equal(status(), "m4 gives up the win: player 1 answers m12 and wins with perfect play.");
  assert.equal(kind(), "puzzle-status is-wrong");
  assert.deepEqual([found.board().moves, found.board().isInteractive], [[3, 6, 2, 4, 12], false]);
  assert.deepEqual(["Hint", "Try again", "Solution"].map(isShown), [false, true, true]);
  assert.ok(document.activeElement === button("Try again"));
  found.screen.board.firstChild.innerHTML = '<i tabindex="0">hidden</i><b tabindex="0">cell</b>';
  found.screen.board.querySelector("i").checkVisibility = () => false;
  button("Try again").click();
  assert.equal(status(), "Try another move.");
  assert.deepEqual(found.board().moves, [3, 6, 2]);
  assert.equal(document.activeElement.textContent, "cell");
  found.choose(8);
  await found.analyse({ legal_moves: [] });
  await found.socket.answer("find_position", { outcome: { winner: 2, reason: "over" } });
  assert.deepEqual(found.results, ["failed", "over"]);
});

test("a wrong move that ends the game is refuted by none; the board keeps still where asked", async () => {
  replaceProperty(globalThis, "matchMedia", query => ({
    matches: query.includes("reduced-motion: reduce"),
  }));
  const found = open();
  const animations = [];
  found.screen.board.firstChild.animate = () => animations.push(1);
  found.choose(4);
  await found.analyse({ winning_moves: [] });
  assert.equal(status(), "m4 gives up the win: the game is over.");
  assert.deepEqual(found.board().moves, [3, 6, 2, 4]);
  assert.deepEqual(animations, []);
});

test("an illegal move is explained", () => {
  const { screen } = open({
    module: { explainIllegal: (_, moves, move) => `${move} after ${moves}` },
  });
  screen.board.firstChild.dispatchEvent(new CustomEvent("illegal", { detail: 7 }));
  assert.equal(status(), "7 after 3,6,2");
});

test("a hint names two moves, the losing one of the match", async () => {
  for (const [fields, text, marked] of [
    [{}, "One of these two moves wins: m4 or m8.", [4, 8]],
    [{ played: 8 }, "One of these two moves wins: m4 or m8.", [4, 8]],
    [{ played: 10 }, "One of these two moves wins: m8 or m10.", [8, 10]],
    [{ played: 99 }, "One of these two moves wins: m4 or m8.", [4, 8]],
  ]) {
    document.body.replaceChildren();
    const found = open({ puzzle: fields });
    button("Hint").click();
    assert.equal(status(), text);
    assert.deepEqual(
      [...found.board().marks],
      marked.map(move => [move, "hint"]),
    );
    found.choose(8);
    button("Hint").click();
    assert.equal(status(), "m8 keeps the win.");
    button("Solution").click();
    assert.equal(status(), "m8 keeps the win.");
    await found.analyse({ legal_moves: [] });
    await found.socket.answer("find_position", { outcome: { winner: 2, reason: "over" } });
    assert.deepEqual(found.results, ["helped", "over"]);
  }
});

test("the solution ends the puzzle, and where it comes from is told", () => {
  const found = open();
  button("Solution").click();
  assert.equal(status(), "The solution: m8 wins.");
  assert.deepEqual([...found.board().marks], [[8, "winning"]]);
  assert.deepEqual(found.results, ["failed", "over"]);
  assert.deepEqual(texts(".puzzle-end h2, .puzzle-end p, .puzzle-end a"), [
    "Why",
    "Player 2 wins against every answer with perfect play.",
    "In match 1, bob missed the win with m4.",
    "Match",
    "Analysis",
  ]);
  assert.equal(links(document)[0], "#/match/1/3");
  assert.match(links(document)[1], /^#\/analysis\/?.*take_stones/);
  assert.equal(all(".puzzle-end .player-2").length, 1);
  document.body.replaceChildren();
  open({ puzzle: { winning_moves: [4, 8], player: 1 } });
  button("Solution").click();
  assert.equal(status(), "The solution: m4 or m8 win.");
  assert.equal(texts(".puzzle-end p")[1], "In match 1, ann found the win with m4.");
});

test("a game with a matching gives the reason in its words", async () => {
  const found = open({ hasMatching: true });
  button("Solution").click();
  const [question] = found.socket.questions("find_matching");
  assert.deepEqual([question.game, question.moves], ["take_stones", [3, 6, 2]]);
  await found.socket.answer("find_matching", { sentences: ["One.", "Two."] });
  assert.deepEqual(texts(".puzzle-end > div:first-child > *"), ["Why", "One.", "Two."]);
  document.body.replaceChildren();
  const busy = open({ hasMatching: true });
  button("Solution").click();
  await busy.socket.fail("find_matching", "busy");
  assert.match(texts(".puzzle-end p")[0], /^Player 2 wins against/);
});

test("what the arena has not answered is asked again", async () => {
  const found = open();
  const { socket, screen } = found;
  found.choose(8);
  await socket.fail("analyse", "the arena is busy");
  assert.equal(status(), "m8 keeps the win. The arena is busy.");
  assert.ok(isShown("Try again"));
  button("Try again").click();
  assert.equal(status(), "m8 keeps the win.");
  assert.equal(isShown("Try again"), false);
  assert.equal(socket.questions("analyse").length, 2);
  const lost = socket.questions("analyse")[1];
  screen.resume();
  assert.equal(socket.questions("analyse").length, 3);
  await socket.answer("error", { message: "late" }, lost);
  assert.equal(status(), "m8 keeps the win.");
  await found.analyse({ search: { move: 1 } });
  await found.analyse({ winning_moves: [1] });
  await pass(600);
  assert.match(status(), /Your move again\.$/);
  screen.resume();
  assert.equal(socket.questions("analyse").length, 4);
});

test("a puzzle that is closed does nothing more", async () => {
  const replied = open();
  await play(replied, 8, 1, { winning_moves: [1] });
  replied.screen.close();
  await pass(600);
  assert.equal(status(), "m8 keeps the win.");
  for (const move of [8, 4]) {
    document.body.replaceChildren();
    const found = open();
    found.choose(move);
    const before = status();
    found.screen.close();
    await found.analyse({ legal_moves: [1], winning_moves: [1], search: { move: 1 } });
    if (move === 8) await found.analyse({ winning_moves: [1] });
    await pass(600);
    assert.equal(status(), before);
    found.screen.resume();
    await settle();
    assert.equal(status(), before);
  }
});
