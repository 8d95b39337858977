// The thumbnail of an Isolation position.
import { prepareCanvas } from "/boards/canvas.js";
import { colours } from "/boards/colours.js";
import { coordinates, positionAfter, sideOf, squareAt } from "./rules.js";

/** @import { Setup } from "/types.js" */

/**
 * Draw a position.
 * @param {HTMLCanvasElement} canvas
 * @param {Setup} setup
 * @param {number[]} moves
 */
export function drawThumbnail(canvas, setup, moves) {
  const { context, width, height } = prepareCanvas(canvas);
  const palette = colours();
  const { pieces, filled } = positionAfter(setup, moves);
  const side = sideOf(setup);
  const pitch = Math.min(width, height) / side;
  const size = pitch - 1;
  const left = (width - side * pitch) / 2;
  const top = (height - side * pitch) / 2;
  /** @param {number} square */
  const corner = square => {
    const [row, column] = coordinates(square);
    return [left + column * pitch, top + row * pitch];
  };
  context.clearRect(0, 0, width, height);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const square = squareAt(row, column);
      const [x, y] = corner(square);
      context.fillStyle = filled.has(square) ? palette.pit : palette.shade;
      context.fillRect(x, y, size, size);
    }
  }
  pieces.forEach((square, player) => {
    const [x, y] = corner(square);
    context.fillStyle = player ? palette.two : palette.one;
    context.beginPath();
    if (player)
      context.roundRect(x + size * 0.1, y + size * 0.1, size * 0.8, size * 0.8, size * 0.2);
    else context.arc(x + size / 2, y + size / 2, size * 0.42, 0, 7);
    context.fill();
  });
}
