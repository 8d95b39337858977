// Elements from names, properties and children. Text only ever becomes text: nothing that a user
// or a bot has written is read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element; `on…` properties are listeners, `data` and `style` are objects, others attributes. */
export function h(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** An element of a drawing. */
export function s(name, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, name), properties, children);
}

function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "style") for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** The address of a WebSocket of the arena that has sent this page. */
export const socketAddress = path => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

/** A name that somebody has chosen: isolated, so that it cannot turn the text around it. */
export const nameOf = name => h("bdi", {}, name);

/** "1 match", "2 matches". */
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** A setup in words: "stones 20". */
export const setupWords = setup => Object.entries(setup).map(([name, value]) => `${name} ${value}`).join(", ");
