// What a person sees of elements, and does with them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import "./page.js";

/** Show elements on the page, and no others; return the first. */
export function show(...elements) {
  document.body.replaceChildren(...elements);
  return elements[0];
}

export const all = (selector, root = document) => [...root.querySelectorAll(selector)];
export const texts = (selector, root) => all(selector, root).map(found => found.textContent);
/** Return the texts of the elements that match a selector as one. */
export const text = (selector, root) => texts(selector, root).join(" | ");
/** Return the values of an attribute. */
export const attributes = (name, selector, root) =>
  all(selector, root).map(found => found.getAttribute(name));
/** Return the values of a property of elements, or of other objects. */
export const properties = (name, elements) => [...elements].map(element => element[name]);
export const links = (root, selector = "a") => attributes("href", selector, root);

/** Return the button with a text or a title. */
export const button = (name, root) =>
  all("button", root).find(({ textContent, title }) => [textContent.trim(), title].includes(name));

/** Return the field whose label begins with a text. */
export const field = (name, root) =>
  all("label", root)
    .find(({ textContent }) => textContent.startsWith(name))
    .querySelector("input, select, textarea");

/** Fill a value into a field. */
export function fill(element, value, type = "input") {
  element.value = value;
  element.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Press a key on an element; return whether its default was prevented. */
export const press = (key, target = document.body, more = {}) =>
  !target.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
  );

/** Let the pointer do something on an element, at a place; return whether its default was prevented. */
export function pointAt(target, type, more = {}, place = {}) {
  const Kind = type === "wheel" ? WheelEvent : PointerEvent;
  const event = new Kind(type, { bubbles: true, cancelable: true, ...more });
  for (const [name, value] of Object.entries(place)) Object.defineProperty(event, name, { value });
  return !target.dispatchEvent(event);
}

/** Check that two elements are one; assert.equal would take minutes to write a difference. */
export const isSame = (one, other) =>
  assert.ok(
    one === other,
    `${one?.outerHTML.slice(0, 80)} is not ${other?.outerHTML.slice(0, 80)}`,
  );

/** Return the kinds of the elements of a page, each once: their names, classes and roles. */
export function kinds(root = document.body) {
  const found = all("*", root).map(element => {
    const classes = [...element.classList].map(name => `.${name}`);
    const role = element.getAttribute("role");
    return [element.localName, ...classes, role ? `[${role}]` : ""].join("");
  });
  return [...new Set(found)].join(" ");
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
  const rules = readFileSync(new URL(`../../../arena/web/${sheet}`, import.meta.url), "utf8");
  const names = new Set(rules.match(/\.[a-z][a-z0-9-]*/g));
  const isUnused = name => !root.parentElement.querySelector(name);
  return [...names].filter(isUnused).sort().join(" ");
}
