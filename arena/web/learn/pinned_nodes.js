// The nodes on the way to the node at work, which stay in view beside their children.

/** @import { TreeLayout } from "./tree_layout.js" */

const MARGIN = 10; // units between a pinned node and the edge

/**
 * Return the middles of the nodes of a path, by node: a node that would be outside the visible part
 * is moved to its edge, as far as its children reach.
 * @param {TreeLayout} layout
 * @param {number[]} path from the root
 * @param {{ left: number, right: number }} visible
 */
export function pinNodes(layout, path, { left, right }) {
  /** @type {Map<number, number>} */
  const pinned = new Map();
  let below = Number.NaN; // the middle of the next node of the path
  for (const node of path.toReversed()) {
    const { first, count } = layout.childrenOf(node);
    let x = layout.x[node];
    if (count) {
      const ends = [layout.x[first], layout.x[first + count - 1]];
      if (!Number.isNaN(below)) ends.push(below);
      const half = layout.width(node) / 2 + MARGIN;
      const inside = clamp(x, left + half, right - half);
      x = clamp(inside, Math.min(x, ...ends), Math.max(x, ...ends));
    }
    pinned.set(node, x);
    below = x;
  }
  return pinned;
}

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
