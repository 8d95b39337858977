// The drawing of a search tree, on a canvas or as SVG.
import { BODY, drawDots, drawNode, FULL, nodeMiddle, nodeTop, VALUES } from "./node_painter.js";

/** @import { Palette } from "../boards/colours.js" */
/** @import { Moment, SearchTrace } from "./search_trace.js" */
/** @import { TreeLayout } from "./tree_layout.js" */

/**
 * The part of a canvas's context that the drawing uses, so that SVG can be made of it, too.
 * @typedef {Pick<CanvasRenderingContext2D,
 *   "fillStyle" | "strokeStyle" | "lineWidth" | "globalAlpha" | "font" | "textAlign" |
 *   "textBaseline" | "setLineDash" | "beginPath" | "moveTo" | "lineTo" | "closePath" |
 *   "quadraticCurveTo" | "roundRect" | "rect" | "fill" | "stroke" | "fillText" | "drawImage"
 * >} Pen
 */

/**
 * What is drawn: `scale` is the number of pixels of a unit, `left` to `bottom` the visible part,
 * `stretch` the factor by which levels are moved apart; `path` leads from the root to the node at
 * work, `pinned` has the middles of the nodes that are drawn beside their places; `picture` returns
 * the board of a node, null for none.
 * @typedef {{
 *   pen: Pen,
 *   palette: Palette,
 *   trace: SearchTrace,
 *   moment: Moment,
 *   layout: TreeLayout,
 *   collapsed: Set<number>,
 *   path: number[],
 *   pinned: Map<number, number>,
 *   scale: number,
 *   stretch: number,
 *   left: number,
 *   right: number,
 *   top: number,
 *   bottom: number,
 *   moveText: (move: number | string) => string,
 *   picture: (node: number) => HTMLCanvasElement | null,
 * }} Scene
 */

/** @param {Scene} scene */
export function drawTree(scene) {
  const { layout, trace, top, bottom } = scene;
  const path = new Set(scene.path);
  layout.levels.forEach((level, depth) => {
    const y = nodeTop(scene, level[0]);
    const above = depth ? nodeTop(scene, trace.parents[level[0]]) : y;
    if (above > bottom || y + layout.height < top) return;
    const [first, end] = visibleRange(scene, level);
    if (depth) drawEdges(scene, level, first, end, path);
    const visible = distinct(scene, level, first, end, path);
    if (depth < scene.path.length) visible.push(scene.path[depth]);
    if (scene.scale < VALUES) drawDots(scene, visible, path);
    else for (const node of visible) drawNode(scene, node);
  });
  drawMerged(scene);
}

/**
 * Return the nodes of a part of a level, without those of the path and those that others would cover.
 * @param {Scene} scene
 * @param {number[]} level
 * @param {number} first
 * @param {number} end
 * @param {Set<number>} path
 */
function distinct({ layout, scale }, level, first, end, path) {
  const found = [];
  let drawn = -Infinity; // the half pixel at which the last node was drawn
  for (let at = first; at < end; at++) {
    const node = level[at];
    const pixel = Math.floor(layout.x[node] * scale * 2);
    if (pixel === drawn || path.has(node)) continue;
    drawn = pixel;
    found.push(node);
  }
  return found;
}

/**
 * Return the places in a level of the nodes whose edges may be visible: edges do not cross.
 * @param {Scene} scene
 * @param {number[]} level
 */
function visibleRange(scene, level) {
  const { layout, trace, left, right } = scene;
  const margin = BODY.inner;
  /** @param {number} node */
  const above = node => nodeMiddle(scene, Math.max(0, trace.parents[node]));
  const first = firstIndex(level, node => Math.max(layout.x[node], above(node)) + margin >= left);
  const end = firstIndex(level, node => Math.min(layout.x[node], above(node)) - margin > right);
  return [first, end];
}

/**
 * Return the first index from which on a test is true.
 * @param {number[]} list
 * @param {(item: number) => boolean} test
 */
function firstIndex(list, test) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * @param {Scene} scene
 * @param {number[]} level
 * @param {number} first
 * @param {number} end
 * @param {Set<number>} path
 */
