import { deepEqual, equal, rejects } from "node:assert/strict";
import { mock } from "node:test";
import { ARENA, connect } from "./support/arena.js";
import { FakeSocket, hidePage, pass, settle, signal, test } from "./support/browser.js";

const events = (connection, ...types) => {
  const seen = [];
  for (const type of types) connection.on(type, event => seen.push([type, event]), signal());
  return seen;
};
const sockets = () => FakeSocket.all.length;

test("a connection counts once the arena has introduced itself", async () => {
  const { connection, socket } = connect(null);
  const seen = events(connection, "about", "status");
  deepEqual([socket.url, connection.isConnected], ["ws://arena.test/watch", false]);
  equal(connection.arena, null);
  await rejects(connection.ask("find_bot", { bot: "ann" }), {
    message: "Not connected to the arena.",
  });
  connection.watch(3);
  deepEqual(socket.sent, []);
  socket.receive(ARENA);
  deepEqual(connection.arena, ARENA);
  deepEqual(socket.sent, [{ type: "watch", match: 3 }]);
  deepEqual(seen, [
    ["about", ARENA],
    ["status", { isConnected: true, isClosed: false }],
  ]);
});

test("nothing is watched before the first wish", () => {
  const { connection, socket } = connect();
  deepEqual(socket.sent, []);
  connection.watch(null);
  deepEqual(socket.sent, [{ type: "watch", match: null }]);
});

test("messages are emitted, answers lead to their questions", async () => {
  const { connection, socket } = connect();
  const seen = events(connection, "lobby", "bot", "error");
  const first = connection.ask("find_bot", { bot: "ann" });
  const second = connection.ask("find_bot", { bot: "bob" });
  deepEqual(socket.sent[1], { type: "find_bot", bot: "bob", request: 2 });
  socket.receive({ type: "lobby", playing: 1 });
  await socket.answer("bot", { bot: "bob" }, socket.sent[1]);
  deepEqual(await second, { type: "bot", bot: "bob", request: 2 });
  const refused = rejects(first, { message: "no bot", cause: "unknown_bot" });
  await socket.answer("error", { message: "no bot", code: "unknown_bot" }, socket.sent[0]);
  await refused;
  socket.receive({ type: "error", message: "late", request: 1 });
  deepEqual(
    seen.map(([type]) => type),
    ["lobby", "error"],
  );
});

test("a lost connection is reported once, rejects questions and is made again", async () => {
  const random = mock.method(Math, "random", () => 0.5);
  const { connection, socket } = connect();
  connection.watch(7);
  const seen = events(connection, "status");
  const asked = rejects(connection.ask("find_bot", {}), { message: "Connection lost." });
  socket.lose();
  await asked;
  equal(connection.isConnected, false);
  deepEqual(seen, [["status", { isConnected: false, isClosed: false }]]);
  for (const delay of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
    const before = sockets();
    await pass(delay - 1);
    equal(sockets(), before);
    await pass(1);
    equal(sockets(), before + 1);
    FakeSocket.latest.lose();
  }
  equal(seen.length, 1);
  random.mock.mockImplementation(() => 0);
  await pass(5000);
  FakeSocket.latest.receive(ARENA);
  deepEqual(FakeSocket.latest.sent, [{ type: "watch", match: 7 }]);
  FakeSocket.latest.lose();
  const before = sockets();
  await pass(187);
  equal(sockets(), before);
  await pass(1);
  equal(sockets(), before + 1); // after three quarters of the first delay
});

test("a busy arena is asked again until it answers, and a long wait is mentioned", async () => {
  const { connection, socket } = connect();
  const seen = events(connection, "waiting");
  const asked = connection.ask("find_bot", { bot: "ann" });
  const questions = () => socket.questions("find_bot").length;
  for (const delay of [400, 800, 1600, 3000, 3000]) {
    const before = questions();
    await socket.fail("find_bot", "too many questions are waiting", "busy");
    await pass(delay);
    equal(questions(), before + 1);
  }
  deepEqual(seen, [["waiting", { isWaiting: true }]]);
  await socket.answer("find_bot", { bot: "ann" });
  equal((await asked).bot, "ann");
  deepEqual(seen[1], ["waiting", { isWaiting: false }]);
  const quick = rejects(connection.ask("find_bot", { bot: "bob" }), { message: "unknown bot" });
  await socket.fail("find_bot", "too many questions are waiting", "busy");
  await pass(400);
  await socket.fail("find_bot", "unknown bot", "unknown");
  await quick;
  await pass(5000);
  deepEqual([questions(), seen.length], [8, 2]);
});

test("delays vary, so that pages do not all return at once", async () => {
  mock.method(Math, "random", () => 1);
  connect().socket.lose();
  await pass(312);
  equal(sockets(), 1);
  await pass(1);
  equal(sockets(), 2);
});

test("an arena that stops has closed", () => {
  const { connection, socket } = connect();
  const seen = events(connection, "status");
  socket.lose(1000);
  deepEqual(seen, [["status", { isConnected: false, isClosed: true }]]);
});

test("a network or a page that is back connects at once", async () => {
  const { socket } = connect();
  dispatchEvent(new Event("online"));
  hidePage(false);
  equal(sockets(), 1);
  socket.lose();
  dispatchEvent(new Event("online"));
  equal(sockets(), 2);
  await pass(1000);
  equal(sockets(), 2);
  FakeSocket.latest.lose();
  hidePage(true);
  equal(sockets(), 2);
  hidePage(false);
  equal(sockets(), 3);
});

test("a connection is tested after half a minute in the background", async () => {
  const { connection, socket } = connect();
  connection.watch(null);
  for (const [time, watches] of [
    [30_000, 1],
    [30_001, 2],
  ]) {
    hidePage(true);
    await pass(time);
    hidePage(false);
    equal(socket.questions("watch").length, watches);
  }
  await settle();
});
