import { deepEqual, equal, ok } from "node:assert/strict";
import { view } from "/play/play.js";
import { player } from "/play/player_connection.js";
import { admit, connect, personSocket, submit } from "../support/arena.js";
import { leaveView, pass, settle, signal, test } from "../support/browser.js";
import { all, fill, links, properties, show, text, texts } from "../support/elements.js";

const byId = id => document.getElementById(id);
const alerts = () => texts("[role=alert]").join("");

/** Open #/play, or an open challenge. */
function open(challenge) {
  const { connection, socket } = connect();
  const main = show(document.createElement("main"));
  const query = new URLSearchParams();
  view({ main, connection, parameters: [challenge], query, signal: signal() });
  return { main, socket };
}

const OFFER = { player: "Eve", game: "take_stones", setup: { stones: 7 }, you: 1, time: "180+2" };

test("a name is checked while it is typed, not at each key", async () => {
  const { socket } = open();
  const name = byId("name");
  const type = text => {
    fill(name, text);
  };
  type("a");
  type("ab");
  deepEqual(properties("name", socket.questions("check_name")), ["a"]);
  await socket.answer("check_name", { name: "a", problem: "too short" });
  equal(texts("#name-problem")[0], ""); // an answer for another name
  await pass(300);
  await socket.answer("check_name", { name: null, problem: "the name is bad" });
  deepEqual([texts("#name-problem")[0], name.ariaInvalid], ["The name is bad.", "true"]);
  equal(name.getAttribute("aria-describedby"), "name-problem");
  type(" Ann ");
  await pass(300);
  await socket.answer("check_name", { name: "Ann", problem: null });
  const hints = () => texts(".field .hint").join("");
  deepEqual([hints(), name.ariaInvalid, texts("#name-problem")[0]], ["", "false", ""]);
  type("Ánn");
  await pass(300);
  await socket.answer("check_name", { name: "Ann", problem: null });
  equal(hints(), "You play as Ann.");
  type("x");
  await pass(300);
  await socket.fail("check_name", "busy");
  equal(alerts(), "");
});

test("a name that is not accepted is not sent", async () => {
  const { socket } = open();
  document.querySelector("form").requestSubmit();
  await socket.answer("check_name", { name: null, problem: "the name is bad" });
  ok(document.activeElement === byId("name"));
  equal(personSocket(), undefined);
  document.querySelector("form").requestSubmit();
  await socket.fail("check_name", "The arena is busy.");
  equal(alerts(), "The arena is busy.");
  document.querySelector("form").requestSubmit();
  equal(alerts(), "");
  leaveView();
  await socket.answer("check_name", { name: "Ann", problem: null });
  equal(personSocket(), undefined);
});

test("why there is no match is told", async () => {
  const { socket } = open();
  for (const [event, text] of [
    [["error", { message: "unknown opponent", match: null }], "unknown opponent"],
    [["error", { message: "illegal move", match: "1" }], "unknown opponent"],
    [["rejected", { reason: "name_taken" }], "This name is in use: choose another."],
    [["rejected", { reason: "name_reserved" }], "This name belongs to a bot: choose another."],
    [["rejected", { reason: "full" }], "The arena rejects the player: full."],
    [["disconnected", {}], "Connection lost: try again."],
  ]) {
    player.emit(...event);
    equal(alerts(), text);
  }
  leaveView();
  player.emit("rejected", { reason: "full" });
  equal(alerts(), "Connection lost: try again.");
  await settle();
  equal(socket.sent.length, 0);
});

test("a challenge says what it offers, and is accepted", async () => {
  const { socket } = open("abc");
  equal(socket.questions("find_challenge")[0].challenge, "abc");
  await socket.answer("find_challenge", OFFER);
  equal(
    text("h1, form > p, dt, dd, .hint:last-child, button"),
    "Challenge | Eve challenges you: | Game | Take-Stones | Number of stones | 7 | You play | " +
      "second | Clock | 3 minutes + 2 s a move | Hints | none |  | Accept |  | " +
      "The match starts when you accept. It is casual: unrated, with takebacks.",
  );
  await submit(socket);
  deepEqual(admit().sent[1], { type: "accept", challenge: "abc" });
});

test("an offer names its hints and the moves made before", async () => {
  const { socket } = open("abc");
  await socket.answer("find_challenge", { ...OFFER, moves: [3, 6], hints: true });
  deepEqual(texts("dt, dd").slice(-4), ["Hints", "for both of you", "Moves before", "2"]);
});

test("an offer of an unknown game is shown as it is", async () => {
  const { socket } = open("abc");
  await socket.answer("find_challenge", { ...OFFER, game: "nim", setup: { heap: 5 }, you: 2 });
  deepEqual(texts("dt, dd").slice(1, 6), ["nim", "Heap", "5", "You play", "first"]);
});

test("a challenge that is no longer open leads to another", async () => {
  const text = "This challenge is no longer open: it was accepted or withdrawn.";
  const { socket } = open("abc");
  await socket.answer("find_challenge", OFFER);
  player.emit("error", { code: "other", message: "x", match: null });
  equal(all("form").length, 1);
  player.emit("error", { code: "unknown_challenge", message: "x", match: null });
  equal(alerts(), text);
  deepEqual(links(document), ["#/play"]);
  const late = open("abc");
  await late.socket.fail("find_challenge", "unknown challenge", "unknown_challenge");
  equal(alerts(), text);
  deepEqual(texts("h1, a"), ["Challenge", "Challenge somebody else"]);
});

test("an error is told, but not in a view that was left", async () => {
  const { socket } = open("abc");
  await socket.fail("find_challenge", "The arena is busy.");
  equal(alerts(), "The arena is busy.");
  for (const answer of ["answer", "fail"]) {
    const left = open("abc");
    leaveView();
    if (answer === "fail") await left.socket.fail("find_challenge", "x", "unknown_challenge");
    else await left.socket.answer("find_challenge", OFFER);
    equal(left.main.textContent, "");
  }
});
