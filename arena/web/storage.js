// The browser's storage. Where it is forbidden, stored texts are lost with the page.

/** The storage of this tab alone, until it is closed. */
export const TAB = "sessionStorage";

/** @typedef {"localStorage" | "sessionStorage"} Area */

/**
 * Return the text stored under a key, null if there is none.
 * @param {string} key
 * @param {Area} [area]
 */
export function load(key, area = "localStorage") {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
}

/**
 * Store a text under a key.
 * @param {string} key
 * @param {string} text
 * @param {Area} [area]
 */
export function save(key, text, area = "localStorage") {
  try {
    globalThis[area].setItem(key, text);
  } catch {
    // Without storage the user chooses again the next time.
  }
}

/**
 * Remove the text stored under a key.
 * @param {string} key
 */
export function remove(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to remove.
  }
}
