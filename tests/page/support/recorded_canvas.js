// Canvases that record what is drawn on them: happy-dom draws nothing.
import "./page.js";

const contexts = new WeakMap();
const { getContext } = HTMLCanvasElement.prototype;

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

/** Record all canvases until `restoreCanvases`. */
export function recordCanvases(answers = {}) {
  HTMLCanvasElement.prototype.getContext = function record() {
    if (!contexts.has(this)) contexts.set(this, recordedContext(answers));
    return contexts.get(this);
  };
}

export function restoreCanvases() {
  HTMLCanvasElement.prototype.getContext = getContext;
}

/** Return what was drawn on a canvas since the last call. */
export const drawn = canvas => canvas.getContext("2d").log.splice(0);

/** The colours of the page, which are those of style.css in a browser. */
export const COLOURS = Object.fromEntries(
  ["one", "on-one", "two", "on-two", "shade", "faint", "text", "card"].map((name, at) => [
    name,
    `rgb(${at}, ${at}, ${at})`,
  ]),
);

/** Set the colours of the page, or remove them with `colours` empty; canvases learn of the change. */
export async function setColours(colours = COLOURS) {
  const { style, dataset } = document.documentElement;
  for (const name of Object.keys(COLOURS)) style.setProperty(`--${name}`, colours[name] ?? "");
  dataset.theme = "changed";
  delete dataset.theme;
  await new Promise(resolve => setImmediate(resolve));
}

/** Return what was drawn since the last call as lines of text, with the names of the colours. */
export function picture(canvas) {
  const names = new Map(Object.entries(COLOURS).map(([name, colour]) => [colour, name]));
  const text = value => names.get(value) ?? (typeof value === "number" ? +value.toFixed(1) : value);
  return drawn(canvas).map(line => line.map(text).join(" "));
}
