import { deepEqual, equal } from "node:assert/strict";
import { MoveNames } from "/boards/create_board.js";
import { TextBoard } from "/boards/text_board.js";
import { ARENA, connect } from "../support/arena.js";
import { leaveView, pass, settle, signal, testAfter } from "../support/browser.js";
import { all, press, properties } from "../support/elements.js";

const SETUP = { heap: 10 };

/** Return the arena's answer: the stones that are left, each named by the move that it is. */
const position = (moves, legal = [1, 2, 3], facts = {}) => ({
  text: `${moves.reduce((left, move) => left - move, 10)} left`,
  player: 1 + (moves.length % 2),
  legal_moves: legal,
  legal_names: legal.map(move => `take ${move}`),
  played_names: moves.map(move => `took ${move}`),
  outcome: null,
  ...facts,
});

let arena, connection, board, chosen, named;
const test = testAfter(() => {
  ({ connection, socket: arena } = connect({ ...ARENA, games: [] }));
  [chosen, named] = [[], 0];
  const names = new MoveNames(move => `#${move}`);
  const listeners = { onNames: () => named++, onMove: move => chosen.push(move) };
  const game = { game: "nim", setup: SETUP };
  board = new TextBoard({ ...game, connection, signal: signal(), names, ...listeners });
  document.body.append(board.element);
});

const part = selector => board.element.querySelector(selector);
const buttons = () => all(".choices button", board.element);
const texts = () => buttons().map(button => button.textContent);
const answer = (...values) => arena.answer("find_position", position(...values));
const questions = () =>
  arena.questions("find_position").map(({ moves, ply }) => [moves.join(), ply]);
const state = () => [part("pre").textContent, part("p").textContent, board.element.ariaBusy];

async function show(moves, view = {}, ...answered) {
  board.show({ moves, ...view });
  pass(100);
  await answer(moves.slice(0, view.ply), ...answered);
}

const pressed = (key, more) =>
  press(key, document.activeElement, more) && buttons().indexOf(document.activeElement);

test("the arena is asked for the position, which is shown with its legal moves", async () => {
  board.show({ moves: [3, 1] });
  deepEqual(state(), ["", "", "true"]);
  const { type, game, setup, moves, ply } = arena.sent.at(-1);
  deepEqual([type, game, setup, moves, ply], ["find_position", "nim", SETUP, [3, 1], 2]);
  await answer([3, 1]);
  deepEqual(state(), ["6 left", "Player 1 to move, 3 legal moves", "false"]);
  deepEqual([texts(), named, part("p").className], [["take 1", "take 2", "take 3"], 1, "hint"]);
});

test("the parts have roles and labels", () => {
  equal(
    board.element.outerHTML,
    '<div class="board text-board">' +
      '<pre class="position" role="region" tabindex="0" aria-label="Position"></pre>' +
      '<p class="hint"></p>' +
      '<div class="choices" role="group" aria-label="Legal moves"></div></div>',
  );
});

test("the note names the outcome, one legal move, or a part of many", async () => {
  const outcome = { winner: 2, reason: "player 1 has taken the last one" };
  await show([1], {}, [], { outcome });
  equal(part("p").textContent, "Player 2 wins: player 1 has taken the last one.");
  await show([2], {}, [1]);
  equal(part("p").textContent, "Player 2 to move, 1 legal move");
  for (const [count, text] of [
    [501, "501 legal moves, of which the first 500:"],
    [500, "500 legal moves"],
  ]) {
    await show(
      [count],
      {},
      Array.from({ length: count }, (_, at) => at),
    );
    deepEqual([part("p").textContent, buttons().length], [`Player 2 to move, ${text}`, 500]);
  }
});

test("until the answer arrives the old position stays, without moves", async () => {
  await show([], { isInteractive: true, marks: new Map([[2, "winning"]]) });
  equal(buttons()[1].className, "winning");
  pass(100);
  board.show({ moves: [3], isInteractive: true, marks: new Map([[2, "winning"]]) });
  deepEqual(state(), ["10 left", "Player 1 to move, 3 legal moves", "true"]);
  deepEqual([buttons()[1].className, buttons()[1].ariaDisabled], ["", "true"]);
  deepEqual(texts(), ["take 1", "take 2", "take 3"]);
  buttons()[1].click();
  deepEqual(chosen, []);
});

test("there is one question at a time, the next for the latest position", async () => {
  board.show({ moves: [3, 1, 2], ply: 0 });
  for (const ply of [1, 2, 3]) {
    pass(100);
    board.show({ moves: [3, 1, 2], ply });
  }
  deepEqual(questions(), [["3,1,2", 0]]);
  await answer([]);
  deepEqual(state(), ["10 left", "Player 1 to move, 3 legal moves", "true"]);
  pass(100);
  deepEqual(questions(), [
    ["3,1,2", 0],
    ["3,1,2", 3],
  ]);
  await answer([3, 1, 2]);
  pass(1000);
  deepEqual([state()[0], questions().length], ["4 left", 2]);
});

