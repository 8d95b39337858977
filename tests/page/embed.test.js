import assert, { deepEqual, equal, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { player } from "/play/player_connection.js";
import { ARENA, facts, moves, result } from "./support/arena.js";
import { FakeSocket, goTo, replaceProperty, settle, test } from "./support/browser.js";

const PAGE = readFileSync(new URL("../../arena/web/embed.html", import.meta.url), "utf8");
let imports = 0;

/** Open the page that other sites embed. */
async function open(hash) {
  history.replaceState(null, "", `/embed/${hash}`);
  document.body.innerHTML = /<body>(.*)<\/body>/s.exec(PAGE)[1];
  await import(`/embed.js?${++imports}`);
  return FakeSocket.latest;
}

const main = () => document.getElementById("main");
const sendMatch = async (socket, match) => {
  socket.receive(ARENA);
  const ended = { facts: facts(match), winners: null, result: result(match) };
  socket.receive({ type: "match", ...ended, moves: moves(match, 0, [3, 6, 2]) });
  await settle();
};
const shownPly = () => main().querySelector("[role=slider], input[type=range]");

test("the match of the address is shown, at its ply", async () => {
  const socket = await open("#/match/7/2");
  equal(socket.url, "ws://arena.test/watch");
  const status = main().firstChild;
  equal(status.outerHTML, '<p class="hint" role="status">Loading match 7…</p>');
  await sendMatch(socket, 7);
  equal(socket.sent[0].match, 7);
  assert.match(main().textContent, /cannot move/);
  equal(Number(shownPly().value), 2);
  await goTo("#/match/8");
  await sendMatch(socket, 7);
  equal(main().textContent, "Loading match 8…");
  await sendMatch(socket, 8);
  equal(Number(shownPly().value), 3);
});

test("a match of this tab is not played here", async () => {
  player.matches.set(7, 1);
  await sendMatch(await open("#/match/7"), 7);
  equal(FakeSocket.all.length, 1);
  ok(!document.body.textContent.includes("Resign"));
  player.leave();
});

test("an unknown match and an address without one are reported", async () => {
  const socket = await open("#/match/99");
  socket.receive({ type: "error", code: "unknown_match", message: "unknown match 99" });
  equal(main().textContent, "Unknown match 99.");
  for (const hash of ["#/games", "#/match/x", "#/match/1/2/3", "#/match/1x"]) {
    await goTo(hash);
    equal(main().textContent, "The address names no match, such as #/match/1.");
  }
});

test("a link opens the match in the arena at the ply that is shown", async () => {
  await open("#/match/7");
  const link = document.getElementById("open");
  for (const type of ["pointerdown", "click"]) {
    history.replaceState(null, "", `/embed/#/match/7/${type.length}`);
    link.dispatchEvent(new Event(type));
    equal(link.getAttribute("href"), `/#/match/7/${type.length}`);
  }
});

test("other views are opened on the arena's own page", async () => {
  await open("#/match/7");
  const opened = [];
  replaceProperty(globalThis, "open", (...how) => opened.push(how));
  main().innerHTML =
    '<a href="#/bot/ann"><b>ann</b></a><a href="#/match/7/1">1</a><a href="/x.txt">x</a><i>none</i>';
  const prevented = [...main().children].map(element => {
    const event = new Event("click", { bubbles: true, cancelable: true });
    (element.firstElementChild ?? element).dispatchEvent(event);
    return event.defaultPrevented;
  });
  deepEqual(prevented, [true, false, false, false]);
  deepEqual(opened, [["/#/bot/ann", "_blank", "noopener"]]);
});