function drawEdges(scene, level, first, end, path) {
  const { pen, palette, trace, moment, scale } = scene;
  /** @type {Record<string, number[]>} */
  const groups = { plain: [], cut: [], best: [], path: [] };
  const depth = trace.depths[level[0]];
  if (depth < scene.path.length) groups.path.push(scene.path[depth]);
  for (let at = first; at < end; at++) {
    const node = level[at];
    const status = moment.status(node);
    if (status === "hidden" || path.has(node)) continue;
    if (status === "cut") groups.cut.push(node);
    else if (moment.state(trace.parents[node]).best === node) groups.best.push(node);
    else groups.plain.push(node);
  }
  const least = 1 / scale;
  const styles = /** @type {const} */ ([
    ["plain", palette.faint, 1],
    ["cut", palette.bad, 1],
    ["best", palette.good, 2.5],
    ["path", palette.text, 3],
  ]);
  for (const [name, colour, width] of styles) {
    if (!groups[name].length) continue;
    pen.strokeStyle = colour;
    const isThin = name !== "path" && scale < VALUES;
    pen.lineWidth = isThin ? 0.7 * least : Math.max(width, 1.5 * least);
    pen.globalAlpha = isThin ? 0.6 : 1;
    pen.setLineDash(name === "cut" && scale >= VALUES ? [4, 4] : []);
    strokeEdges(scene, groups[name]);
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
  if (scale >= VALUES) for (const node of groups.cut) drawSlash(scene, node);
}

/**
 * @param {Scene} scene
 * @param {number[]} nodes
 */
function strokeEdges(scene, nodes) {
  const { pen, layout, trace, scale } = scene;
  pen.beginPath();
  let drawn = -Infinity;
  for (const node of nodes) {
    const parent = trace.parents[node];
    const pixel = Math.floor(layout.x[node] * scale * 2);
    if (pixel === drawn) continue;
    drawn = pixel;
    pen.moveTo(nodeMiddle(scene, parent), nodeTop(scene, parent) + layout.height);
    pen.lineTo(nodeMiddle(scene, node), nodeTop(scene, node));
  }
  pen.stroke();
}

/**
 * Draw two strokes across the edge of a branch that was cut off.
 * @param {Scene} scene
 * @param {number} node
 */
function drawSlash(scene, node) {
  const { pen, palette, layout, trace } = scene;
  const parent = trace.parents[node];
  const from = { x: nodeMiddle(scene, parent), y: nodeTop(scene, parent) + layout.height };
  const to = { x: nodeMiddle(scene, node), y: nodeTop(scene, node) };
  pen.strokeStyle = palette.bad;
  pen.lineWidth = 2;
  pen.beginPath();
  for (const share of [0.36, 0.46]) {
    const x = from.x + (to.x - from.x) * share;
    const y = from.y + (to.y - from.y) * share;
    pen.moveTo(x - 7, y + 3);
    pen.lineTo(x + 7, y - 3);
  }
  pen.stroke();
}

// The lines from merged nodes to the equal earlier nodes whose values they use

const SAG = 34; // units that a line hangs below its nodes
const MARK = 9; // radius of the sign

/**
 * Draw a dashed line from each merged node, of a tree that is too small for texts only from the one
 * at work.
 * @param {Scene} scene
 */
function drawMerged(scene) {
  const { pen, palette, trace, moment, layout, scale } = scene;
  const atWork = moment.node;
  for (const node of scale < FULL ? [atWork] : trace.merged.keys()) {
    const earlier = moment.earlier(node);
    if (earlier === null || !layout.has(node) || !layout.has(earlier)) continue;
    const line = lineOf(scene, node, earlier);
    if (!isVisible(scene, line)) continue;
    const isAtWork = node === atWork;
    pen.strokeStyle = isAtWork ? palette.accent : palette.faint;
    pen.lineWidth = isAtWork ? Math.max(2.5, 2 / scale) : 1.3;
    pen.setLineDash([6 / Math.min(scale, 1), 4 / Math.min(scale, 1)]);
    pen.beginPath();
    pen.moveTo(line.from.x, line.from.y);
    pen.quadraticCurveTo(line.middle, line.level, line.to.x, line.to.y);
    pen.stroke();
    pen.setLineDash([]);
    if (scale >= FULL) drawSign(scene, line.from, isAtWork);
  }
}

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ from: Point, to: Point, middle: number, level: number }} Line */

/**
 * Return the line between two nodes, which hangs below both.
 * @param {Scene} scene
 * @param {number} node
 * @param {number} earlier
 * @returns {Line}
 */
function lineOf(scene, node, earlier) {
  /** @type {(end: number) => Point} */
  const foot = end => ({
    x: nodeMiddle(scene, end),
    y: nodeTop(scene, end) + scene.layout.height,
  });
  const [from, to] = [foot(node), foot(earlier)];
  return { from, to, middle: (from.x + to.x) / 2, level: Math.max(from.y, to.y) + 2 * SAG };
}

/**
 * @param {Scene} scene
 * @param {Line} line
 */
const isVisible = ({ left, right, top, bottom }, { from, to, level }) =>
  Math.max(from.x, to.x) >= left &&
  Math.min(from.x, to.x) <= right &&
  level >= top &&
  Math.min(from.y, to.y) <= bottom;

/**
 * Draw the sign "=" at the foot of a merged node.
 * @param {Scene} scene
 * @param {Point} foot
 * @param {boolean} isAtWork
 */
function drawSign({ pen, palette }, { x, y }, isAtWork) {
  pen.fillStyle = isAtWork ? palette.accent : palette.card;
  pen.strokeStyle = isAtWork ? palette.accent : palette.faint;
  pen.lineWidth = 1.3;
  pen.beginPath();
  pen.roundRect(x - MARK, y - MARK, 2 * MARK, 2 * MARK, MARK);
  pen.fill();
  pen.stroke();
  pen.fillStyle = isAtWork ? palette.card : palette.text;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = "600 14px system-ui, sans-serif";
  pen.fillText("=", x, y);
}
