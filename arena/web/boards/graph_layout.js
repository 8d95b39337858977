// The places of the nodes of a graph: rows of moves, wrapped into lines where they are too long; and the
// partners in a matching.

/**
 * `lines` has the moves from top to bottom; `size` is the diameter of a node, in pixels.
 * @typedef {{ x: number, y: number, line: number }} Place
 * @typedef {{
 *   places: Map<number, Place>,
 *   lines: number[][],
 *   size: number,
 *   height: number,
 * }} Layout
 */

/**
 * `most` is the number of nodes of a line; the others are pixels: from one node to the next, of a
 * node, and between the lines of a row and those of two rows.
 * @typedef {{
 *   most: number,
 *   pitch: number,
 *   size: number,
 *   lineGap: number,
 *   rowGap: number,
 * }} Spacing
 */

/** Pixels above the first line and below the last one. */
export const MARGIN = 4;

/**
 * Return the layout of rows in a drawing of a width: each line is centred.
 * @param {number[][]} rows
 * @param {number} width
 * @param {Spacing} spacing
 * @returns {Layout}
 */
export function layOutRows(rows, width, { most, pitch, size, lineGap, rowGap }) {
  /** @type {Layout} */
  const layout = { places: new Map(), lines: [], size, height: 0 };
  let y = size / 2 + MARGIN;
  for (const row of rows) {
    for (const line of wrap(row, most)) {
      const left = (width - (line.length - 1) * pitch) / 2;
      for (const [at, move] of line.entries()) {
        layout.places.set(move, { x: left + at * pitch, y, line: layout.lines.length });
      }
      layout.lines.push(line);
      y += size + lineGap;
    }
    y += rowGap - lineGap;
  }
  layout.height = y - rowGap - size / 2 + MARGIN;
  return layout;
}

/**
 * Divide a row into lines of nearly equal lengths.
 * @param {number[]} row
 * @param {number} most
 */
function wrap(row, most) {
  const count = Math.ceil(row.length / most);
  const length = Math.ceil(row.length / count);
  return Array.from({ length: count }, (_, at) => row.slice(at * length, (at + 1) * length));
}

/**
 * Return the path of edges between nodes; an edge bends around the nodes between its ends.
 * @param {Layout} layout
 * @param {Iterable<[one: number, other: number]>} edges
 */
export const edgePaths = (layout, edges) =>
  Array.from(edges, edge => edgePath(layout, edge)).join("");

/**
 * @param {Layout} layout
 * @param {[one: number, other: number]} edge
 */
function edgePath({ places, size }, [one, other]) {
  const from = /** @type {Place} */ (places.get(one));
  const to = /** @type {Place} */ (places.get(other));
  const between = Math.abs(from.line - to.line) - 1;
  const bend = between > 0 ? size * Math.min(0.5 + 0.25 * between, 1.5) : 0;
  const x = (from.x + to.x) / 2 + bend;
  const isFar = between < 0 && Math.abs(from.x - to.x) > 2 * size;
  const y = (from.y + to.y) / 2 - (isFar ? 1.4 * size : 0);
  return `M${point(from.x, from.y)}Q${point(x, y)} ${point(to.x, to.y)}`;
}

/**
 * @param {number} x
 * @param {number} y
 */
const point = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/**
 * Return the move that an arrow key, Home or End leads to, null for other keys and at the edge.
 * @param {Layout} layout
 * @param {number} move
 * @param {string} key
 */
export function moveAtKey({ lines, places }, move, key) {
  const place = places.get(move);
  if (!place) return null;
  const line = lines[place.line];
  const at = line.indexOf(move);
  switch (key) {
    case "Home":
      return line[0];
    case "End":
      return line[line.length - 1];
    case "ArrowLeft":
      return line[at - 1] ?? lines[place.line - 1]?.at(-1) ?? null;
    case "ArrowRight":
      return line[at + 1] ?? lines[place.line + 1]?.[0] ?? null;
    case "ArrowUp":
      return nearest(lines[place.line - 1], places, place.x);
    case "ArrowDown":
      return nearest(lines[place.line + 1], places, place.x);
    default:
      return null;
  }
}

/**
 * Return the move of a line that is nearest to a place, null without a line.
 * @param {number[] | undefined} line
 * @param {Layout["places"]} places
 * @param {number} x
 */
function nearest(line, places, x) {
  /** @param {number} move */
  const distance = move => Math.abs((places.get(move)?.x ?? 0) - x);
  return line?.reduce((one, other) => (distance(other) < distance(one) ? other : one)) ?? null;
}

/**
 * Return the partner of each move that has one.
 * @param {[number, number][]} pairs
 * @returns {Map<number, number>}
 */
export const partnersOf = pairs =>
  new Map(pairs.flatMap(([one, other]) => [/** @type {const} */ ([one, other]), [other, one]]));
