import { deepEqual, equal } from "node:assert/strict";
import { MoveNames } from "/boards/create_board.js";
import { MatchState } from "/match/match_state.js";
import { StateLine } from "/match/state_line.js";
import { player } from "/play/player_connection.js";
import { PlayerControls } from "/play/player_controls.js";
import {
  ARENA,
  admit,
  connect,
  facts,
  moves,
  personSocket,
  result,
  sent,
} from "../support/arena.js";
import { leaveView, replaceProperty, settle, signal, test } from "../support/browser.js";
import { all, button, isSame, kinds, press, show, texts } from "../support/elements.js";

const MODULE = {
  legalMoves: () => [1, 3],
  parseMove: text => {
    if (!/^\d+$/.test(text)) throw new Error("no number");
    return Number(text);
  },
  formatMove: move => `<${move}>`,
};
const text = selector => texts(selector).join("");
const status = () => text(".state-line [role=status]");
const problem = () => text(".state-line .problem");
const isShown = label => !button(label).closest("[hidden]");

/** Show the controls of a person in match 5, after some moves. */
function open({ made = [], side = 1, module = MODULE, arena = ARENA, fields = {} } = {}) {
  player.challenge("ann", ["take_stones"], {});
  admit();
  personSocket().receive({ type: "started", match: "5", you: side });
  const { connection, socket } = connect(arena);
  const match = new MatchState(facts(5, fields));
  match.apply(moves(5, 0, made, 0));
  let changes = 0;
  const names = new MoveNames(move => `m${move}`);
  const state = new StateLine(side, module, signal());
  const own = { match, side, connection, module, names, state, signal: signal() };
  const controls = new PlayerControls({ ...own, onChange: () => changes++ });
  const { update } = controls;
  controls.update = updated => {
    update.call(controls, updated);
    state.update(updated);
  };
  show(state.element, controls.element);
  controls.update(match);
  return { controls, match, socket, changed: () => changes };
}
async function type(value) {
  document.getElementById("typed").value = value;
  document.querySelector("form").requestSubmit();
  await settle();
}

test("a typed move is played, or the reason is told why not", async () => {
  const { match } = open({ made: [3, 6] });
  await type(" 1 ");
  deepEqual(sent("move"), [{ match: "5", ply: 2, move: 1 }]);
  equal(document.getElementById("typed").value, "");
  for (const [typed, reason] of [
    ["x", "no number"],
    ["4", "<4> is not a legal move."],
  ]) {
    await type(typed);
    equal(problem(), reason);
    equal(document.getElementById("typed").value, typed);
  }
  document.getElementById("typed").dispatchEvent(new Event("input"));
  equal(problem(), "");
  match.apply(moves(5, 2, [1]));
  await type("3");
  deepEqual([problem(), sent("move").length], ["It is not your turn.", 1]);
});

test("the field for moves is shown when a digit is typed, on the own turn", () => {
  const { controls, match } = open();
  const form = document.querySelector("form.typing");
  const input = document.getElementById("typed");
  const shown = (key, target, more) => {
    press(key, target, more);
    return !form.hidden;
  };
  deepEqual([shown("a"), shown("1", document.body, { ctrlKey: true })], [false, false]);
  equal(shown("1"), true);
  isSame(document.activeElement, input);
  input.value = "12";
  input.dispatchEvent(new Event("blur"));
  equal(form.hidden, false);
  input.value = "";
  input.dispatchEvent(new Event("blur"));
  deepEqual([form.hidden, shown("1", input)], [true, false]);
  match.apply(moves(5, 0, [3]));
  controls.update(match);
  equal(shown("1"), false);
  open({ module: null });
  press("x");
  equal(document.querySelector("form.typing").hidden, false);
});

test("a move out of turn is refused, but not after the match", () => {
  const { controls, match } = open({ made: [3] });
  controls.refuseUntimely();
  equal(problem(), "It is not your turn.");
  match.apply(moves(5, 1, [6]));
  controls.update(match);
  controls.refuseUntimely(); // an earlier position is shown
  equal(status(), "Your move");
});

test("a sound tells of the turn and of the end", () => {
  const played = [];
  class Node {
    constructor(_, options) {
      played.push(Object.keys(options)[0]);
      this.gain = { setTargetAtTime() {} };
    }
    connect = node => node;
    start() {}
    stop() {}
  }
  const audio = { destination: {}, currentTime: 0, close: () => played.push("closed") };
  for (const name of ["OscillatorNode", "GainNode"]) replaceProperty(globalThis, name, Node);
  open();
  personSocket().receive({ type: "turn", match: "5" });
  deepEqual(played, [], "a browser without sound");
  replaceProperty(globalThis, "AudioContext", function AudioContext() {
    return audio;
  });
  const bell = document.querySelector(".turn-signal");
  const receive = type => personSocket().receive({ type, match: "5" });
  receive("turn");
  receive("finished");
  const tone = ["frequency", "gain"];
  deepEqual(played, [...tone, ...tone]);
  equal(document.title, "Your move: ann – bob · Arena");
  bell.click();
  receive("turn");
  deepEqual([played.length, document.title], [4, "ann – bob · Arena"]);
  equal(bell.ariaPressed, "false");
  open();
  equal(document.querySelector(".turn-signal").ariaPressed, "false", "it is remembered");
  leaveView();
  equal(played.at(-1), "closed");
});

