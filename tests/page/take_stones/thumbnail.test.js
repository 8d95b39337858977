import { deepEqual, equal, notDeepEqual } from "node:assert/strict";
import { drawThumbnail } from "/boards/take_stones/thumbnail.js";
import { setSizes, testAfter } from "../support/browser.js";
import { picture, recordCanvases, setColours } from "../support/canvases.js";

const RING = ["save", "clip", "strokeStyle text", "lineWidth 6.6", "stroke", "restore"];

/** Return how one of three stones is drawn. */
function stone(number, owner = "", ring = []) {
  const [left, centre] = [
    ["0", "33.3", "66.7"],
    ["15", "48.3", "81.7"],
  ].map(places => places[number - 1]);
  const isSquare = owner === "two";
  return [
    `fillStyle ${owner || "shade"}`,
    "beginPath",
    isSquare ? `roundRect ${left} 13.3 30 30 6.6` : `arc ${centre} 28.3 15 0 7`,
    "fill",
    ...ring,
    `fillStyle ${owner ? `on-${owner}` : "faint"}`,
    "font 600 14px system-ui, sans-serif",
    "textAlign center",
    "textBaseline middle",
    `fillText ${number} ${centre} 28.8`,
  ];
}
const erased = number => `clearRect ${[-0.5, 32.8, 66.2][number - 1]} 12.8 31 31`;
const FREE = ["clearRect 0 0 100 60", ...stone(1), ...stone(2), ...stone(3)];

let canvas;

const test = testAfter(async () => {
  await setColours();
  recordCanvases();
  canvas = document.createElement("canvas");
  setSizes(canvas, { clientWidth: 100, clientHeight: 60 });
});

function draw(stones, moves) {
  drawThumbnail(canvas, { stones }, moves);
  return picture(canvas).filter(line => line !== "scale 1 1");
}

test("the stones of both players have shapes and colours, and the last one a ring", () => {
  deepEqual(draw(3, []), FREE);
  const taken = [erased(1), ...stone(1, "one"), erased(3), ...stone(3, "two", RING)];
  deepEqual(draw(3, [1, 3]), taken);
});

test("a position that continues the one before draws its new moves", () => {
  draw(3, [1, 3]);
  const again = [erased(3), ...stone(3, "two")];
  deepEqual(draw(3, [1, 3, 2]), [...again, erased(2), ...stone(2, "one", RING)]);
});

test("another position, board or theme is drawn anew", async () => {
  const first = [...FREE, erased(2), ...stone(2, "one", RING)];
  draw(3, [1, 3]);
  deepEqual(draw(3, [2]), first);
  notDeepEqual(draw(4, [2]), first);
  deepEqual(draw(3, [2]), first);
  await setColours();
  deepEqual(draw(3, [2]), first);
});

for (const [place, expected] of Object.entries({
  "160 100 7":
    "7, arc 27.3 31.3 15.3 0 7, roundRect 46 16 30.6 30.6 6.7, lineWidth 6.7, fillText 2 61.3 31.8",
  "160 100 40": "40, arc 7.2 25.2 7.2 0 7, roundRect 16 18 14.4 14.4 3.2, lineWidth 3.2",
  "160 100 60": "60, arc 7.2 9.2 7.2 0 7, roundRect 16 2 14.4 14.4 3.2, lineWidth 3.2",
  "160 100 200": "200, arc 3.5 13.5 3.5 0 7, roundRect 8 10 7 7 1.5, lineWidth 2.5",
  "160 100 900": "900, rect 0 4 3 3, rect 4 4 3 3, lineWidth 2.5",
  "160 100 3600": "0, rect 30 0 1.7 1.7, rect 31.7 0 1.7 1.7, lineWidth 2.5",
  "160 100 3700": "3700, rect 1.4 0 2 2, rect 3.5 0 2 2, lineWidth 2.5",
  "160 100 5000": "0, rect 0 0.2 1.8 1.8, rect 1.8 0.2 1.8 1.8, lineWidth 2.5",
  "448 360 20":
    "20, arc 101 87 27 0 7, roundRect 134 60 54 54 11.9, lineWidth 11.9, fillText 2 161 87.5",
  "300 160 20":
    "20, arc 80.3 27.3 15.3 0 7, roundRect 99 12 30.6 30.6 6.7, lineWidth 6.7, fillText 2 114.3 27.8",
})) {
  const [clientWidth, clientHeight, stones] = place.split(" ").map(Number);
  test(`stone 2 of ${stones} on ${clientWidth} by ${clientHeight} pixels`, () => {
    setSizes(canvas, { clientWidth, clientHeight });
    const free = draw(stones, []);
    const lines = draw(stones, [1, 2]);
    const isShape = line => /^(arc|rect|roundRect|fillText 2|lineWidth)/.test(line);
    const shapes = lines.filter(isShape);
    equal([free.filter(l => l === "fill").length, ...shapes].join(", "), expected);
  });
}
