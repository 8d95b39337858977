import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import * as dom from "/dom.js";
import { icon, iconButton, setEnabled, skeleton } from "/dom.js";
import { Emitter, Timeouts, throttle } from "/events.js";
import { saveCanvas, saveFile } from "/save_file.js";
import { load, remove, save, TAB } from "/storage.js";
import { leaveView, pass, replaceProperty, signal, test } from "./support/browser.js";
import { all } from "./support/elements.js";

test("an element has properties, listeners and children", () => {
  const clicks = [];
  const attributes = {
    href: "#/",
    hidden: true,
    title: null,
    lang: undefined,
    id: false,
    tabindex: 0,
  };
  const onclick = event => clicks.push(event.type);
  const properties = { ...attributes, onclick, data: { move: 3 }, style: { "--bots": "4" } };
  const children = ["<b>", [0, [null, undefined, false], dom.h("i", {}, "x")]];
  const element = dom.h("a", properties, ...children);
  element.click();
  deepEqual(clicks, ["click"]);
  equal(
    element.outerHTML,
    '<a href="#/" hidden="" tabindex="0" data-move="3" style="--bots: 4;">&lt;b&gt;0<i>x</i></a>',
  );
  const drawing = dom.s("svg", { viewBox: "0 0 1 1" }, dom.s("path"));
  equal(drawing.namespaceURI, "http://www.w3.org/2000/svg");
  equal(drawing.outerHTML, '<svg viewBox="0 0 1 1"><path></path></svg>');
  equal(dom.isolated("<i>").outerHTML, "<bdi>&lt;i&gt;</bdi>");
});

test("a text is replaced only by another one", () => {
  const element = dom.h("p", {}, "a", "b");
  dom.setText(element, "ab");
  equal(element.childNodes.length, 2);
  dom.setText(element, "c");
  equal(element.textContent, "c");
});

test("a style sheet is loaded, or the reason is given", async () => {
  const added = [];
  replaceProperty(document.head, "append", link => added.push(link));
  const loaded = dom.loadStyleSheet("/a.css");
  const failed = dom.loadStyleSheet("/b.css");
  equal(added[0].outerHTML, '<link rel="stylesheet" href="/a.css">');
  added[0].onload();
  await loaded;
  added[1].onerror();
  await rejects(failed, { message: "/b.css cannot be loaded" });
  replaceProperty(document, "styleSheets", [{ href: null }, { href: "/c.css" }]);
  await dom.loadStyleSheet("/c.css");
  equal(added.length, 2);
});

test("sockets are encrypted where the page is", () => {
  equal(dom.webSocketUrl("/watch"), "ws://arena.test/watch");
  replaceProperty(globalThis, "location", { protocol: "https:", host: "x:1" });
  equal(dom.webSocketUrl("/play"), "wss://x:1/play");
});

test("numbers have their nouns, messages become sentences", () => {
  equal(dom.count(1, "match", "matches"), "1 match");
  equal(dom.count(1234, "match", "matches"), "1,234 matches");
  deepEqual([dom.count(0, "bot"), dom.capitalised("ann b")], ["0 bots", "Ann b"]);
  equal(dom.sentence("unknown match 12"), "Unknown match 12.");
  equal(dom.sentence("Over."), "Over.");
});

test("a skeleton has lines, and a label for screen readers", () => {
  const element = skeleton(2, "Loading…");
  equal(
    element.outerHTML,
    '<div class="skeleton" role="status"><span class="hidden-text">Loading…</span>' +
      '<div aria-hidden="true"></div><div aria-hidden="true"></div></div>',
  );
});

test("a button with an icon has a label, and can be disabled without losing the focus", () => {
  let clicks = 0;
  const button = iconButton("first", "First move", () => clicks++);
  button.click();
  deepEqual([clicks, button.title], [1, "First move"]);
  deepEqual([button.getAttribute("aria-label"), button.type], ["First move", "button"]);
  equal(
    button.innerHTML,
    '<svg viewBox="0 0 24 24" class="icon first" aria-hidden="true">' +
      '<path d="M6 5v14M19 5l-9 7 9 7z"></path></svg>',
  );
  setEnabled(button, false);
  equal(button.ariaDisabled, "true");
  setEnabled(button, true);
  equal(button.ariaDisabled, "false");
});

test("each button of a replay has a picture of its own", () => {
  const names = ["first", "previous", "next", "last", "play", "pause"];
  const paths = names.map(name => icon(name).firstChild.getAttribute("d"));
  equal(new Set(paths).size, names.length);
  ok(paths.every(path => path.startsWith("M")));
});

