import { deepEqual, equal, ok } from "node:assert/strict";
import { PlayerConnection } from "/play/player_connection.js";
import { load, TAB } from "/storage.js";
import { FakeSocket, pass, settle, signal, test } from "../support/browser.js";

const CHALLENGE = { game: "nim", setup: { heap: 5 }, you: 1, opponent: null, time: null };

/** Return a connection as a page that was just loaded has it. */
function open() {
  const player = new PlayerConnection();
  const events = [];
  player.resume();
  for (const type of ["started", "rejected", "disconnected", "turn", "replaced", "known"]) {
    player.on(type, event => events.push([type, event]), signal());
  }
  return { player, events };
}
/** Return the connection of a person who has challenged somebody. */
async function join({ isAdmitted = true } = {}) {
  const found = open();
  found.player.challenge("ann", ["nim"], CHALLENGE);
  const socket = FakeSocket.latest;
  socket.open();
  if (isAdmitted) socket.receive({ type: "welcome", session: "key" });
  return { ...found, socket };
}
const sockets = () => FakeSocket.all.length;
function stored(area) {
  const { tab: _, ...state } = JSON.parse(load("player", area));
  return state;
}
/** Tell the tabs of the browser that another one has stored something. */
const tellTabs = () => dispatchEvent(new StorageEvent("storage", { key: "player" }));
const NEW = { session: null, casual: true };
const HELLO = { type: "hello", protocol: 1, name: "ann", games: ["nim"], matches: 10, ...NEW };

test("a challenge is sent once the arena has admitted the player", async () => {
  const { socket } = await join({ isAdmitted: false });
  equal(socket.url, "ws://arena.test/play");
  deepEqual(socket.sent, [HELLO]);
  socket.receive({ type: "welcome", session: "key" });
  deepEqual(socket.sent[1], { type: "challenge", ...CHALLENGE });
  const state = { name: "ann", session: "key", games: ["nim"], matches: [], invitation: null };
  deepEqual([stored(), stored(TAB)], [state, state]);
});

test("all that a player does is sent", async () => {
  const { player, socket } = await join();
  socket.receive({ type: "turn", match: "3" });
  socket.receive({ type: "take_back_asked", match: "3" });
  player.move(3, 4, 5);
  player.resign(3);
  player.takeBack(3);
  player.claim(3, "win");
  player.accept("ann", ["nim"], "code");
  deepEqual(socket.sent.slice(2), [
    { type: "move", match: "3", ply: 4, move: 5 },
    { type: "resign", match: "3" },
    { type: "take_back", match: "3", accept: true },
    { type: "claim", match: "3", result: "win" },
    { type: "accept", challenge: "code" },
  ]);
  deepEqual([player.turns.size, player.takebackRequests.size, sockets()], [0, 0, 1]);
});

test("matches, turns and requests are known, and stored for a reload", async () => {
  const { player, socket, events } = await join();
  socket.receive({ type: "started", match: "3", you: 2 });
  deepEqual([player.sideIn(3), player.sideIn(4), stored().matches], [2, null, [[3, 2]]]);
  socket.receive({ type: "take_back_asked", match: "3" });
  ok(player.takebackRequests.has(3));
  socket.receive({ type: "turn", match: "3" });
  ok(player.turns.has(3));
  ok(!player.takebackRequests.has(3));
  socket.receive({ type: "error", code: "illegal_move", match: "3" });
  equal(player.sideIn(3), 2);
  socket.receive({ type: "finished", match: "3" });
  deepEqual([player.sideIn(3), stored().matches], [null, []]);
  socket.receive({ type: "started", match: "4", you: 1 });
  socket.receive({ type: "error", code: "unknown_match", match: "4" });
  deepEqual([stored().matches, events.map(([type]) => type)], [[], ["started", "turn", "started"]]);
});

test("it is known until when an opponent who left may return", async () => {
  const { player, socket } = await join();
  const leave = () =>
    socket.receive({ type: "opponent_left", match: "3", claim_ms: 10, grace_ms: 30 });
  const now = performance.now();
  leave();
  deepEqual([...player.absences], [[3, { claimAt: now + 10, endAt: now + 30 }]]);
  for (const type of ["opponent_back", "finished"]) {
    socket.receive({ type, match: "3" });
    equal(player.absences.size, 0);
    leave();
  }
  player.turns.add(3);
  socket.receive({ type: "welcome", session: "key" });
  equal(player.absences.size + player.turns.size, 0);
});

