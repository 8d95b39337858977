// The colours of the theme for what is drawn on a canvas.

const NAMES = ["one", "on-one", "two", "on-two", "shade", "line", "faint", "text", "card"];
let known = null;

/** The colours by their names in style.css. Another object after each change of the theme. */
export function colours() {
  if (known) return known;
  const style = getComputedStyle(document.documentElement);
  return known = Object.fromEntries(NAMES.map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** Tells that the theme has changed, so that canvases are to be drawn anew, as the event "change". */
export const theme = new EventTarget();

function change() {
  known = null;
  theme.dispatchEvent(new Event("change"));
}

if (globalThis.document) {
  new MutationObserver(change).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change);
}
