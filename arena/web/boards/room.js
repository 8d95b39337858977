// The room that the window leaves for a board.
import { setStyle } from "../dom.js";

const MARGIN = 10; // pixels below a board
const LEAST = 100; // pixels of height
const FOLD = 0.7; // of the window: a board that begins below is scrolled to
const HEAD = 60; // pixels that such a board leaves free
const PAPER = { width: 660, height: 800 }; // pixels on a sheet of A4 or letter paper

/**
 * Call a function with the room of a board whenever it changes: its width without padding, and the
 * height with which all of it is in the window.
 *
 * The room begins where its element `.board-room` does, and ends at the bottom of the window or at
 * the elements that stay there, `data-dock`. Its style `--most-room` limits the height, in pixels.
 * @param {HTMLElement} element
 * @param {(width: number, height: number) => void} resize
 */
export function onResize(element, resize) {
  let known = "";
  let isPlaced = false;
  const printing = matchMedia("print");
  const update = () => {
    if (isPlaced && !element.isConnected) {
      observer.disconnect();
      removeEventListener("resize", update);
      printing.removeEventListener("change", update);
      return;
    }
    isPlaced = element.isConnected;
    let width = Math.floor(element.clientWidth);
    if (!width) return;
    let height = availableHeight(element);
    if (printing.matches) {
      width = Math.min(width, PAPER.width);
      height = PAPER.height;
    }
    if (`${width} ${height}` === known) return;
    known = `${width} ${height}`;
    resize(width, height);
  };
  const observer = new ResizeObserver(update);
  // Once the caller has placed it: what an observer changes counts as a shift of the first layout.
  queueMicrotask(update);
  observer.observe(element);
  observer.observe(document.body); // what is above may have grown
  addEventListener("resize", update);
  printing.addEventListener("change", update);
}

/**
 * Return the height that is left in the window for a board, in pixels.
 * @param {HTMLElement} element
 */
function availableHeight(element) {
  const room = /** @type {HTMLElement} */ (element.closest(".board-room") ?? element);
  const docks = [
    .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-dock]")),
  ];
  const bottom = docks
    .filter(isDocked)
    .reduce((sum, { offsetHeight }) => sum + offsetHeight, MARGIN);
  const top = topOf(room);
  const left = innerHeight - bottom - (top > FOLD * innerHeight ? HEAD : top);
  const most = Number.parseFloat(getComputedStyle(room).getPropertyValue("--most-room"));
  const height = Math.max(LEAST, Math.floor(Math.min(left, most || left)));
  setStyle(room, { "--room": `${height}px` });
  return height;
}

/**
 * Whether an element is at the bottom of the window: it is stuck there, or ends the page.
 * @param {HTMLElement} element
 */
const isDocked = element =>
  element.dataset.dock === "end" || getComputedStyle(element).position === "sticky";

/**
 * Return where an element begins on the page that is not scrolled.
 * @param {HTMLElement} element
 */
function topOf(element) {
  const { top } = element.getBoundingClientRect();
  for (let at = element; at.parentElement; at = at.parentElement) {
    if (getComputedStyle(at).position !== "sticky") continue;
    const offset = top - at.getBoundingClientRect().top;
    return at.parentElement.getBoundingClientRect().top + scrollY + offset;
  }
  return top + scrollY;
}
