// Buttons with icons.
import { h, s } from "./dom.js";

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1h-15zM11 21h2",
  silent: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1h-15zM4 3l16 18",
};

/** @param {keyof typeof ICONS} name */
export const icon = name => {
  const properties = { viewBox: "0 0 24 24", class: `icon ${name}`, "aria-hidden": "true" };
  return s("svg", properties, s("path", { d: ICONS[name] }));
};

/**
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {() => void} onclick
 */
export const iconButton = (name, label, onclick) =>
  h("button", { type: "button", "aria-label": label, title: label, onclick }, icon(name));

/**
 * Enable or disable a button that keeps the focus, which `disabled` would take from it.
 * @param {HTMLButtonElement} button
 * @param {boolean} isEnabled
 */
export function setEnabled(button, isEnabled) {
  button.ariaDisabled = String(!isEnabled);
}
