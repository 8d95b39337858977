// The lines from merged nodes to the equal earlier nodes whose values they use.

import { FULL, nodeMiddle, nodeTop } from "./node_painter.js";

/** @import { Scene } from "./tree_painter.js" */

const SAG = 34; // units that a line hangs below its nodes
const MARK = 9; // radius of the sign

/**
 * Draw a dashed line from each merged node, of a tree that is too small for texts only from the one
 * at work.
 * @param {Scene} scene
 */
export function drawMerged(scene) {
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
