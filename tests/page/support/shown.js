// What a person sees of elements, and does with them.

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
