import { deepEqual, equal } from "node:assert/strict";
import { onResize } from "/boards/room.js";
import {
  isObserved,
  replaceProperty,
  resize,
  setSizes,
  settle,
  testAfter,
} from "../support/browser.js";

const test = testAfter(() => {
  happyDOM.setViewport({ width: 1280, height: 800 });
  replaceProperty(globalThis, "scrollY", 0);
});
const at = (element, top) => {
  element.getBoundingClientRect = () => ({ top });
  return element;
};

/** Return the rooms that a board learns, with its element in a room that begins at `top`. */
async function place({ top = 100, html = "" } = {}) {
  document.body.innerHTML = `<div class="parent"><div class="board-room"><p></p></div></div>${html}`;
  const [parent, room, element] = ["parent", "board-room"]
    .map(name => document.querySelector(`.${name}`))
    .concat(document.querySelector("p"));
  at(room, top);
  setSizes(element, { clientWidth: 300.6 });
  const rooms = [];
  onResize(element, (...sizes) => rooms.push(sizes));
  deepEqual(rooms, []);
  await settle();
  return { parent, room, element, rooms };
}

test("a board has what the window leaves below its beginning", async () => {
  const { room, element, rooms } = await place();
  deepEqual(rooms, [[300, 690]]);
  equal(room.style.getPropertyValue("--room"), "690px");
  for (const clientWidth of [300.9, 0, 310]) resize(element, { clientWidth });
  deepEqual(rooms.slice(1), [[310, 690]]);
  at(room, 150);
  resize(document.body);
  deepEqual(rooms.at(-1), [310, 640]);
  happyDOM.setViewport({ width: 1280, height: 500 });
  dispatchEvent(new Event("resize"));
  deepEqual(rooms.at(-1), [310, 340]);
});

test("on paper a board is as large as a sheet", async () => {
  const media = Object.assign(new EventTarget(), { matches: false });
  replaceProperty(globalThis, "matchMedia", query => query === "print" && media);
  const { element, rooms } = await place();
  for (const clientWidth of [500, 900]) {
    Object.assign(media, { matches: true });
    setSizes(element, { clientWidth });
    media.dispatchEvent(new Event("change"));
  }
  media.matches = false;
  media.dispatchEvent(new Event("change"));
  deepEqual(rooms.slice(1), [
    [500, 800],
    [660, 800],
    [900, 690],
  ]);
  element.remove();
  media.dispatchEvent(new Event("change"));
  Object.assign(media, { matches: true });
  media.dispatchEvent(new Event("change"));
  equal(rooms.length, 4);
});

test("a style limits the height", async () => {
  const { room, element, rooms } = await place();
  for (const [most, height] of [
    ["250px", 250],
    ["900px", 690],
  ]) {
    room.style.setProperty("--most-room", most);
    resize(element, { clientWidth: element.clientWidth + 1 });
    equal(rooms.at(-1)[1], height);
  }
});

test("what stays at the bottom is left free, as long as it stays there", async () => {
  const html =
    '<div data-dock style="position: sticky"></div><div data-dock></div><i data-dock="end"></i>';
  const { element, rooms } = await place({ html });
  const [sticky, other, end] = document.querySelectorAll("[data-dock]");
  for (const [dock, offsetHeight] of [
    [sticky, 60],
    [other, 500],
    [end, 30],
  ])
    setSizes(dock, { offsetHeight });
  resize(element);
  deepEqual(rooms.at(-1), [300, 600]);
});

test("a board that begins far below has a window, and none is tiny", async () => {
  deepEqual((await place({ top: 561 })).rooms, [[300, 730]]);
  deepEqual((await place({ top: 560 })).rooms, [[300, 230]]);
  happyDOM.setViewport({ width: 1280, height: 200 });
  deepEqual((await place({ top: 130 })).rooms, [[300, 100]]);
});

test("a sticky board is measured where it is without scrolling", async () => {
  const { parent, room, element, rooms } = await place({ top: 90 });
  at(room, 8 + 40);
  const frame = at(document.createElement("div"), 8);
  frame.style.position = "sticky";
  parent.append(frame);
  frame.append(room);
  at(parent, -200);
  replaceProperty(globalThis, "scrollY", 260);
  resize(element, { clientWidth: 301 });
  deepEqual(rooms.at(-1), [301, 800 - 10 - (260 - 200 + 40)]);
});

test("a board that was removed is not measured any more", async () => {
  const { element, rooms } = await place();
  element.remove();
  resize(element, { clientWidth: 200 });
  dispatchEvent(new Event("resize"));
  deepEqual([rooms.length, isObserved(element)], [1, false]);
});
