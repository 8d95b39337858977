// Files that the page makes.
import { h } from "./dom.js";

/**
 * Save a file as a download.
 * @param {Blob} blob
 * @param {string} name
 */
export function saveFile(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Save a drawing as a PNG file.
 * @param {HTMLCanvasElement} canvas
 * @param {string} name
 */
export async function saveCanvas(canvas, name) {
  const blob = await new Promise(resolve => canvas.toBlob(resolve, "image/png"));
  if (blob) saveFile(blob, name);
}