test("a move can be typed by the name of the arena, or the game", async () => {
  const { socket, match } = open({ module: null });
  equal(document.getElementById("typed").inputMode, "text");
  const position = { legal_moves: [7, 9], legal_names: ["left", "right"], played_names: [] };
  await type("right");
  await socket.answer("find_position", position);
  deepEqual(sent("move"), [{ match: "5", ply: 0, move: 9 }]);
  await type("8");
  await socket.answer("find_position", position);
  equal(problem(), "8 is not a legal move.");
  await type("7");
  match.apply(moves(5, 0, [7, 9]));
  await socket.answer("find_position", position);
  deepEqual([problem(), socket.questions("find_position")[0].moves], ["It is not your turn.", []]);
  deepEqual(socket.questions("find_position")[0].setup, { stones: 7 });
});

test("a move on the board is played, an illegal one explained", () => {
  const { controls } = open({
    module: { ...MODULE, explainIllegal: (_, __, move) => `no ${move}` },
  });
  equal(document.getElementById("typed").getAttribute("inputmode"), "numeric");
  controls.refuse(4);
  equal(problem(), "no 4");
  controls.play(3);
  deepEqual([problem(), sent("move")], ["", [{ match: "5", ply: 0, move: 3 }]]);
});

test("what can be done follows the turn", () => {
  const { controls, match } = open();
  const state = () => [button("Hint").disabled, button("Take back").disabled, document.title];
  deepEqual(state(), [false, true, "Your move: ann – bob · Arena"]);
  equal(controls.canMove(match), true);
  match.apply(moves(5, 0, [3]));
  controls.update(match);
  deepEqual(state(), [true, false, "ann – bob · Arena"]);
  match.apply(moves(5, 1, [6]));
  controls.update(match);
  deepEqual(state(), [false, false, "Your move: ann – bob · Arena"]);
  const labels = ["Hint", "Take back", "Resign"];
  deepEqual([...labels, "Rematch"].map(isShown), [true, true, true, false]);
  match.finish(result(5));
  controls.update(match);
  deepEqual([...labels, "Rematch"].map(isShown), [false, false, false, true]);
  equal(controls.canMove(match), false);
});

test("moves of the opening cannot be taken back", () => {
  const { controls, match } = open({ made: [3, 6], fields: { opening: 2 } });
  equal(button("Take back").disabled, true);
  match.apply(moves(5, 2, [2]));
  controls.update(match);
  equal(button("Take back").disabled, false);
});

test("takebacks are requested and accepted", () => {
  const { controls } = open({ made: [3] });
  controls.refuse(9);
  button("Take back").click();
  deepEqual([status(), problem()], ["Takeback requested…", ""]);
  deepEqual(sent("take_back"), [{ match: "5", accept: true }]);
  const request = all(".controls .request[role=alert]")[1];
  equal(request.hidden, true);
  personSocket().receive({ type: "take_back_asked", match: "6" });
  equal(request.hidden, true);
  personSocket().receive({ type: "take_back_asked", match: "5" });
  equal(request.hidden, false);
  equal(request.textContent, "Your opponent requests a takeback. Accept Decline");
  button("Accept").click();
  deepEqual([request.hidden, sent("take_back").length], [true, 2]);
  personSocket().receive({ type: "take_back_asked", match: "5" });
  button("Decline").click();
  deepEqual([request.hidden, sent("take_back").at(-1).accept], [true, false]);
  personSocket().receive({ type: "take_back_declined", match: "6" });
  personSocket().receive({ type: "turn", match: "6" });
  equal(status(), "Takeback requested…");
  personSocket().receive({ type: "turn", match: "5" });
  equal(status(), "bob is thinking");
  personSocket().receive({ type: "take_back_declined", match: "5" });
  equal(status(), "Your takeback was declined.");
});

test("errors about this match are told, without its number", () => {
  open();
  personSocket().receive({ type: "error", match: "6", message: "match 6: late" });
  equal(problem(), "");
  personSocket().receive({ type: "error", match: "5", message: "match 5: expected ply 2" });
  equal(problem(), "expected ply 2");
});

test("a resignation is confirmed in a dialog", () => {
  const { controls, match } = open();
  const dialog = document.querySelector("dialog");
  const inDialog = label => button(label, dialog);
  button("Resign").click();
  deepEqual([dialog.open, sent("resign")], [true, []]);
  inDialog("Resign").click();
  deepEqual([dialog.open, sent("resign")], [false, [{ match: "5" }]]);
  button("Resign").click();
  match.finish(result(5));
  controls.update(match);
  equal(dialog.open, false);
});

test("one move is sent for each turn", () => {
  const { controls } = open();
  for (const move of [3, 3, 1]) controls.play(move);
  deepEqual(sent("move"), [{ match: "5", ply: 0, move: 3 }]);
  personSocket().receive({ type: "turn", match: "5" });
  controls.play(1);
  equal(sent("move").length, 2);
});

