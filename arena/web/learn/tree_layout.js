// The places of the nodes of a tree: as narrow as possible, parents above the middle of their children;
// those of the path to the node at work stay in view.

/** @import { SearchTrace } from "./search_trace.js" */

/**
 * Sizes of the drawing, in its own units; nodes with pictures are higher.
 * @typedef {{
 *   inner: number,
 *   leaf: number,
 *   height: number,
 *   level: number,
 *   gap: number,
 *   hasPictures: boolean,
 * }} Sizes
 */

/** The places of all nodes that are not hidden in a collapsed subtree. */
export class TreeLayout {
  #trace;
  #sizes;
  #collapsed;
  #isShown;
  /** @type {number[][]} the nodes of each depth, from left to right */
  levels = [];
  /** The extent of the drawing. */
  extent = { left: 0, right: 0, top: -22, bottom: 0 };

  /**
   * @param {SearchTrace} trace
   * @param {Sizes} sizes
   * @param {Set<number>} collapsed nodes whose children are hidden
   */
  constructor(trace, sizes, collapsed) {
    this.#trace = trace;
    this.#sizes = sizes;
    this.#collapsed = collapsed;
    /** The middle of each node, from left to right. */
    this.x = new Float64Array(trace.parents.length);
    this.#isShown = new Uint8Array(trace.parents.length);
    this.#collect();
    const offsets = this.#place();
    this.#shift(offsets);
    this.height = sizes.height;
    this.hasPictures = sizes.hasPictures;
    this.extent.bottom = (this.levels.length - 1) * sizes.level + sizes.height;
  }

  /** @param {number} node */
  childrenOf(node) {
    return this.#collapsed.has(node) ? { first: 0, count: 0 } : this.#trace.children[node];
  }

  /**
   * Whether a node is not in a collapsed subtree.
   * @param {number} node
   */
  has(node) {
    return this.#isShown[node] === 1;
  }

  /** @param {number} node */
  width(node) {
    return this.#trace.children[node].count ? this.#sizes.inner : this.#sizes.leaf;
  }

  /**
   * The top of a node.
   * @param {number} node
   */
  y(node) {
    return this.#trace.depths[node] * this.#sizes.level;
  }

  /**
   * Return the node at a point, null if there is none.
   * @param {number} x
   * @param {number} y
   * @param {number} height of a node
   * @param {Map<number, number>} pinned the middles of nodes that are drawn above others
   */
  nodeAt(x, y, height, pinned) {
    /** @type {(node: number, middle: number) => boolean} */
    const covers = (node, middle) =>
      y >= this.y(node) &&
      y <= this.y(node) + height &&
      Math.abs(middle - x) <= this.width(node) / 2;
    for (const [node, middle] of pinned) if (covers(node, middle)) return node;
    const level = this.levels.find(([first]) => y >= this.y(first) && y <= this.y(first) + height);
    const found = level?.find(node => !pinned.has(node) && covers(node, this.x[node]));
    return found ?? null;
  }

  #collect() {
    let level = [0];
    while (level.length) {
      this.levels.push(level);
      for (const node of level) this.#isShown[node] = 1;
      level = level.flatMap(node => {
        const { first, count } = this.childrenOf(node);
        return Array.from({ length: count }, (_, index) => first + index);
      });
    }
  }

  /** Return the offset of each node from its parent, the deepest level first. */
  #place() {
    const offsets = new Float64Array(this.x.length);
    /** @type {Map<number, Contour>} */
    let below = new Map();
    for (const level of this.levels.toReversed()) {
      /** @type {Map<number, Contour>} */
      const contours = new Map();
      for (const node of level) {
        const half = this.width(node) / 2;
        const contour = this.#join(node, below, offsets);
        contour.push(-half, half);
        contours.set(node, contour);
      }
      below = contours;
    }
    return offsets;
  }

  /**
   * Join the contours of the children of a node, and set their offsets.
   * @param {number} node
   * @param {Map<number, Contour>} contours
   * @param {Float64Array} offsets
   */
  #join(node, contours, offsets) {
    const { first, count } = this.childrenOf(node);
    const joined = new Contour();
    let at = 0;
    for (let child = first; child < first + count; child++) {
      const contour = /** @type {Contour} */ (contours.get(child));
      at = joined.depth ? joined.distance(contour, this.#sizes.gap) : 0;
      offsets[child] = at;
      joined.merge(contour, at);
    }
    const middle = at / 2;
    for (let child = first; child < first + count; child++) offsets[child] -= middle;
    joined.shift(-middle);
    return joined;
  }

  /** @param {Float64Array} offsets */
  #shift(offsets) {
    const { parents } = this.#trace;
    for (const level of this.levels) {
      for (const node of level) {
        this.x[node] = node ? this.x[parents[node]] + offsets[node] : 0;
        const half = this.width(node) / 2;
        this.extent.left = Math.min(this.extent.left, this.x[node] - half);
        this.extent.right = Math.max(this.extent.right, this.x[node] + half);
      }
    }
  }
}

/**
 * The left and right edges of a subtree, level by level, the deepest first: the root is pushed last.
 *
 * The edges are relative to `#origin`, so that a subtree is moved without a loop.
 */
class Contour {
  /** @type {number[]} */
  #left = [];
  /** @type {number[]} */
  #right = [];
  #origin = 0;

  get depth() {
    return this.#left.length;
  }

  /** @param {number} by */
  shift(by) {
    this.#origin += by;
  }

  /**
   * @param {number} left
   * @param {number} right
   */
  push(left, right) {
    this.#left.push(left - this.#origin);
    this.#right.push(right - this.#origin);
  }

  /**
   * Return how far to the right another subtree has to be.
   * @param {Contour} other
   * @param {number} gap
   */
  distance(other, gap) {
    let least = -Infinity;
    for (let up = 1; up <= Math.min(this.depth, other.depth); up++) {
      const right = this.#right[this.depth - up] + this.#origin;
      const left = other.#left[other.depth - up] + other.#origin;
      least = Math.max(least, right - left + gap);
    }
    return least;
  }

  /**
   * Add another subtree on the right, which is not used after this.
   * @param {Contour} other
   * @param {number} at
   */
  merge(other, at) {
    const shared = Math.min(this.depth, other.depth);
    const by = other.#origin + at - this.#origin;
    for (let up = 1; up <= shared; up++) {
      this.#right[this.depth - up] = other.#right[other.depth - up] + by;
    }
    if (other.depth <= this.depth) return;
    // The deeper levels are only in the other one: take its arrays, with the shared left edge.
    for (let up = 1; up <= shared; up++) {
      other.#left[other.depth - up] = this.#left[this.depth - up] - by;
    }
    this.#left = other.#left;
    this.#right = other.#right;
    this.#origin = other.#origin + at;
  }
}

// The nodes on the way to the node at work, which stay in view beside their children

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
