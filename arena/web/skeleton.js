// Grey lines in the place of what is being loaded, of about its size, so that nothing moves later.
import { h } from "./dom.js";

/**
 * @param {number} lines
 * @param {string} label what is being loaded, for screen readers
 */
export const skeleton = (lines, label) =>
  h("div", { class: "skeleton", role: "status" }, [
    h("span", { class: "hidden-text" }, label),
    Array.from({ length: lines }, () => h("div", { "aria-hidden": "true" })),
  ]);
