import { deepEqual, equal, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { mock } from "node:test";
import { player } from "/play/player_connection.js";
import { ARENA, admit } from "./support/arena.js";
import {
  FakeSocket,
  goTo,
  replaceProperty,
  settle,
  signal,
  test,
  until,
} from "./support/browser.js";
import { all, attributes, button, press, texts } from "./support/elements.js";

const INDEX = readFileSync(new URL("../../arena/web/index.html", import.meta.url), "utf8");
let imports = 0;
const main = () => document.getElementById("main");
const byId = id => document.getElementById(id);

/** Open the page at an address of this site. */
async function open(address = "/", { isDark = false } = {}) {
  const { on } = player;
  mock.method(player, "on", (type, listener) => on.call(player, type, listener, signal()));
  const system = Object.assign(new EventTarget(), { matches: isDark });
  replaceProperty(globalThis, "matchMedia", () => system);
  history.replaceState(null, "", address);
  document.body.innerHTML = /<body>(.*)<\/body>/s.exec(INDEX)[1];
  await import(`/app.js?${++imports}`);
  await until(() => main().className);
  signal().addEventListener("abort", () => {
    document.documentElement.className = "";
    delete document.documentElement.dataset.theme;
  });
  return { socket: FakeSocket.all.find(({ url }) => url.endsWith("/watch")), system };
}

/** Follow a link; wait until its view is shown. */
async function go(hash, view, title = "") {
  await goTo(hash);
  await until(() => main().className === `view-${view}` && document.title.startsWith(title));
  equal(main().className, `view-${view}`, hash);
}

/** Let the modules of views fail to load, as without the arena, until the function is called. */
function breakLoading() {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "./rules/rules.js") throw new Error("unreachable");
      return next(specifier, context);
    },
  });
  signal().addEventListener("abort", () => hooks.deregister());
}

test("each address leads to its view, whose link is marked", async () => {
  await open();
  equal(main().className, "view-lobby");
  for (const [hash, view, title] of [
    ["#/tables", "tables", "Standings · Arena"],
    ["#/games", "games", "Matches · Arena"],
    ["#/play", "play", "Play · Arena"],
    ["#/analysis", "analysis", "Analysis · Arena"],
    ["#/puzzles", "puzzles", "Puzzles · Arena"],
    ["#/learn", "learn", "Alpha-beta · Arena"],
    ["#/rules", "rules", "Rules · Arena"],
    ["#/bot/a%2Fb", "bot", "a/b · Arena"],
    ["#/match/1", "match", "Arena"],
    ["#/bot/100%", "bot", "100% · Arena"],
    ["#/", "lobby", "Lobby · Arena"],
  ]) {
    await go(hash, view, title);
    equal(document.title, title);
    ok(document.activeElement === main());
    const current = attributes("href", "nav a[aria-current=page]");
    const isLinked = title !== "Arena" && !["bot", "analysis"].includes(view);
    deepEqual(current, isLinked ? [hash] : []);
    document.activeElement.blur();
  }
});

test("five links lead to all views, some of which share one", async () => {
  await open();
  deepEqual(texts(".top nav a"), ["Lobby", "Play", "Results", "Puzzles", "Learn"]);
  for (const [hash, view, group, pages] of [
    ["#/tables", "tables", "Results", ["Standings", "Matches"]],
    ["#/games", "games", "Results", ["Standings", "Matches"]],
    ["#/rules", "rules", "Learn", ["Rules", "Alpha-beta"]],
    ["#/learn", "learn", "Learn", ["Rules", "Alpha-beta"]],
    ["#/puzzles", "puzzles", undefined, []],
  ]) {
    await go(hash, view);
    const marked = all("nav a[aria-current=true]").map(({ textContent }) => textContent);
    deepEqual(marked, group ? [group] : []);
    deepEqual(texts(".pages:not([hidden]) a"), pages);
  }
});

test("the first view and another address of the same view leave the focus", async () => {
  await open("/#/games");
  ok(document.activeElement !== main());
  await goTo("#/games?bot=ann");
  await settle();
  ok(document.activeElement !== main());
  deepEqual(texts("h1"), ["Matches"]);
});

test("the query of the address is that of the view", async () => {
  const { socket } = await open("/#/games?bot=ann");
  socket.receive(ARENA);
  await settle();
  equal(socket.questions("find_games")[0].bot, "ann");
});

test("an unknown address leads to the lobby", async () => {
  await open("/#/nothing");
  equal(main().className, "view-missing");
  equal(main().textContent, "Page not foundSee the lobby.");
  equal(main().querySelector("a").getAttribute("href"), "#/");
});

test("the address of a match that sites can show is that of its view", async () => {
  await open("/match/12");
  deepEqual([location.href, main().className], ["http://arena.test/#/match/12", "view-match"]);
});

