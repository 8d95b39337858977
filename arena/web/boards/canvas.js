// Canvases in the resolution of the screen.

/**
 * A canvas prepared for drawing; `cache` is the last drawing of its game, null after a resize.
 * @typedef {{
 *   context: CanvasRenderingContext2D,
 *   width: number,
 *   height: number,
 *   cache: unknown,
 * }} Surface
 */

/** @type {WeakMap<HTMLCanvasElement, Surface>} */
const surfaces = new WeakMap();

/**
 * Return a canvas as a surface with the resolution of the screen.
 * @param {HTMLCanvasElement} canvas
 * @returns {Surface}
 */
export function prepareCanvas(canvas) {
  const surface = surfaces.get(canvas) ?? createSurface(canvas);
  if (!surface.width) {
    const ratio = devicePixelRatio || 1;
    surface.width = canvas.clientWidth || 160;
    surface.height = canvas.clientHeight || 100;
    canvas.width = surface.width * ratio;
    canvas.height = surface.height * ratio;
    surface.context.scale(ratio, ratio);
    surface.cache = null;
  }
  return surface;
}

/** @param {HTMLCanvasElement} canvas */
function createSurface(canvas) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const surface = { context, width: 0, height: 0, cache: null };
  surfaces.set(canvas, surface);
  new ResizeObserver(() => {
    surface.width = 0;
  }).observe(canvas);
  return surface;
}