test("a player with a match reconnects, later each time", async () => {
  const { socket, events } = await join();
  socket.receive({ type: "started", match: "3", you: 1 });
  socket.lose();
  for (const delay of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
    const before = sockets();
    await pass(delay - 1);
    equal(sockets(), before);
    await pass(1);
    equal(sockets(), before + 1);
    FakeSocket.latest.lose();
  }
  await pass(5000);
  FakeSocket.latest.open();
  deepEqual(FakeSocket.latest.sent, [{ ...HELLO, session: "key" }]);
  FakeSocket.latest.receive({ type: "welcome", session: "key" });
  FakeSocket.latest.lose();
  const before = sockets();
  await pass(250);
  equal(sockets(), before + 1);
  deepEqual(
    events.map(([type]) => type),
    ["started"],
  );
});

test("another session is that of an arena that has forgotten all matches", async () => {
  const { player, socket } = await join();
  socket.receive({ type: "started", match: "3", you: 1 });
  socket.receive({ type: "welcome", session: "key" });
  equal(player.matches.size, 1);
  socket.receive({ type: "welcome", session: "other" });
  equal(player.matches.size, 0);
});

test("a connection without matches is lost, one with an unsent message is not", async () => {
  const first = await join({ isAdmitted: false });
  first.socket.lose();
  await pass(250);
  equal(sockets(), 2);
  FakeSocket.latest.open();
  FakeSocket.latest.receive({ type: "welcome", session: "key" });
  equal(FakeSocket.latest.sent[1].type, "challenge");
  FakeSocket.latest.lose();
  await pass(5000);
  deepEqual([sockets(), first.events], [2, [["disconnected", {}]]]);
});

test("a player who is not admitted is rejected, and does not try again", async () => {
  const { player, socket, events } = await join({ isAdmitted: false });
  player.matches.set(1, 1);
  socket.lose(1008, "name_taken");
  await pass(5000);
  deepEqual(events, [["rejected", { reason: "name_taken" }]]);
  deepEqual([sockets(), player.matches.size], [1, 0]);
  player.challenge("ann", ["nim"], CHALLENGE);
  FakeSocket.latest.open();
  FakeSocket.latest.receive({ type: "welcome", session: "key" });
  equal(FakeSocket.latest.questions("challenge").length, 1);
});

test("an admitted player who is closed out with a match reconnects", async () => {
  const { socket, events } = await join();
  socket.receive({ type: "started", match: "3", you: 1 });
  socket.lose(1008, "too slow");
  await pass(250);
  deepEqual([sockets(), events.length], [2, 1]);
});

test("another name connects anew, without the session", async () => {
  const { player, socket } = await join();
  player.challenge("bob", ["nim"], CHALLENGE);
  ok(socket.isClosed);
  await settle();
  equal(sockets(), 2);
  FakeSocket.latest.open();
  deepEqual(FakeSocket.latest.sent, [{ ...HELLO, name: "bob" }]);
  socket.receive({ type: "turn", match: "1" });
  equal(player.turns.size, 0); // the old one is deaf
  player.accept("ann", [], "code");
  equal(sockets(), 3);
});

test("a player who leaves withdraws all", async () => {
  const { player, socket, events } = await join();
  socket.receive({ type: "started", match: "3", you: 1 });
  player.leave();
  await pass(5000);
  ok(socket.isClosed);
  equal(sockets(), 1);
  const { matches, session } = stored();
  deepEqual([matches, session], [[], null]);
  equal(events.at(-1)[0], "disconnected");
  const waiting = await join({ isAdmitted: false });
  waiting.player.leave();
  await pass(5000);
  equal(sockets(), 2);
});

const SESSION = { name: "ann", session: "key", games: ["nim"], matches: [[3, 2]] };

