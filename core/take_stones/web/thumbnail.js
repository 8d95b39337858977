// The thumbnail of a Take-Stones position.
import { prepareCanvas } from "/boards/canvas.js";
import { colours } from "/boards/colours.js";
import { arrange, commonLength } from "./stone_cells.js";

/** @import { Palette } from "/boards/colours.js" */
/** @import { Setup } from "/types.js" */
/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {0 | 1 | 2} Owner the player who has taken a stone, 0 for none */

/**
 * The drawing on a canvas.
 * @typedef {{ painter: Painter, moves: number[] }} Drawn
 */

const LARGEST = 34; // pixels of a stone in a small picture
const SHARE = 1 / 6; // of the height, the largest stone in a large picture
const ARRANGED = 3600; // stones: more are too small for rows that begin at round numbers

/**
 * Draw a position; if it continues the one that was drawn before, only its new moves.
 * @param {HTMLCanvasElement} canvas
 * @param {Setup} setup
 * @param {number[]} moves
 */
export function drawThumbnail(canvas, { stones }, moves) {
  const surface = prepareCanvas(canvas);
  const { context, width, height } = surface;
  const palette = colours();
  const drawn = /** @type {Drawn | null} */ (surface.cache);
  let from = 0;
  let painter = drawn?.painter;
  if (drawn && painter?.matches(palette, stones) && isPrefix(drawn.moves, moves)) {
    from = Math.max(0, drawn.moves.length - 1);
  } else {
    painter = new Painter(context, palette, stones, width, height);
    context.clearRect(0, 0, width, height);
    painter.drawFree();
  }
  for (let at = from; at < moves.length; at++) {
    painter.drawTaken(moves[at], at % 2 ? 2 : 1, at === moves.length - 1);
  }
  surface.cache = { painter, moves: [...moves] };
}

/**
 * @param {number[]} start
 * @param {number[]} moves
 */
const isPrefix = (start, moves) => commonLength(start, moves) === start.length;

/** Draws stones at their places on a canvas. */
class Painter {
  /**
   * @param {Context} context
   * @param {Palette} palette
   * @param {number} stones
   * @param {number} width
   * @param {number} height
   */
  constructor(context, palette, stones, width, height) {
    const largest = Math.max(LARGEST, height * SHARE);
    const { columns } =
      stones > ARRANGED
        ? { columns: Math.ceil(Math.sqrt((stones * width) / height)) }
        : arrange(stones, width, height, { largest, smallest: 0 });
    const rows = Math.ceil(stones / columns);
    const pitch = Math.min(largest, width / columns, height / rows);
    this.context = context;
    this.palette = palette;
    this.stones = stones;
    this.columns = columns;
    this.pitch = pitch;
    this.left = (width - columns * pitch) / 2;
    this.top = (height - rows * pitch) / 2;
    this.size = pitch > 3 ? pitch - Math.max(1, pitch * 0.1) : Math.max(pitch, 1.5);
  }

  /**
   * Whether this painter draws such a board.
   * @param {Palette} palette
   * @param {number} stones
   */
  matches(palette, stones) {
    return this.palette === palette && this.stones === stones;
  }

  /** Draw all stones as free, unless they are too small to be seen. */
  drawFree() {
    if (this.pitch < 2) return;
    for (let stone = 1; stone <= this.stones; stone++) this.#draw(stone, 0);
  }

  /**
   * Draw a taken stone over a free one.
   * @param {number} stone
   * @param {Owner} owner
   * @param {boolean} isLast
   */
  drawTaken(stone, owner, isLast) {
    const [x, y] = this.#corner(stone);
    if (this.size > 3) this.context.clearRect(x - 0.5, y - 0.5, this.size + 1, this.size + 1);
    this.#draw(stone, owner, isLast);
  }

  /** @param {number} stone */
  #corner(stone) {
    const row = Math.floor((stone - 1) / this.columns);
    const column = (stone - 1) % this.columns;
    return [this.left + column * this.pitch, this.top + row * this.pitch];
  }

  /**
   * @param {number} stone
   * @param {Owner} owner
   */
  #draw(stone, owner, isLast = false) {
    const { context, palette, size } = this;
    const [x, y] = this.#corner(stone);
    context.fillStyle = [palette.shade, palette.one, palette.two][owner];
    drawShape(context, x, y, size, owner);
    if (isLast) drawRing(context, palette.text, size);
    if (size < 15) return;
    context.fillStyle = [palette.faint, palette["on-one"], palette["on-two"]][owner];
    drawNumber(context, x + size / 2, y + size / 2, size, stone);
  }
}

/**
 * @param {Context} context
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {Owner} owner
 */
function drawShape(context, x, y, size, owner) {
  context.beginPath();
  if (size < 4) context.rect(x, y, size, size);
  else if (owner === 2) context.roundRect(x, y, size, size, size * 0.22);
  else context.arc(x + size / 2, y + size / 2, size / 2, 0, 7);
  context.fill();
}

/**
 * Draw a ring inside the shape that was drawn last.
 * @param {Context} context
 * @param {string} colour
 * @param {number} size
 */
function drawRing(context, colour, size) {
  context.save();
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = Math.max(2.5, size * 0.22);
  context.stroke();
  context.restore();
}

/**
 * @param {Context} context
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} stone
 */
function drawNumber(context, x, y, size, stone) {
  context.font = `600 ${Math.round(size * 0.46)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(stone), x, y + 0.5);
}
