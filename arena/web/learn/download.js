// Files of the tree: SVG and PNG.
import { colours } from "../boards/colours.js";
import { h } from "../dom.js";
import { saveCanvas, saveFile } from "../save_file.js";
import { SvgPen } from "./svg_pen.js";

/** @import { TreeView } from "./tree_view.js" */

const MARGIN = 24; // units around the tree
const PIXELS = 8000; // the longer side of the largest picture, which all browsers can make
const FLOOR = 0.3; // pixels of a unit downwards, in a picture of a wide tree
const SHARP = 2; // pixels of a unit in a picture that is small enough

/** @param {TreeView} tree */
function drawnExtent(tree) {
  const { left, right, top, bottom } = tree.extent;
  return {
    left: left - MARGIN,
    right: right + MARGIN,
    top: top - MARGIN,
    bottom: bottom + MARGIN,
  };
}

/**
 * Save the tree as it is, the parts outside the canvas too, as an SVG file.
 * @param {TreeView} tree
 * @param {string} title
 */
export function saveSvg(tree, title) {
  const pen = new SvgPen();
  tree.drawWhole(pen, 1, 1);
  const text = pen.file(drawnExtent(tree), colours().card, title);
  saveFile(new Blob([text], { type: "image/svg+xml" }), "alpha-beta.svg");
}

/**
 * Save the tree as it is as a PNG file.
 * @param {TreeView} tree
 */
export async function savePng(tree) {
  const { left, right, top, bottom } = drawnExtent(tree);
  const scale = Math.min(SHARP, PIXELS / Math.max(right - left, bottom - top));
  const stretch = Math.max(1, FLOOR / scale);
  const canvas = h("canvas", {
    width: Math.ceil((right - left) * scale),
    height: Math.ceil((bottom - top) * scale * stretch),
  });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = colours().card;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
  tree.drawWhole(context, scale, stretch);
  await saveCanvas(canvas, "alpha-beta.png");
}