test("a reload or a new tab continues the session, where there are matches", async () => {
  localStorage.setItem("player", JSON.stringify(SESSION));
  const { player, events } = open();
  deepEqual([player.name, player.sideIn(3), player.isElsewhere], ["ann", 2, false]);
  FakeSocket.latest.open();
  deepEqual(FakeSocket.latest.sent, [{ ...HELLO, session: "key" }]);
  FakeSocket.latest.receive({ type: "welcome", session: "key" });
  FakeSocket.latest.receive({ type: "started", match: "3", you: 2 });
  await pass(2000);
  deepEqual([events, stored().matches], [[], [[3, 2]]]);
});

test("matches that the arena does not start again have ended", async () => {
  localStorage.setItem(
    "player",
    JSON.stringify({ ...SESSION, matches: [...SESSION.matches, [4, 1]] }),
  );
  const { player, events } = open();
  FakeSocket.latest.open();
  FakeSocket.latest.receive({ type: "welcome", session: "key" });
  FakeSocket.latest.receive({ type: "started", match: "3", you: 2 });
  await pass(1999);
  equal(player.sideIn(4), 1);
  await pass(1);
  deepEqual([player.sideIn(4), stored().matches], [null, [[3, 2]]]);
  deepEqual(events, [["known", {}]]);
});

test("one tab plays: another one knows the match, and takes it over when it is asked to", async () => {
  const first = await join();
  first.socket.receive({ type: "started", match: "3", you: 1 });
  const second = open();
  deepEqual([second.player.sideIn(3), second.player.isElsewhere, sockets()], [1, true, 1]);
  second.player.takeOver();
  second.player.takeOver();
  equal(sockets(), 2);
  FakeSocket.latest.open();
  deepEqual(FakeSocket.latest.sent, [{ ...HELLO, session: "key" }]);
  FakeSocket.latest.receive({ type: "welcome", session: "key" });
  FakeSocket.latest.receive({ type: "started", match: "3", you: 1 });
  first.socket.lose();
  await pass(10_000);
  deepEqual([sockets(), first.events.at(-1)], [2, ["replaced", {}]]);
  deepEqual([first.player.isElsewhere, second.player.isElsewhere], [true, false]);
  first.player.leave();
  equal(stored().matches.length, 1);
});

test("a closed tab leaves the match to the others", async () => {
  const first = await join();
  first.socket.receive({ type: "started", match: "3", you: 1 });
  dispatchEvent(new Event("pagehide"));
  const second = open();
  deepEqual([sockets(), second.player.isElsewhere], [2, false]);
});

test("a tab that does not play follows what the other one stores", async () => {
  const idle = open();
  const playing = await join();
  playing.socket.receive({ type: "started", match: "3", you: 1 });
  tellTabs();
  deepEqual([idle.player.sideIn(3), idle.events], [1, [["known", {}]]]);
  dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  equal(idle.events.length, 1);
});

test("two people may play in two tabs of a browser", async () => {
  const ann = await join();
  ann.socket.receive({ type: "started", match: "3", you: 1 });
  const text = sessionStorage.getItem("player");
  const bob = open();
  bob.player.accept("bob", ["nim"], "code");
  tellTabs();
  equal(ann.player.sideIn(3), 1);
  sessionStorage.setItem("player", text);
  deepEqual(open().player.name, "ann");
  equal(FakeSocket.latest.url, "ws://arena.test/play");
});

test("the link of a challenge leads its players back to the match", async () => {
  const { player, socket } = await join();
  equal(player.matchOf("code"), null);
  socket.receive({ type: "challenged", challenge: "code" });
  socket.receive({ type: "started", match: "3", you: 1 });
  socket.receive({ type: "started", match: "4", you: 1 });
  deepEqual([player.matchOf("code"), player.matchOf("other")], [3, null]);
  player.accept("ann", ["nim"], "other");
  socket.receive({ type: "started", match: "5", you: 1 });
  deepEqual([open().player.matchOf("other")], [5]);
});

test("what else is stored does not matter", async () => {
  for (const text of ["{", "{}"]) {
    localStorage.setItem("player", text);
    const { player } = open();
    equal(player.name, "");
  }
  equal(sockets(), 0);
});