test("a match that another tab has taken over can be taken back", async () => {
  const { controls, match, changed } = open();
  const elsewhere = document.querySelector(".controls .request");
  const state = () => [elsewhere.hidden, isShown("Resign"), controls.canMove(match)];
  deepEqual(state(), [true, true, true]);
  const stored = JSON.parse(localStorage.getItem("player"));
  localStorage.setItem("player", JSON.stringify({ ...stored, tab: "another" }));
  personSocket().lose();
  equal(changed(), 1);
  controls.update(match);
  deepEqual(state(), [false, false, false]);
  button("Play here").click();
  admit();
  equal(changed(), 2);
  controls.update(match);
  deepEqual(state(), [true, true, true]);
});

const analysis = (winning, move = null, error = null) => ({
  winning_moves: winning,
  search: move === null ? null : { move },
  search_error: error,
});

test("a hint names a winning move, or the best one that was found", async () => {
  for (const [answer, expected, hint] of [
    [analysis([3, 1]), "m3 wins with perfect play.", 3],
    [analysis([], 1), "No move wins against perfect play. Try m1.", 1],
    [analysis(null, 1), "Best move found: m1.", 1],
    [analysis([]), "No move wins against perfect play.", null],
  ]) {
    const { controls, match, socket, changed } = open();
    button("Hint").click();
    equal(status(), "Searching for a hint…");
    const [question] = socket.questions("analyse");
    deepEqual([question.game, question.moves, question.depth], ["take_stones", [], 6]);
    await socket.answer("analyse", answer);
    equal(status(), expected);
    deepEqual([...controls.marks(match)], hint === null ? [] : [[hint, "hint"]]);
    equal(changed(), hint === null ? 0 : 1);
  }
});

test("without an evaluation a search to the end is asked for", async () => {
  const { socket } = open();
  button("Hint").click();
  await socket.answer("analyse", analysis(null, null, "no evaluation"));
  equal(socket.questions("analyse")[1].depth, 0);
  await socket.answer("analyse", analysis(null, null, "too many moves"));
  equal(status(), "There is no hint: too many moves.");
  button("Hint").click();
  await socket.answer("analyse", analysis([1], null, "no evaluation"));
  equal(status(), "m1 wins with perfect play.");
  button("Hint").click();
  await socket.fail("analyse", "The arena is busy.");
  equal(status(), "The arena is busy.");
});

test("a hint is shown in its position alone", async () => {
  const { controls, match, socket } = open();
  button("Hint").click();
  await socket.answer("analyse", analysis([3]));
  match.apply(moves(5, 0, [1, 2]));
  equal(controls.marks(match).size, 0);
  button("Hint").click();
  match.apply(moves(5, 0, [1, 2, 4, 5]));
  await socket.answer("analyse", analysis([7]));
  controls.update(match);
  equal(status(), "Your move");
  button("Hint").click();
  await socket.answer("analyse", analysis([9]));
  equal(controls.marks(match).size, 1);
  match.finish(result(5));
  equal(controls.marks(match).size, 0);
  controls.update(match);
  equal(status(), "You lost: you cannot move");
});

test("the opponent is challenged again with the sides swapped, a person, too", async () => {
  const { controls, match } = open({ arena: { ...ARENA, offers: { bob: ["take_stones"] } } });
  match.finish(result(5));
  controls.update(match);
  for (let click = 0; click < 2; click++) button("Rematch").click();
  equal(sent("challenge").length, 2); // one of them began this match
  personSocket().receive({ type: "error", match: null, message: "the arena is full" });
  deepEqual([problem(), button("Rematch").disabled], ["the arena is full", false]);
  deepEqual(sent("challenge").at(-1), {
    game: "take_stones",
    setup: { stones: 7 },
    you: 2,
    opponent: "bob",
    time: "5+0",
    hints: false,
  });
  const second = open({ side: 2 });
  second.match.finish(result(5));
  second.controls.update(second.match);
  button("Rematch").click();
  const { opponent, you } = admit().questions("challenge").at(-1);
  deepEqual([opponent, you], ["ann", 1]);
  equal(status(), "Rematch requested…");
});

test("a rematch that the opponent asks for is accepted with one click", () => {
  const { controls, match } = open();
  match.finish(result(5));
  controls.update(match);
  const request = document.querySelector(".state-line .request");
  const receive = name =>
    personSocket().receive({ type: "challenge_received", challenge: "abc", player: name });
  receive("eve");
  equal(request.hidden, true);
  receive("bob");
  deepEqual([request.hidden, request.textContent], [false, "bob asks for a rematch. Accept"]);
  button("Accept", request).click();
  deepEqual(sent("accept"), [{ challenge: "abc" }]);
});

test("the controls have their elements, classes and roles", () => {
  const { controls } = open();
  equal(
    kinds(controls.element),
    "p.request[alert] button div.request p span[status] span[timer] span.buttons " +
      "form.typing label input div.buttons dialog.card.ask form.buttons button.main",
  );
});
