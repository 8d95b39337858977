import { deepEqual, equal, match, ok } from "node:assert/strict";
import { PuzzleScreen } from "/puzzles/puzzle_screen.js";
import { connect, puzzle as puzzleOf } from "../support/arena.js";
import { pass, replaceProperty, settle, signal, test } from "../support/browser.js";
import { all, button, links, show, text, texts } from "../support/elements.js";

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
  const listeners = { onResult: how => results.push(how), onOver: () => results.push("over") };
  const screen = new PuzzleScreen({
    ...{ puzzle: puzzleOf(puzzle), hasMatching, connection, signal: signal(), ...listeners },
    module: { isDrawable: () => true, formatMove, Board, ...module },
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
  equal(texts(".puzzle-turn")[0], "Player 2 to move. Find the winning move.");
  equal(
    texts(".hint")[0],
    "Take-Stones, 20 stones. Easy: 1 of 3 moves wins and the match went on for 12 moves.",
  );
  equal(status(), "Choose a move on the board.");
  equal(document.querySelector("section").getAttribute("aria-label"), "Board");
  deepEqual([board().moves, board().isInteractive], [[3, 6, 2], true]);
  deepEqual(["Hint", "Try again", "Solution"].map(isShown), [true, false, true]);
  open({ puzzle: { winning_moves: [4, 8] } });
  equal(texts(".puzzle-turn")[0], "Player 2 to move. Find a winning move.");
});

test("a winning move is answered after a moment, and the next one asked for", async () => {
  const found = open();
  const { socket, board, results } = found;
  found.choose(8);
  deepEqual([status(), board().moves], ["m8 keeps the win.", [3, 6, 2, 8]]);
  deepEqual([board().isInteractive, button("Hint").ariaDisabled], [false, "true"]);
  deepEqual([asked(socket).moves, asked(socket).depth], [[3, 6, 2, 8], 4]);
  await found.analyse({ search: { move: 1 } });
  deepEqual([asked(socket).moves, asked(socket).depth], [[3, 6, 2, 8, 1], null]);
  await found.analyse({ legal_moves: [5, 7], winning_moves: [7] });
  await pass(599);
  equal(status(), "m8 keeps the win.");
  await pass(1);
  equal(status(), "m8 keeps the win. Player 1 answers m1. Your move again.");
  deepEqual([kind(), board().moves], ["puzzle-status is-right", [3, 6, 2, 8, 1]]);
  deepEqual([board().isInteractive, button("Hint").ariaDisabled, results], [true, "false", []]);
});

test("a puzzle is solved when the game is over, or every move wins", async () => {
  const outcome = { winner: 2, reason: "player 1 cannot move" };
  const first = open();
  first.choose(8);
  await first.analyse({ legal_moves: [] });
  await first.socket.answer("find_position", { outcome });
  equal(status(), "m8 keeps the win. Player 2 wins: player 1 cannot move. Solved!");
  deepEqual(first.results, ["solved", "over"]);
  deepEqual(["Hint", "Try again", "Solution"].map(isShown), [false, false, false]);
  const second = open();
  await play(second, 8, 1, { legal_moves: [] });
  await second.socket.answer("find_position", { outcome });
  await pass(600);
  match(status(), /answers m1\. Player 2 wins: player 1 cannot move\. Solved!$/);
  for (const next of [{ winning_moves: [1, 2] }, { winning_moves: null }]) {
    await play(open(), 8, 1, next);
    await pass(600);
    match(status(), / answers m1\. Every move wins now\. Solved!$/);
    equal(kind(), "puzzle-status is-right");
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
    match(status(), expected);
  }
});

test("a wrong move is refuted, and may be replaced", async () => {
  const found = open();
  const animations = [];
  found.screen.board.firstChild.animate = (...how) => animations.push(how);
  found.choose(4);
  deepEqual([status(), found.results, animations[0][1]], ["m4 gives up the win.", ["failed"], 350]);
  deepEqual(animations[0][0].map(({ transform }) => transform)[1], "translateX(-6px)");
  equal(isShown("Try again"), false);
  deepEqual([asked(found.socket).moves, asked(found.socket).depth], [[3, 6, 2, 4], null]);
  await found.analyse({ winning_moves: [12] });
  equal(status(), "m4 gives up the win: player 1 answers m12 and wins with perfect play.");
  equal(kind(), "puzzle-status is-wrong");
  deepEqual([found.board().moves, found.board().isInteractive], [[3, 6, 2, 4, 12], false]);
  deepEqual(["Hint", "Try again", "Solution"].map(isShown), [false, true, true]);
  ok(document.activeElement === button("Try again"));
  found.screen.board.firstChild.innerHTML = '<i tabindex="0">hidden</i><b tabindex="0">cell</b>';
  found.screen.board.querySelector("i").checkVisibility = () => false;
  button("Try again").click();
  deepEqual([status(), found.board().moves], ["Try another move.", [3, 6, 2]]);
  equal(document.activeElement.textContent, "cell");
  found.choose(8);
  await found.analyse({ legal_moves: [] });
  await found.socket.answer("find_position", { outcome: { winner: 2, reason: "over" } });
  deepEqual(found.results, ["failed", "over"]);
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
  equal(status(), "m4 gives up the win: the game is over.");
  deepEqual([found.board().moves, animations], [[3, 6, 2, 4], []]);
});

