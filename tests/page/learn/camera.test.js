import { deepEqual, equal, ok } from "node:assert/strict";
import { Camera } from "/learn/camera.js";
import { test } from "../support/browser.js";

/** Return a camera of 800 by 500 pixels at some place. */
function cameraAt(x = 0, y = 0, scale = 1) {
  const camera = new Camera();
  camera.resize(800, 500);
  Object.assign(camera, { x, y, scale });
  return camera;
}
const view = ({ x, y, scale }) => [x, y, scale].map(value => Number(value.toFixed(9)));

test("the visible part is that of the scale", () => {
  const camera = cameraAt(10, 20, 0.5);
  deepEqual(camera.extent, { left: 10, right: 1610, top: 20, bottom: 1020 });
  deepEqual(camera.at(100, 50), { x: 210, y: 120 });
});

test("levels of a small tree stay apart", () => {
  const camera = cameraAt(10, 20, 0.1);
  camera.floor = 0.4;
  equal(camera.down, 0.4);
  equal(camera.extent.bottom, 20 + 500 / 0.4);
  equal(camera.at(0, 40).y, 120);
  camera.pan(10, 40);
  deepEqual(view(camera), [-90, -80, 0.1]);
});

test("a larger canvas keeps its middle", () => {
  const camera = cameraAt(10, 20, 2);
  camera.resize(1000, 400);
  deepEqual([...view(camera), camera.width, camera.height], [-40, 20, 2, 1000, 400]);
});

test("a zoom keeps the pixel at which it happens, within limits", () => {
  const camera = cameraAt(10, 20, 1);
  const before = camera.at(200, 100);
  camera.zoom(1.5, 200, 100);
  equal(camera.scale, 1.5);
  const after = camera.at(200, 100);
  for (const axis of ["x", "y"]) ok(Math.abs(before[axis] - after[axis]) < 1e-9);
  const middle = camera.at(400, 250);
  camera.zoom(99);
  equal(camera.scale, 2.5);
  ok(Math.abs(camera.at(400, 250).x - middle.x) < 1e-9);
  ok(Math.abs(camera.at(400, 250).y - middle.y) < 1e-9);
  camera.zoom(1e-9);
  equal(camera.scale, 0.001);
});

for (const [name, extent, options, expected] of [
  // 744 pixels across, and 344 down above what is covered
  ["a wide tree", { left: -744, right: 744, top: 0, bottom: 100 }, [28], [-800, -350, 0.5]],
  ["a high tree", { left: 0, right: 100, top: 0, bottom: 688 }, [28], [-750, -56, 0.5]],
  ["a small tree", { left: 0, right: 10, top: 0, bottom: 10 }, [28], [-315, -155, 1.25]],
  ["without a margin", { left: 0, right: 1600, top: 0, bottom: 10 }, [0], [0, -395, 0.5]],
  ["a huge tree", { left: 0, right: 1e9, top: 0, bottom: 10 }, [28], [5e8 - 4e5, -199995, 0.001]],
]) {
  test(`${name} is seen as a whole`, () => {
    const camera = cameraAt();
    camera.fit(extent, options[0], false);
    deepEqual(view(camera), expected);
    equal(camera.isMoving, false);
  });
}

test("a wide tree with a floor is in the middle of the height", () => {
  const camera = cameraAt();
  camera.floor = 1;
  camera.fit({ left: -744, right: 744, top: 0, bottom: 100 }, 28, false);
  equal(camera.y, 50 - 200);
});

test("a point is moved to the middle of the top edge", () => {
  const camera = cameraAt();
  camera.moveTo(100, 30, 0.5, false);
  deepEqual(view(camera), [-700, 30, 0.5]);
});

test("a movement takes 220 milliseconds, and is fast at first", t => {
  t.mock.method(performance, "now", () => 1000);
  const camera = cameraAt();
  camera.moveTo(400, 80, 1, true);
  equal(camera.isMoving, true);
  for (const [now, y] of [
    [900, 0],
    [1000, 0],
    [1110, 70],
    [1219, 80 * (1 - (1 / 220) ** 3)],
  ]) {
    camera.move(now);
    ok(Math.abs(camera.y - y) < 1e-9, `${camera.y} at ${now}`);
    equal(camera.isMoving, true);
  }
  camera.move(1220);
  deepEqual([camera.y, camera.isMoving], [80, false]);
  camera.y = 7;
  camera.move(1300);
  equal(camera.y, 7);
});

for (const [name, interrupt] of [
  ["pan", camera => camera.pan(1, 1)],
  ["zoom", camera => camera.zoom(1)],
]) {
  test(`a ${name} ends a movement`, () => {
    const camera = cameraAt();
    camera.fit({ left: 0, right: 1, top: 0, bottom: 1 });
    equal(camera.isMoving, true);
    interrupt(camera);
    equal(camera.isMoving, false);
  });
}

test("with less motion the camera is there at once", t => {
  t.mock.method(globalThis, "matchMedia", query => ({
    matches: query === "(prefers-reduced-motion: reduce)",
  }));
  const camera = cameraAt();
  camera.moveTo(400, 80, 1, true);
  deepEqual([camera.y, camera.isMoving], [80, false]);
});