test("questions are at least 100 milliseconds apart", async () => {
  await show([]);
  board.show({ moves: [1] });
  equal(questions().length, 2);
  await answer([1]);
  board.show({ moves: [2] });
  pass(99);
  equal(questions().length, 2);
  pass(1);
  equal(questions().length, 3);
});

test("a position that is shown is asked for again only for the names of other moves", async () => {
  board.show({ moves: [], ply: 0 });
  await answer([]);
  const list = buttons();
  board.show({ moves: [], isInteractive: true });
  pass(1000);
  equal(questions().length, 1);
  board.show({ moves: [3], ply: 0 });
  equal(questions().length, 1);
  board.show({ moves: [3, 2], ply: 0 });
  deepEqual(questions()[1], ["3,2", 0]);
  await answer([3, 2]);
  deepEqual([named, buttons()], [2, list]);
});

test("a refusal is shown until the next answer", async () => {
  board.show({ moves: [] });
  await arena.fail("find_position", "closing now");
  deepEqual([part("p").className, state()[1]], ["problem", "closing now"]);
  await show([]);
  deepEqual([part("p").className, state()[0]], ["hint", "10 left"]);
});

test("a legal move is chosen with a click, by a player alone", async () => {
  await show([], { isInteractive: true });
  deepEqual(properties("ariaDisabled", buttons()), Array(3).fill("false"));
  buttons()[1].click();
  part(".choices").click();
  board.show({ moves: [] });
  equal(buttons()[1].ariaDisabled, "true");
  buttons()[1].click();
  deepEqual(chosen, [2]);
});

test("a click leaves the focus where spectators step through the match", async () => {
  const isFocusKept = () =>
    !part(".choices").dispatchEvent(new MouseEvent("mousedown", { cancelable: true }));
  await show([]);
  equal(isFocusKept(), true);
  board.show({ moves: [], isInteractive: true });
  equal(isFocusKept(), false);
});

test("marks are classes and texts", async () => {
  await show([], {
    marks: new Map([
      [1, "hint"],
      [3, "winning"],
    ]),
  });
  deepEqual(properties("className", buttons()), ["hint", "", "winning"]);
  deepEqual(texts(), ["take 1 a hint", "take 2", "take 3 wins"]);
  equal(buttons()[0].lastChild.className, "hidden-text");
  const { firstChild } = buttons()[0];
  board.show({ moves: [], marks: new Map([[1, "hint"]]) });
  deepEqual(texts(), ["take 1 a hint", "take 2", "take 3"]);
  equal(buttons()[0].firstChild, firstChild, "what stays is not written again");
  board.show({ moves: [], marks: new Map([[2, "hint"]]) });
  deepEqual(texts(), ["take 1", "take 2 a hint", "take 3"]);
  board.show({ moves: [], marks: new Map([[2, "winning"]]) });
  deepEqual(texts(), ["take 1", "take 2 wins", "take 3"]);
});

test("keys lead through the moves and stay at the ends", async () => {
  await show([]);
  const { length } = buttons();
  deepEqual(properties("tabIndex", buttons()), [0, -1, -1]);
  const led = from =>
    ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "Home", "End"].map(key => {
      buttons()[from].focus();
      return pressed(key);
    });
  deepEqual([0, 1, 2].map(led), [
    [0, 0, 1, 1, 0, 2],
    [0, 0, 2, 2, 0, 2],
    [1, 1, 2, 2, 0, length - 1],
  ]);
  deepEqual(properties("tabIndex", buttons()), [-1, -1, 0]);
  for (const name of ["altKey", "ctrlKey", "metaKey"])
    equal(pressed("Home", { [name]: true }), false);
  equal(pressed("x"), false);
});

test("the focus stays at its place in a new list, and goes to the text at the end", async () => {
  await show([]);
  buttons()[2].focus();
  await show([3], {}, [1, 2]);
  deepEqual([document.activeElement, buttons()[1].tabIndex], [buttons()[1], 0]);
  await show([3, 1], {}, []);
  equal(document.activeElement, part("pre"));
  await show([3, 2], {}, [1, 2]);
  equal(document.activeElement, part("pre"));
});

test("nothing is asked or shown after the view was left", async () => {
  board.show({ moves: [] });
  board.show({ moves: [1] });
  leaveView();
  await answer([]);
  pass(1000);
  deepEqual([questions().length, state()[0]], [1, ""]);
});

test("nobody need listen", async () => {
  const names = new MoveNames(String);
  const quiet = new TextBoard({ game: "nim", setup: SETUP, connection, signal: signal(), names });
  quiet.show({ moves: [], isInteractive: true });
  await answer([]);
  quiet.element.querySelector("button").click();
  equal(quiet.element.querySelector("pre").textContent, "10 left");
  await settle();
});
