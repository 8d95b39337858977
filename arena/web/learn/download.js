// Files of the tree: SVG and PNG.
import { colours } from "../boards/colours.js";
import { h } from "../dom.js";
import { saveCanvas, saveFile } from "../save_file.js";

/** @import { TreeView } from "./tree_view.js" */
/** @import { Pen } from "./tree_painter.js" */

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

// A pen that writes SVG where a canvas would draw

/** @param {number} value */
const short = value => String(Number(value.toFixed(1)));

/** @param {string} text */
const escaped = text =>
  text.replace(/[&<>"]/g, found => `&#${/** @type {number} */ (found.codePointAt(0))};`);

/** @implements {Pen} */
export class SvgPen {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "";
  /** @type {CanvasTextAlign} */
  textAlign = "center";
  /** @type {CanvasTextBaseline} */
  textBaseline = "middle";
  #path = "";
  /** @type {number[]} */
  #dash = [];
  /** @type {string[]} */
  #parts = [];

  beginPath() {
    this.#path = "";
  }

  closePath() {
    this.#path += "Z";
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  moveTo(x, y) {
    this.#path += `M${short(x)} ${short(y)}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  lineTo(x, y) {
    this.#path += `L${short(x)} ${short(y)}`;
  }

  /**
   * @param {number} middle
   * @param {number} level
   * @param {number} x
   * @param {number} y
   */
  quadraticCurveTo(middle, level, x, y) {
    this.#path += `Q${short(middle)} ${short(level)} ${short(x)} ${short(y)}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  rect(x, y, width, height) {
    this.roundRect(x, y, width, height, 0);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {any} radius
   */
  roundRect(x, y, width, height, radius) {
    const r = Math.min(radius, width / 2, height / 2);
    const arc = `a${r} ${r} 0 0 1 `;
    const [across, down] = [short(width - 2 * r), short(height - 2 * r)];
    this.#path +=
      `M${short(x + r)} ${short(y)}h${across}${arc}${r} ${r}v${down}${arc}${-r} ${r}` +
      `h-${across}${arc}${-r} ${-r}v-${down}${arc}${r} ${-r}Z`;
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.#dash = dash;
  }

  get #opacity() {
    return this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : "";
  }

  fill() {
    this.#parts.push(`<path d="${this.#path}" fill="${this.fillStyle}"${this.#opacity}/>`);
  }

  stroke() {
    const dash = this.#dash.length ? ` stroke-dasharray="${this.#dash.join(" ")}"` : "";
    const style = `stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}"${dash}`;
    this.#parts.push(`<path d="${this.#path}" fill="none" ${style}${this.#opacity}/>`);
  }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  fillText(text, x, y) {
    const [, weight, size] = /^(\d+) ([\d.]+)px/.exec(this.font) ?? ["", "400", "12"];
    const place = `x="${short(x)}" y="${short(y)}" dy="0.35em"`;
    const font = `font-weight="${weight}" font-size="${size}"`;
    this.#parts.push(`<text ${place} ${font} fill="${this.fillStyle}">${escaped(text)}</text>`);
  }

  /** @type {any} */
  drawImage = (
    /** @type {HTMLCanvasElement} */ canvas,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ width,
    /** @type {number} */ height,
  ) => {
    const place = `x="${short(x)}" y="${short(y)}" width="${width}" height="${height}"`;
    this.#parts.push(`<image ${place} href="${canvas.toDataURL()}"/>`);
  };

  /**
   * Return the drawing as a file.
   * @param {{ left: number, right: number, top: number, bottom: number }} extent
   * @param {string} background
   * @param {string} title
   */
  file({ left, right, top, bottom }, background, title) {
    const [width, height] = [right - left, bottom - top];
    const box = `${short(left)} ${short(top)} ${short(width)} ${short(height)}`;
    const size = `width="${short(width)}" height="${short(height)}"`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" ${size}`,
      ` font-family="system-ui, sans-serif" text-anchor="middle">`,
      `<title>${escaped(title)}</title>`,
      `<rect x="${short(left)}" y="${short(top)}" ${size} fill="${background}"/>`,
      ...this.#parts,
      "</svg>\n",
    ].join("");
  }
}
