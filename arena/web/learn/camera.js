// The part of a drawing that is seen: zoom, pan and smooth movement.

const LEAST = 0.001; // pixels of a unit
const MOST = 2.5;
const DURATION = 220; // milliseconds of a movement
/** Pixels at the bottom of the canvas that are covered by buttons and the position. */
export const COVERED = 100;

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Extent */

/**
 * The scale, and the units at the top left corner of a canvas.
 *
 * Levels of a wide tree stay apart when it is small: down the scale is never below `floor`.
 */
export class Camera {
  scale = 1;
  floor = 0;
  x = 0;
  y = 0;
  width = 1;
  height = 1;
  /** @type {{ from: number[], to: number[], begin: number } | null} */
  #movement = null;

  /**
   * Follow the size of the canvas; what is in its middle stays there.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.x += (this.width - width) / 2 / this.scale;
    this.width = width;
    this.height = height;
  }

  /** The number of pixels of a unit downwards. */
  get down() {
    return Math.max(this.scale, this.floor);
  }

  /** The part of the drawing that is seen. */
  get extent() {
    const right = this.x + this.width / this.scale;
    return { left: this.x, right, top: this.y, bottom: this.y + this.height / this.down };
  }

  /** Whether a movement is not finished. */
  get isMoving() {
    return this.#movement !== null;
  }

  /**
   * Return the units at a pixel of the canvas.
   * @param {number} px
   * @param {number} py
   */
  at(px, py) {
    return { x: this.x + px / this.scale, y: this.y + py / this.down };
  }

  /**
   * @param {number} dx pixels
   * @param {number} dy pixels
   */
  pan(dx, dy) {
    this.#movement = null;
    this.x -= dx / this.scale;
    this.y -= dy / this.down;
  }

  /**
   * Zoom so that a pixel stays where it is.
   * @param {number} factor
   * @param {number} px
   * @param {number} py
   */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    this.#movement = null;
    const { x, y } = this.at(px, py);
    this.scale = Math.min(MOST, Math.max(LEAST, this.scale * factor));
    this.x = x - px / this.scale;
    this.y = y - py / this.down;
  }

  /**
   * Show a whole extent, not larger than in its own size.
   * @param {Extent} extent
   */
  fit({ left, right, top, bottom }, margin = 28, isSmooth = true) {
    const across = (this.width - 2 * margin) / (right - left);
    const room = this.height - COVERED;
    const down = (room - 2 * margin) / (bottom - top);
    const scale = Math.max(LEAST, Math.min(1.25, across, down));
    const x = (left + right) / 2 - this.width / 2 / scale;
    const y = (top + bottom) / 2 - room / 2 / Math.max(scale, this.floor);
    this.#moveTo([scale, x, y], isSmooth);
  }

  /**
   * Show a point in the middle of the top edge.
   * @param {number} x
   * @param {number} y
   * @param {number} scale
   * @param {boolean} isSmooth
   */
  moveTo(x, y, scale, isSmooth) {
    this.#moveTo([scale, x - this.width / 2 / scale, y], isSmooth);
  }

  /**
   * @param {number[]} to
   * @param {boolean} isSmooth
   */
  #moveTo(to, isSmooth) {
    this.#movement = { from: [this.scale, this.x, this.y], to, begin: performance.now() };
    if (!isSmooth || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.move(Number.POSITIVE_INFINITY);
    }
  }

  /**
   * Go on with a movement.
   * @param {number} now
   */
  move(now) {
    if (!this.#movement) return;
    const { from, to, begin } = this.#movement;
    const share = Math.min(1, (now - begin) / DURATION);
    const eased = 1 - (1 - Math.max(0, share)) ** 3;
    const [scale, x, y] = to.map((end, index) => from[index] + (end - from[index]) * eased);
    [this.scale, this.x, this.y] = share === 1 ? to : [scale, x, y];
    if (share === 1) this.#movement = null;
  }
}
