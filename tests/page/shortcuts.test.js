import { deepEqual, equal, ok } from "node:assert/strict";
import { showShortcuts } from "/shortcuts.js";
import { test } from "./support/browser.js";
import { all, button, kinds, text, texts } from "./support/elements.js";

test("the shortcuts of each place are listed once, until the dialog is closed", () => {
  showShortcuts();
  showShortcuts();
  const [dialog, ...others] = all("dialog.shortcuts");
  deepEqual(others, []);
  ok(dialog.open);
  equal(kinds(dialog), "h2 div.places section h3 dl dt kbd dd form button.main");
  equal(dialog.getAttribute("aria-labelledby"), dialog.querySelector("h2").id);
  equal(
    text("h2, h3"),
    "Keyboard shortcuts | Match | Analysis | Board | Learn | Slides | Everywhere",
  );
  const keys = texts("dt").map(text => text.trim());
  equal(
    all("dd")
      .map((meaning, at) => `${keys[at]}: ${meaning.textContent}`)
      .join("; "),
    "← →: one move back or forward; Home End: first or latest position; " +
      "Space: play the moves one after the other, or pause; " +
      "← →: one move back or forward; ↑ ↓: go to another variation; " +
      "← → ↑ ↓: go to the next cell; Ctrl ← →: go to the next legal move; Enter: play the move; " +
      "← →: one step back or forward; n p: next or previous cutoff; " +
      "s: step over the children of a node; + − 0: zoom the tree, or fit it; " +
      "f: follow the search in the tree; c e: collapse a node, or expand all; " +
      "← →: previous or next slide; Space: stay at a slide, or go on; ?: this list",
  );
  equal(button("Close").form.getAttribute("method"), "dialog");
  dialog.close();
  deepEqual(all("dialog"), []);
});
