// A pen that writes SVG where a canvas would draw.

/** @import { Pen } from "./tree_painter.js" */

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
