// The places of the nodes of a matching: rows of moves, wrapped into lines where they are too long,
// or partners side by side where there are too many edges to tell them apart.

import { layOutRows } from "../boards/graph_layout.js";

/** @import { Layout } from "../boards/graph_layout.js" */
/** @import { Matching, MatchingNode } from "../types.js" */

const LEAST_PITCH = 42; // pixels from one node to the next: a finger needs them
const LARGEST_PITCH = 76;
const PAIR_GAPS = { inner: 10, outer: 22, group: 16 }; // pixels beside nodes, and between groups
const LINE_GAP = 14;
const ROW_GAP = 1.15; // between two rows, as a share of the pitch, so that edges can be told apart

/** Nodes from which partners are side by side. */
export const DENSE = 60;

/**
 * Return the layout of a matching in a drawing of a width.
 * @param {Matching} matching
 * @param {number} width
 */
export const layOut = (matching, width) =>
  matching.nodes.length < DENSE ? layOutNodes(matching.nodes, width) : layOutPairs(matching, width);

/**
 * @param {Matching} matching
 * @param {number} width
 * @returns {Layout}
 */
function layOutPairs(matching, width) {
  const size = LEAST_PITCH - 8;
  const pitch = size + PAIR_GAPS.inner;
  const slot = pitch + size + PAIR_GAPS.outer;
  const most = Math.max(Math.floor((width + PAIR_GAPS.outer) / slot), 1);
  /** @type {Layout} */
  const layout = { places: new Map(), lines: [], size, height: 0 };
  const left = (width - most * slot + PAIR_GAPS.outer + size) / 2;
  let y = size / 2 + 4;
  for (const group of pairGroups(matching)) {
    for (let at = 0; at < group.length; at += most) {
      const pairs = group.slice(at, at + most);
      const line = layout.lines.length;
      for (const [index, pair] of pairs.entries()) {
        for (const [side, move] of pair.entries()) {
          layout.places.set(move, { x: left + index * slot + side * pitch, y, line });
        }
      }
      layout.lines.push(pairs.flat());
      y += size + LINE_GAP;
    }
    y += PAIR_GAPS.group;
  }
  layout.height = y - PAIR_GAPS.group - LINE_GAP + 4 - size / 2;
  return layout;
}

/**
 * Return the pair of the last move, those with a legal move, the others, and the moves without a
 * partner, as far as there are any.
 * @param {Matching} matching
 */
function pairGroups({ nodes, pairs, last }) {
  const legal = new Set(nodes.filter(([, , , reason]) => reason !== null).map(([move]) => move));
  const partners = new Set(pairs.flat());
  /** @type {number[][][]} */
  const groups = [[], [], [], []];
  for (const pair of pairs) {
    const isLegal = pair.some(move => legal.has(move));
    const hasLast = last !== null && pair.includes(last);
    groups[hasLast ? 0 : isLegal ? 1 : 2].push([...pair].sort((one, other) => one - other));
  }
  for (const [move] of nodes) if (!partners.has(move)) groups[3].push([move]);
  for (const group of groups) group.sort(([one], [other]) => one - other);
  return groups.filter(group => group.length);
}

/**
 * @param {MatchingNode[]} nodes
 * @param {number} width
 */
function layOutNodes(nodes, width) {
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
  const gaps = { lineGap: LINE_GAP, rowGap: ROW_GAP * size };
  return layOutRows(filled, width, { most, pitch, size, ...gaps });
}
