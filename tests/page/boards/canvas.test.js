import { deepEqual, equal } from "node:assert/strict";
import { prepareCanvas } from "/boards/canvas.js";
import { resize, setSizes, testAfter } from "../support/browser.js";
import { drawn, recordCanvases } from "../support/canvases.js";

let canvas, _ratio;
const test = testAfter(() => {
  recordCanvases();
  _ratio = devicePixelRatio;
  canvas = document.createElement("canvas");
});

const prepared = () => {
  const { width, height } = prepareCanvas(canvas);
  return [width, height, canvas.width, canvas.height];
};

test("a canvas has the pixels of the screen", () => {
  globalThis.devicePixelRatio = 2;
  setSizes(canvas, { clientWidth: 300, clientHeight: 200 });
  deepEqual([prepared(), drawn(canvas)], [[300, 200, 600, 400], [["scale", 2, 2]]]);
});

test("a canvas without a layout has a usual size, a screen without a ratio is 1 to 1", () => {
  globalThis.devicePixelRatio = 0;
  deepEqual([prepared(), drawn(canvas)], [[160, 100, 160, 100], [["scale", 1, 1]]]);
});

test("a drawing is kept until the canvas is resized", () => {
  const surface = prepareCanvas(canvas);
  equal(surface.cache, null);
  surface.cache = "drawing";
  equal(prepareCanvas(canvas), surface);
  equal(surface.cache, "drawing");
  resize(canvas, { clientWidth: 320, clientHeight: 240 });
  deepEqual([prepared(), surface.cache], [[320, 240, 320, 240], null]);
});
