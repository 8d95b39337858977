// The places of the nodes of a matching: rows of moves, wrapped into lines where they are too long.

/** @import { MatchingNode } from "../types.js" */

/**
 * `lines` has the moves from top to bottom; `size` is the diameter of a node, in pixels.
 * @typedef {{
 *   places: Map<number, { x: number, y: number, line: number }>,
 *   lines: number[][],
 *   size: number,
 *   height: number,
 * }} Layout
 */

const LEAST_PITCH = 42; // pixels from one node to the next: a finger needs them
const LARGEST_PITCH = 76;
const ROW_GAP = 1.15; // between two rows, as a share of the pitch, so that edges can be told apart

/**
 * Return the layout of nodes in a drawing of a width.
 * @param {MatchingNode[]} nodes
 * @param {number} width
 * @returns {Layout}
 */
export function layOut(nodes, width) {
  /** @type {number[][]} */
  const rows = [];
  for (const [move, , row] of nodes) {
    rows[row] ??= [];
    rows[row].push(move);
  }
  const filled = rows.filter(Boolean); // rows may be empty
  const most = Math.max(Math.floor(width / LEAST_PITCH), 1);
  const longest = Math.max(...filled.map(row => row.length), 1);
  const pitch = Math.min(LARGEST_PITCH, width / Math.min(longest, most));
  const size = Math.min(pitch - 8, 44);
  /** @type {Layout} */
  const layout = { places: new Map(), lines: [], size, height: 0 };
  let y = size / 2 + 4;
  for (const row of filled) {
    for (const line of wrap(row, most)) {
      const left = (width - (line.length - 1) * pitch) / 2;
      for (const [at, move] of line.entries()) {
        layout.places.set(move, { x: left + at * pitch, y, line: layout.lines.length });
      }
      layout.lines.push(line);
      y += size + 14;
    }
    y += ROW_GAP * size - 14;
  }
  layout.height = y - ROW_GAP * size + 4 - size / 2;
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
 * Return the path of an edge between two nodes; it bends around the rows between them.
 * @param {Layout} layout
 * @param {[one: number, other: number]} edge
 */
export function edgePath({ places, size }, [one, other]) {
  const from = /** @type {{ x: number, y: number, line: number }} */ (places.get(one));
  const to = /** @type {{ x: number, y: number, line: number }} */ (places.get(other));
  const between = Math.abs(from.line - to.line) - 1;
  const bend = between > 0 ? size * Math.min(0.5 + 0.25 * between, 1.5) : 0;
  const x = (from.x + to.x) / 2 + bend;
  return `M${point(from.x, from.y)}Q${point(x, (from.y + to.y) / 2)} ${point(to.x, to.y)}`;
}

/**
 * @param {number} x
 * @param {number} y
 */
const point = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
