// The colours of the theme, for canvases.
import { h, setStyle } from "../dom.js";

const NAMES = /** @type {const} */ ([
  "one",
  "on-one",
  "two",
  "on-two",
  "shade",
  "pit",
  "line",
  "faint",
  "text",
  "card",
  "page",
  "accent",
  "good",
  "bad",
]);

/** @typedef {Record<typeof NAMES[number], string>} Palette */

/** @type {Palette | null} */
let palette = null;

/**
 * Return the colours by their names in style.css. A change of theme makes a new object.
 * @returns {Palette}
 */
export function colours() {
  palette ??= readPalette();
  return palette;
}

/** @returns {Palette} */
function readPalette() {
  // The value of a variable names the colours of both themes: only an element has one of them.
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const entries = NAMES.map(name => {
    setStyle(probe, { color: `var(--${name})` });
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries);
}

/** Dispatches "change" when the theme has changed and canvases must be redrawn. */
export const theme = new EventTarget();

function change() {
  palette = null;
  theme.dispatchEvent(new Event("change"));
}

if (globalThis.document) {
  new MutationObserver(change).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change);
}