test("texts are stored for the browser or the tab", () => {
  save("key", "text");
  save("key", "other", TAB);
  deepEqual([load("key"), localStorage.getItem("key")], ["text", "text"]);
  equal(load("key", TAB), "other");
  remove("key");
  deepEqual([load("key"), load("key", TAB)], [null, "other"]);
});

test("without storage texts are lost", () => {
  replaceProperty(globalThis, "localStorage", undefined);
  save("key", "text");
  remove("key");
  equal(load("key"), null);
});

test("the stored theme is applied", async () => {
  const { dataset } = document.documentElement;
  await import("/head.js?none");
  equal(dataset.theme, undefined);
  localStorage.setItem("theme", "dark");
  await import("/head.js?dark");
  equal(dataset.theme, "dark");
  replaceProperty(globalThis, "localStorage", undefined);
  await import("/head.js?forbidden");
  equal(dataset.theme, "dark");
  delete dataset.theme;
});

test("the modules of the view that the address names are loaded with the page", async () => {
  const modules = { "": ["/lobby.js", "/board.css"], match: ["/match.js", "/moves.js"] };
  for (const [address, paths] of [
    ["/", ["/lobby.js", "/board.css"]],
    ["/#/match/7/3", ["/match.js", "/moves.js"]],
    ["/match/7", ["/match.js", "/moves.js"]],
    ["/#/match?since=1", ["/match.js", "/moves.js"]],
    ["/#/unknown", []],
    ["/#/constructor", []],
  ]) {
    history.replaceState(null, "", address);
    document.head.innerHTML = `<script type="text/plain" id="modules">${JSON.stringify(modules)}</script>`;
    await import(`/head.js?${encodeURIComponent(address)}`);
    deepEqual(
      all("link", document.head).map(link => [link.rel, link.getAttribute("href")]),
      paths.map(path => [path.endsWith("css") ? "stylesheet" : "modulepreload", path]),
      address,
    );
  }
  document.head.innerHTML = "";
  history.replaceState(null, "", "/");
});

test("an emitter passes details on, until the signal aborts", () => {
  const emitter = new Emitter();
  const details = [];
  emitter.on("move", detail => details.push(detail), signal());
  emitter.emit("move", { ply: 1 });
  emitter.emit("other", {});
  leaveView();
  emitter.emit("move", { ply: 2 });
  deepEqual(details, [{ ply: 1 }]);
});

test("a throttled function runs at once, then once per interval with the latest value", async () => {
  const runs = [];
  const run = throttle(100, signal(), value => runs.push(value));
  for (const value of [1, 2, 3]) run(value);
  deepEqual(runs, [1]);
  await pass(99);
  deepEqual(runs, [1]);
  await pass(1);
  deepEqual(runs, [1, 3]);
  await pass(100);
  run(4);
  deepEqual(runs, [1, 3, 4]);
  run(5);
  leaveView();
  await pass(200);
  run(6);
  deepEqual(runs, [1, 3, 4]);
});

test("after the view was left a throttled function does not begin", () => {
  const runs = [];
  const run = throttle(100, signal(), () => runs.push(1));
  leaveView();
  run();
  deepEqual(runs, []);
});

test("a timeout replaces the earlier one of its name", async () => {
  const timeouts = new Timeouts();
  const runs = [];
  timeouts.set("a", 100, () => runs.push("first"));
  timeouts.set("a", 100, () => runs.push(`second ${timeouts.has("a")}`));
  timeouts.set("b", 50, () => runs.push("b"));
  ok(timeouts.has("a"));
  await pass(100);
  deepEqual(runs, ["b", "second false"]);
  timeouts.set("a", 100, () => runs.push("third"));
  timeouts.clear();
  equal(timeouts.has("a"), false);
  await pass(100);
  equal(runs.length, 2);
});

test("a file is saved under its name, and freed later", async () => {
  const clicked = [];
  const freed = [];
  replaceProperty(HTMLAnchorElement.prototype, "click", function () {
    clicked.push([this.getAttribute("href"), this.download]);
  });
  replaceProperty(URL, "createObjectURL", blob => `blob:${blob}`);
  replaceProperty(URL, "revokeObjectURL", url => freed.push(url));
  saveFile("text", "a.txt");
  await pass(9999);
  deepEqual(freed, []);
  await pass(1);
  deepEqual(freed, ["blob:text"]);
  await saveCanvas({ toBlob: (found, type) => found(type) }, "b.png");
  await saveCanvas({ toBlob: found => found(null) }, "c.png");
  deepEqual(clicked, [
    ["blob:text", "a.txt"],
    ["blob:image/png", "b.png"],
  ]);
});
