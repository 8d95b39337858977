// A match as an animated picture, in the colours of the theme.
import { colours } from "../boards/colours.js";
import { h, setStyle } from "../dom.js";
import { resultText } from "../format.js";
import { GifEncoder } from "./gif_encoder.js";

/** @import { GameModule } from "../types.js" */
/** @import { MatchState } from "./match_state.js" */

const WIDTH = 480; // pixels
const HEAD = 84; // pixels above the board
const BOARD = 360;
const FOOT = 44;
const MARGIN = 16;
const HEIGHT = HEAD + BOARD + FOOT;
const MAX_FRAMES = 150; // of a longer match not each position is shown
const DELAY = 70; // hundredths of a second
const LAST_DELAY = 300;

/**
 * Return a match as an animated GIF, from the start to its latest move.
 * @param {MatchState} match
 * @param {GameModule} module
 * @param {string} title of the game
 * @param {(share: number) => void} onProgress called with the share that is done, from 0 to 1
 */
export async function makeFilm(match, module, title, onProgress) {
  const board = h("canvas", { "aria-hidden": "true" });
  // Boards are drawn in the size in which a canvas is laid out.
  const place = { position: "fixed", left: "0", top: "0", visibility: "hidden" };
  setStyle(board, { ...place, width: `${WIDTH - 2 * MARGIN}px`, height: `${BOARD}px` });
  document.body.append(board);
  try {
    const frame = new Frame(match, module, title, board);
    const plies = shownPlies(match.moves.length);
    const samples = [0, plies[plies.length >> 1], match.moves.length].map(ply => frame.draw(ply));
    const encoder = new GifEncoder(WIDTH, HEIGHT, samples);
    for (const [index, ply] of plies.entries()) {
      encoder.add(frame.draw(ply), index + 1 < plies.length ? DELAY : LAST_DELAY);
      onProgress((index + 1) / plies.length);
      await new Promise(resolve => setTimeout(resolve)); // the page stays usable
    }
    return new Blob([encoder.finish()], { type: "image/gif" });
  } finally {
    board.remove();
  }
}

/**
 * Return the plies of the frames, the first and the last one among them.
 * @param {number} last
 */
export function shownPlies(last) {
  const step = Math.ceil((last + 1) / MAX_FRAMES);
  const plies = [];
  for (let ply = last; ply > 0; ply -= step) plies.unshift(ply);
  return [0, ...plies];
}

/** The drawing of a frame. */
class Frame {
  #canvas = h("canvas", { width: WIDTH, height: HEIGHT });
  #context;
  #match;
  #module;
  #title;
  #board;

  /**
   * @param {MatchState} match
   * @param {GameModule} module
   * @param {string} title
   * @param {HTMLCanvasElement} board
   */
  constructor(match, module, title, board) {
    const options = { willReadFrequently: true };
    const context = this.#canvas.getContext("2d", options);
    this.#context = /** @type {CanvasRenderingContext2D} */ (context);
    this.#match = match;
    this.#module = module;
    this.#title = title;
    this.#board = board;
  }

  /**
   * Draw the position after a ply; return the pixels.
   * @param {number} ply
   */
  draw(ply) {
    const { facts, moves, result } = this.#match;
    const palette = colours();
    const context = this.#context;
    context.fillStyle = palette.card;
    context.fillRect(0, 0, WIDTH, HEIGHT);
    this.#drawName(0, 34, palette.one);
    this.#drawName(1, 66, palette.two);
    this.#module.drawThumbnail(this.#board, facts.setup, moves.slice(0, ply));
    context.drawImage(this.#board, MARGIN, HEAD, WIDTH - 2 * MARGIN, BOARD);
    const isLast = ply === moves.length;
    const ending = isLast && result ? resultText(facts, result) : "";
    this.#write(ending || `Move ${ply} of ${moves.length}`, MARGIN, HEIGHT - 18, 400, 15);
    return context.getImageData(0, 0, WIDTH, HEIGHT).data;
  }

  /**
   * @param {0 | 1} index
   * @param {number} y
   * @param {string} colour
   */
  #drawName(index, y, colour) {
    const context = this.#context;
    context.fillStyle = colour;
    context.beginPath();
    if (index) context.roundRect(MARGIN, y - 15, 16, 16, 4);
    else context.arc(MARGIN + 8, y - 7, 8, 0, 7);
    context.fill();
    const hasWon = this.#match.result?.winner === index + 1;
    const name = this.#match.facts.players[index];
    this.#write(name, MARGIN + 26, y, hasWon ? 700 : 500, 20, index ? 0 : 130);
    if (!index) this.#writeTitle();
  }

  #writeTitle() {
    const context = this.#context;
    context.font = "600 14px system-ui, sans-serif";
    context.fillStyle = colours().faint;
    context.textAlign = "right";
    context.fillText(this.#title, WIDTH - MARGIN, 33, 120);
    context.textAlign = "left";
  }

  /**
   * Write a text, the end of which is cut off where it is too long.
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {number} weight
   * @param {number} size
   */
  #write(text, x, y, weight, size, reserved = 0) {
    const context = this.#context;
    context.font = `${weight} ${size}px system-ui, sans-serif`;
    context.fillStyle = colours().text;
    const width = WIDTH - MARGIN - reserved - x;
    let letters = [...text];
    while (letters.length > 1 && context.measureText(letters.join("")).width > width) {
      letters = [...letters.slice(0, -2), "…"];
    }
    context.fillText(letters.join(""), x, y);
  }
}
