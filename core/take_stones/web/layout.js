// The arrangement of the stones in rows.

/** @typedef {{ columns: number, pitch: number }} Layout */

/**
 * Return the number of columns in which the stones read best, and the size of a cell in pixels.
 * @param {number} stones
 * @param {number} width
 * @param {number} height
 * @returns {Layout}
 */
export function arrange(stones, width, height, { largest = 104, smallest = 18 } = {}) {
  let best = { columns: 1, pitch: 0, score: -1 };
  for (let columns = 1; columns <= Math.min(stones, 60); columns++) {
    // In many rows a stone is only easy to find if each row begins at a round number.
    if (stones > 30 && columns % (columns > 30 ? 10 : 5)) continue;
    const rows = Math.ceil(stones / columns);
    const pitch = Math.min(largest, width / columns, Math.max(height / rows, smallest));
    const filled = stones / (rows * columns);
    const visible = Math.min(1, height / (rows * pitch)) ** 0.3;
    const shape = (1 - 0.02 * Math.min(rows, 10)) * (columns < rows ? 0.85 : 1);
    const score = pitch * filled * visible * shape;
    if (score > best.score) best = { columns, pitch, score };
  }
  return best;
}

/**
 * Return the length of the common beginning of two lists of moves.
 * @param {number[]} one
 * @param {number[]} other
 */
export function commonLength(one, other) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
