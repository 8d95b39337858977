// Canvases that record what is drawn on them: the DOM of the tests draws nothing.
import { replaceProperty, settle, signal } from "./browser.js";

/** Return a context whose calls and settings are listed in `log`, with `answers` of its methods. */
function recordedContext(answers) {
  const log = [];
  return new Proxy(
    { log },
    {
      get: (target, name) =>
        target[name] ??
        ((...values) => {
          log.push([name, ...values]);
          return answers[name]?.(...values);
        }),
      set: (_target, name, value) => log.push([name, value]) > 0,
    },
  );
}

/** Record all canvases of this test. */
export function recordCanvases(answers = {}) {
  const contexts = new WeakMap();
  replaceProperty(HTMLCanvasElement.prototype, "getContext", function record(kind) {
    if (kind !== "2d") return null;
    if (!contexts.has(this)) contexts.set(this, recordedContext(answers));
    return contexts.get(this);
  });
}

/** Return what was drawn on a canvas since the last call. */
export const drawn = canvas => canvas.getContext("2d").log.splice(0);

/** Return what a method has drawn since the canvas was cleared, with the places in pixels. */
export function drawnNow(canvas, method) {
  const { log } = canvas.getContext("2d");
  let [a, , , d, e, f] = [1, 0, 0, 1, 0, 0];
  const found = [];
  for (const [name, ...values] of log) {
    if (name === "setTransform") [a, , , d, e, f] = values;
    if (name === "clearRect") found.length = 0;
    if (name !== method) continue;
    const [what, x, y] = values;
    found.push({ what, x: a * x + e, y: d * y + f });
  }
  return found;
}

/** Return where a text is on a canvas, or null. */
export const placeOf = (canvas, text) =>
  drawnNow(canvas, "fillText").find(({ what }) => what === text) ?? null;

/** Keep the frames of this test until they are drawn; return the function that draws one. */
export function keepFrames() {
  let frames = [];
  replaceProperty(globalThis, "requestAnimationFrame", draw => frames.push(draw));
  replaceProperty(globalThis, "cancelAnimationFrame", id => delete frames[id - 1]);
  return (now = performance.now()) => {
    const due = frames;
    frames = [];
    for (const draw of due) draw?.(now);
    return due.filter(Boolean).length;
  };
}

/** The colours of the page, which are those of style.css in a browser. */
export const COLOURS = Object.fromEntries(
  ["one", "on-one", "two", "on-two", "shade", "pit", "faint", "text", "card"].map((name, at) => [
    name,
    `rgb(${at}, ${at}, ${at})`,
  ]),
);

/** Set the colours of the page for this test; canvases learn of the change. */
export async function setColours() {
  const { style, dataset } = document.documentElement;
  const change = colours => {
    for (const name of Object.keys(COLOURS)) style.setProperty(`--${name}`, colours[name] ?? "");
    dataset.theme = "changed";
    delete dataset.theme;
  };
  change(COLOURS);
  signal().addEventListener("abort", () => change({}));
  await settle();
}

/** Return what was drawn since the last call as lines of text, with the names of the colours. */
export function picture(canvas) {
  const names = new Map(Object.entries(COLOURS).map(([name, colour]) => [colour, name]));
  const text = value => names.get(value) ?? (typeof value === "number" ? +value.toFixed(1) : value);
  return drawn(canvas).map(line => line.map(text).join(" "));
}
