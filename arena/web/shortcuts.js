// The dialog of the keyboard shortcuts.

import { h } from "./dom.js";

/** @type {[place: string, keys: [keys: string[], meaning: string][]][]} */
const SHORTCUTS = [
  [
    "Match",
    [
      [["←", "→"], "one move back or forward"],
      [["Home", "End"], "first or latest position"],
      [["Space"], "play the moves one after the other, or pause"],
    ],
  ],
  [
    "Analysis",
    [
      [["←", "→"], "one move back or forward"],
      [["↑", "↓"], "go to another variation"],
    ],
  ],
  [
    "Board",
    [
      [["←", "→", "↑", "↓"], "go to the next cell"],
      [["Ctrl", "← →"], "go to the next legal move"],
      [["Enter"], "play the move"],
    ],
  ],
  [
    "Learn",
    [
      [["←", "→"], "one step back or forward"],
      [["n", "p"], "next or previous cutoff"],
      [["s"], "step over the children of a node"],
      [["+", "−", "0"], "zoom the tree, or fit it"],
      [["f"], "follow the search in the tree"],
      [["c", "e"], "collapse a node, or expand all"],
    ],
  ],
  [
    "Slides",
    [
      [["←", "→"], "previous or next slide"],
      [["Space"], "stay at a slide, or go on"],
    ],
  ],
  ["Everywhere", [[["?"], "this list"]]],
];

/** Show the dialog; it is removed when it is closed. */
export function showShortcuts() {
  if (document.querySelector("dialog.shortcuts")) return;
  const close = h("button", { type: "submit", class: "main" }, "Close");
  const dialog = h(
    "dialog",
    { class: "card shortcuts", "aria-labelledby": "shortcuts-title" },
    h("h2", { id: "shortcuts-title" }, "Keyboard shortcuts"),
    h("div", { class: "places" }, SHORTCUTS.map(placeElement)),
    h("form", { method: "dialog" }, close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {[place: string, keys: [keys: string[], meaning: string][]]} place */
function placeElement([place, shortcuts]) {
  const items = shortcuts.map(([keys, meaning]) => [
    h(
      "dt",
      {},
      keys.map(key => [h("kbd", {}, key), " "]),
    ),
    h("dd", {}, meaning),
  ]);
  return h("section", {}, h("h3", {}, place), h("dl", {}, items));
}