test("a big screen shows slides instead of the lobby", async () => {
  await open("/?present");
  ok(document.documentElement.classList.contains("presenting"));
  equal(all(".present", main()).length, 1);
});

test("a view that cannot be loaded is loaded when the arena is back", async () => {
  const reload = mock.method(location, "reload", () => {});
  const { socket } = await open();
  equal(document.documentElement.className, "");
  breakLoading();
  await go("#/rules", "missing");
  deepEqual(texts("[role=status]", main()), ["This view could not be loaded from the arena."]);
  button("Try again").click();
  equal(reload.mock.callCount(), 1);
  socket.receive(ARENA);
  equal(reload.mock.callCount(), 2);
  await go("#/tables", "tables");
  socket.receive(ARENA);
  equal(reload.mock.callCount(), 2);
});

test("a view that arrives after the next one was chosen is not shown", async () => {
  await open();
  breakLoading();
  const others = [goTo("#/games"), goTo("#/rules")];
  await go("#/tables", "tables");
  await Promise.all(others);
  deepEqual(texts("h1"), ["Standings"]);
});

test("the state of the connection is told, and where one can play", async () => {
  const { socket } = await open("/#/nothing");
  const status = byId("status");
  socket.receive(ARENA);
  equal(byId("play-link").hidden, false);
  socket.lose();
  equal(status.textContent, "Disconnected, reconnecting…");
  ok(document.body.classList.contains("disconnected"));
  socket.receive({ ...ARENA, is_open: false });
  deepEqual([byId("play-link").hidden, status.textContent], [true, ""]);
  equal(document.body.className, "");
  socket.lose(1000);
  deepEqual([status.textContent, document.body.className], ["The arena has closed.", ""]);
});

test("the theme is switched and kept", async () => {
  await open("/#/nothing");
  const { dataset } = document.documentElement;
  const switcher = byId("theme");
  for (const [theme, label] of Object.entries({ dark: "Dark theme", light: "Light theme" })) {
    equal(switcher.title, label);
    equal(switcher.ariaLabel, label);
    switcher.click();
    equal(dataset.theme, theme);
    equal(localStorage.getItem("theme"), theme);
  }
  equal(switcher.title, "Dark theme");
});

test("the theme follows the system until it is chosen", async () => {
  const { system } = await open("/#/nothing", { isDark: true });
  equal(byId("theme").title, "Light theme");
  system.matches = false;
  system.dispatchEvent(new Event("change"));
  equal(byId("theme").title, "Dark theme");
});

test("a button and a key show the shortcuts, but not where a text is typed", async () => {
  await open("/#/nothing");
  const input = document.createElement("input");
  main().append(input);
  press("?", input);
  press("x");
  await settle();
  equal(all("dialog").length, 0);
  press("?");
  await settle();
  equal(all("dialog").length, 1);
  document.querySelector("dialog").close();
  byId("shortcuts").click();
  await settle();
  equal(all("dialog").length, 1);
});

test("a match that starts is shown, also under the number of the one that is shown", async () => {
  await open("/#/match/3");
  const opened = all("*", main())[0];
  player.emit("started", { match: "3", you: 1 });
  await settle();
  ok(all("*", main())[0] !== opened);
  player.emit("started", { match: "4", you: 1 });
  deepEqual([location.hash, byId("own-match").hidden], ["#/match/4", true]);
});

test("the matches of this tab are resumed, with a way back", async () => {
  const resume = mock.method(player, "resume");
  player.matches.set(9, 1);
  await open("/#/nothing");
  deepEqual([resume.mock.callCount(), byId("own-match").getAttribute("href")], [1, "#/match/9"]);
  player.leave();
});

test("a link leads back to the own match, first to one with the turn", async () => {
  await open();
  const link = byId("own-match");
  const state = () => [link.hidden, link.getAttribute("href"), link.textContent];
  equal(link.hidden, true);
  player.challenge("ann", [], {});
  const socket = admit(3, 4);
  deepEqual(state(), [false, "#/match/3", "Return to your match"]); // 4 is shown
  socket.receive({ type: "turn", match: "3" });
  deepEqual(state(), [false, "#/match/3", "Your move"]);
  await goTo("#/match/3");
  deepEqual(state(), [false, "#/match/4", "Return to your match"]);
  await goTo("#/match/4/7");
  deepEqual(state(), [false, "#/match/3", "Your move"]);
  socket.receive({ type: "finished", match: "3" });
  equal(link.hidden, true);
  await goTo("#/rules");
  equal(link.hidden, false);
  socket.receive({ type: "error", code: "unknown_match", match: "4" });
  equal(link.hidden, true);
});
