// Elements from names, properties and children. Text is only ever inserted as text: names chosen by
// users and bots are never parsed as markup.

/** @import { Child, Properties } from "./types.js" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return an element; `on…` properties are listeners, `data` and `style` objects, others attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Properties} [properties]
 * @param {...Child} children
 */
export function h(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/**
 * Return an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Properties} [properties]
 * @param {...Child} children
 */
export function s(name, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, name), properties, children);
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Properties} properties
 * @param {Child[]} children
 */
function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "style") setStyle(element, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of /** @type {any[]} */ (children).flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/**
 * Set style properties and variables of an element.
 * @param {HTMLElement | SVGElement} element
 * @param {Record<string, string>} properties
 */
export function setStyle(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
}

/**
 * Set the text of an element, unless it has it already: then nothing is laid out again.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Load a style sheet, such as that of a board, unless it is there: the page names that of its game.
 * @param {string} url
 */
export async function loadStyleSheet(url) {
  if ([...document.styleSheets].some(({ href }) => href === url)) return;
  const link = h("link", { rel: "stylesheet", href: url });
  await new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error(`${url} cannot be loaded`));
    document.head.append(link);
  });
}

/**
 * Return the URL of a WebSocket of the arena that has sent this page.
 * @param {string} path
 */
export const webSocketUrl = path =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

/**
 * Return the name of a bot or a player, isolated from the direction of the text around it.
 * @param {string} name
 */
export const isolated = name => h("bdi", {}, name);

/**
 * "1 match", "2 matches".
 * @param {number} number
 * @param {string} one
 */
export const count = (number, one, many = `${one}s`) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** @param {string} text */
export const capitalised = text => text[0].toUpperCase() + text.slice(1);

/**
 * Return a message as a sentence: "Unknown match 12." for "unknown match 12".
 * @param {string} message
 */
export const sentence = message => capitalised(message.replace(/\.?$/, "."));

/**
 * Return the values of the number fields in an element, by their names.
 * @param {Element} element
 */
export const readNumbers = element =>
  Object.fromEntries(
    [...element.querySelectorAll("input")].map(({ name, valueAsNumber }) => [name, valueAsNumber]),
  );

/**
 * Return grey lines in the place of what is being loaded, of about its size, so that nothing moves
 * later.
 * @param {number} lines
 * @param {string} label what is being loaded, for screen readers
 */
export const skeleton = (lines, label) =>
  h("div", { class: "skeleton", role: "status" }, [
    h("span", { class: "hidden-text" }, label),
    Array.from({ length: lines }, () => h("div", { "aria-hidden": "true" })),
  ]);

/**
 * Return a text with a button that copies it.
 * @param {string} text
 * @param {string} meaning such as "the address"
 */
export function copyableText(text, meaning) {
  const code = h("code", {}, text);
  const properties = { type: "button", "aria-label": `Copy ${meaning}`, onclick: copy };
  const button = h("button", properties, "Copy");
  async function copy() {
    if (await copyText(text)) button.textContent = "Copied";
    else getSelection()?.selectAllChildren(code); // to be copied by hand
  }
  return h("div", { class: "copyable" }, code, button);
}

/**
 * Copy a text; return whether the browser has allowed it, which it may refuse without TLS.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Buttons with icons

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
