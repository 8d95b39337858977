// What the browser keeps for the page. Storage may be forbidden: then all of it lasts as long as the page.

/** What is kept for this tab alone, and until it is closed, as the last parameter of both. */
export const TAB = "sessionStorage";

/** The text that was kept under a key; null if there is none. */
export function kept(key, where = "localStorage") {
  try {
    return globalThis[where].getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key. */
export function keep(key, text, where = "localStorage") {
  try {
    globalThis[where].setItem(key, text);
  } catch {
    // Whatever it was is asked for again the next time.
  }
}
