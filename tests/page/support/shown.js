// What a person sees of elements, and does with them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** Check that two elements are one; assert.equal would take minutes to write a difference. */
export const isSame = (one, other) =>
  assert.ok(
    one === other,
    `${one?.outerHTML.slice(0, 80)} is not ${other?.outerHTML.slice(0, 80)}`,
  );

/** Return the texts of the elements that match a selector, those that are hidden, too. */
export const texts = (root, selector) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);

/** Return the button with a text or a title. */
export const button = (root, name) =>
  [...root.querySelectorAll("button")].find(
    ({ textContent, title }) => (title || textContent) === name,
  );

/** Return the field with a label. */
export const field = (root, label) =>
  [...root.querySelectorAll("label")]
    .find(({ firstChild }) => firstChild.textContent === label)
    .querySelector("input, select, textarea");

/** Press a key on an element; return whether it had a meaning. */
export const press = (target, key, more = {}) =>
  !target.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
  );

/** Put an element into the document until the end of the test. */
export function place(t, element) {
  document.body.append(element);
  t.after(() => element.remove());
  return element;
}

/** Return what assistive technology is told of elements, with the number of each, without boards. */
export function outline(root) {
  const named = id => document.getElementById(id)?.textContent.slice(0, 14) ?? "nothing";
  const counts = new Map();
  for (const element of root.querySelectorAll("*")) {
    if (element.closest(".board, .view-choice, .matching button")) continue;
    const value = name => element.getAttribute(name);
    const [by, about] = [value("aria-labelledby"), value("aria-describedby")];
    const words = ["role", "scope", "aria-live", "aria-label"].map(value);
    words.push(value("aria-hidden") && "hidden", by && `by ${named(by)}`);
    words.push(about && `about ${named(about)}`);
    const said = words.filter(Boolean).join(" ");
    const fact = `${element.localName} ${said}`;
    if (said) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  }
  return [...counts].map(([fact, count]) => (count > 1 ? `${count} ${fact}` : fact)).join("; ");
}

/** Return the classes of a style sheet of the page that no element has. */
export function unusedClasses(root, sheet) {
  const text = readFileSync(new URL(`../../../arena/web/${sheet}`, import.meta.url), "utf8");
  const names = new Set(text.match(/\.[a-z][a-z0-9-]*/g));
  return [...names]
    .filter(name => !root.parentElement.querySelector(name))
    .sort()
    .join(" ");
}
