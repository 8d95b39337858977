// The colours of the theme, for canvases.

const NAMES = /** @type {const} */ ([
  "one",
  "on-one",
  "two",
  "on-two",
  "shade",
  "line",
  "faint",
  "text",
  "card",
]);

/** @typedef {Record<typeof NAMES[number], string>} Palette */

/** @type {Palette | null} */
let palette = null;

/**
 * Return the colours by their names in style.css. A change of theme makes a new object.
 * @returns {Palette}
 */
export function colours() {
  if (!palette) {
    const style = getComputedStyle(document.documentElement);
    const entries = NAMES.map(name => [name, style.getPropertyValue(`--${name}`).trim()]);
    palette = Object.fromEntries(entries);
  }
  return /** @type {Palette} */ (palette);
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