test("an illegal move is explained", () => {
  const { screen } = open({
    module: { explainIllegal: (_, moves, move) => `${move} after ${moves}` },
  });
  screen.board.firstChild.dispatchEvent(new CustomEvent("illegal", { detail: 7 }));
  equal(status(), "7 after 3,6,2");
});

test("a hint names two moves, the losing one of the match", async () => {
  for (const [fields, text, marked] of [
    [{}, "One of these two moves wins: m4 or m8.", [4, 8]],
    [{ played: 8 }, "One of these two moves wins: m4 or m8.", [4, 8]],
    [{ played: 10 }, "One of these two moves wins: m8 or m10.", [8, 10]],
    [{ played: 99 }, "One of these two moves wins: m4 or m8.", [4, 8]],
  ]) {
    const found = open({ puzzle: fields });
    button("Hint").click();
    equal(status(), text);
    deepEqual(
      [...found.board().marks],
      marked.map(move => [move, "hint"]),
    );
    found.choose(8);
    button("Hint").click();
    equal(status(), "m8 keeps the win.");
    button("Solution").click();
    equal(status(), "m8 keeps the win.");
    await found.analyse({ legal_moves: [] });
    await found.socket.answer("find_position", { outcome: { winner: 2, reason: "over" } });
    deepEqual(found.results, ["helped", "over"]);
  }
});

test("the solution ends the puzzle, and where it comes from is told", () => {
  const found = open();
  button("Solution").click();
  equal(status(), "The solution: m8 wins.");
  deepEqual([...found.board().marks], [[8, "winning"]]);
  deepEqual(found.results, ["failed", "over"]);
  equal(
    text(".puzzle-end h2, .puzzle-end p, .puzzle-end a"),
    "Why | Player 2 wins against every answer with perfect play. | " +
      "In match 1, bob missed the win with m4. | Match | Analysis | ",
  );
  equal(links(document)[0], "#/match/1/3");
  match(links(document)[1], /^#\/analysis\/?.*take_stones/);
  equal(all(".puzzle-end .player-2").length, 1);
  open({ puzzle: { winning_moves: [4, 8], player: 1 } });
  button("Solution").click();
  equal(status(), "The solution: m4 or m8 win.");
  equal(texts(".puzzle-end p")[1], "In match 1, ann found the win with m4.");
});

test("a game with a matching gives the reason in its words", async () => {
  const found = open({ hasMatching: true });
  button("Solution").click();
  const [question] = found.socket.questions("find_matching");
  deepEqual([question.game, question.moves], ["take_stones", [3, 6, 2]]);
  await found.socket.answer("find_matching", { sentences: ["One.", "Two."] });
  deepEqual(texts(".puzzle-end > div:first-child > *"), ["Why", "One.", "Two."]);
  const busy = open({ hasMatching: true });
  button("Solution").click();
  await busy.socket.fail("find_matching", "busy");
  match(texts(".puzzle-end p")[0], /^Player 2 wins against/);
});

test("what the arena has not answered is asked again", async () => {
  const found = open();
  const { socket, screen } = found;
  found.choose(8);
  await socket.fail("analyse", "the arena is busy");
  equal(status(), "m8 keeps the win. The arena is busy.");
  ok(isShown("Try again"));
  button("Try again").click();
  deepEqual([status(), isShown("Try again")], ["m8 keeps the win.", false]);
  equal(socket.questions("analyse").length, 2);
  const lost = socket.questions("analyse")[1];
  screen.resume();
  equal(socket.questions("analyse").length, 3);
  await socket.answer("error", { message: "late" }, lost);
  equal(status(), "m8 keeps the win.");
  await found.analyse({ search: { move: 1 } });
  await found.analyse({ winning_moves: [1] });
  await pass(600);
  match(status(), /Your move again\.$/);
  screen.resume();
  equal(socket.questions("analyse").length, 4);
});

test("a puzzle that is closed does nothing more", async () => {
  const replied = open();
  await play(replied, 8, 1, { winning_moves: [1] });
  replied.screen.close();
  await pass(600);
  equal(status(), "m8 keeps the win.");
  for (const move of [8, 4]) {
    const found = open();
    found.choose(move);
    const before = status();
    found.screen.close();
    await found.analyse({ legal_moves: [1], winning_moves: [1], search: { move: 1 } });
    if (move === 8) await found.analyse({ winning_moves: [1] });
    await pass(600);
    equal(status(), before);
    found.screen.resume();
    await settle();
    equal(status(), before);
  }
});
