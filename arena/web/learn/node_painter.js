// The drawing of a node of a search tree.

import { valueText } from "./search_trace.js";

/** @import { NodeState } from "./search_trace.js" */
/** @import { Scene } from "./tree_painter.js" */

/** The body of a node, without its board. */
export const BODY = { height: 50, inner: 112, leaf: 64 };
/** The board of a node. */
export const PICTURE = { width: 96, height: 60 };

/** The scale from which values can be read. */
export const VALUES = 0.22;
/** The scale from which all texts can be read. */
export const FULL = 0.55;
const HATCH = 7; // units between the lines of a hatching
const FONT = "system-ui, sans-serif";

/**
 * Return the top of a node in the drawing.
 * @param {Scene} scene
 * @param {number} node
 */
export const nodeTop = ({ layout, stretch }, node) => layout.y(node) * stretch;

/**
 * Return the middle of a node in the drawing, from left to right.
 * @param {Scene} scene
 * @param {number} node
 */
export const nodeMiddle = ({ layout, pinned }, node) => pinned.get(node) ?? layout.x[node];

/**
 * @param {Scene} scene
 * @param {number} node
 */
export function drawNode(scene, node) {
  const { moment, layout } = scene;
  const state = moment.state(node);
  if (state.status === "hidden") return;
  const isCurrent = moment.steps > 0 && node === moment.node;
  const width = layout.width(node);
  const box = {
    x: nodeMiddle(scene, node) - width / 2,
    y: nodeTop(scene, node),
    width,
    height: layout.height,
  };
  drawBox(scene, node, state, box, isCurrent);
  if (scene.collapsed.has(node)) drawBadge(scene, node);
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/**
 * The colour of the player at a node.
 * @param {Scene} scene
 * @param {number} node
 */
const playerColour = ({ trace, palette }, node) => (trace.isMax(node) ? palette.one : palette.two);

/**
 * Draw nodes that are too small for a text, all of one colour at once.
 * @param {Scene} scene
 * @param {number[]} nodes
 * @param {Set<number>} path
 */
export function drawDots(scene, nodes, path) {
  const { pen, palette, trace, moment } = scene;
  /** @type {Record<string, number[]>} */
  const groups = { waiting: [], cut: [], min: [], max: [], path: [] };
  for (const node of nodes) {
    const status = moment.status(node);
    if (status === "hidden") continue;
    const player = trace.isMax(node) ? "max" : "min";
    const isVisited = status === "open" || status === "finished";
    groups[path.has(node) ? "path" : isVisited ? player : status].push(node);
  }
  const { line, bad, two, one, text } = palette;
  /** @type {Record<string, string>} */
  const colours = { waiting: line, cut: bad, min: two, max: one, path: text };
  for (const [name, group] of Object.entries(groups)) {
    if (!group.length) continue;
    pen.fillStyle = colours[name];
    pen.globalAlpha = name === "cut" ? 0.45 : 1;
    fillDots(scene, group, name === "path" ? 6 : 1.5);
  }
  pen.globalAlpha = 1;
  for (const node of nodes) if (scene.collapsed.has(node)) drawBadge(scene, node);
}

/**
 * @param {Scene} scene
 * @param {number[]} nodes
 * @param {number} least pixels of a side
 */
function fillDots(scene, nodes, least) {
  const { pen, layout, scale } = scene;
  pen.beginPath();
  for (const node of nodes) {
    const width = Math.max(layout.width(node), least / scale);
    const height = Math.max(layout.height, (2 + least) / scale);
    pen.rect(nodeMiddle(scene, node) - width / 2, nodeTop(scene, node), width, height);
  }
  pen.fill();
}

/**
 * @param {Scene} scene
 * @param {number} node
 * @param {NodeState} state
 * @param {Box} box
 * @param {boolean} isCurrent
 */
function drawBox(scene, node, state, box, isCurrent) {
  const { pen, palette, trace } = scene;
  const isLeaf = !trace.children[node].count;
  const colour = playerColour(scene, node);
  /** @param {number} grow */
  const outline = grow => {
    pen.beginPath();
    const size = [box.width + 2 * grow, box.height + 2 * grow];
    pen.roundRect(box.x - grow, box.y - grow, size[0], size[1], (isLeaf ? 5 : 12) + grow);
  };
  if (isCurrent) {
    outline(5);
    pen.fillStyle = palette.accent;
    pen.fill();
  }
  outline(0);
  pen.fillStyle = palette.card;
  pen.fill();
  if (state.status === "finished" || state.status === "open") {
    pen.globalAlpha = state.status === "finished" ? 0.16 : 0.05;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
  }
  if (state.status === "cut") hatch(scene, box);
  const isFaint = state.status === "waiting" || state.status === "cut";
  pen.strokeStyle = isFaint ? palette.faint : colour;
  pen.setLineDash(isFaint ? [4, 4] : []);
  pen.lineWidth = state.status === "open" ? 2.5 : 1.5;
  outline(0);
  pen.stroke();
  pen.setLineDash([]);
  drawTexts(scene, node, state, box, isLeaf);
}

/**
 * Hatch a box with lines from the bottom left to the top right.
 * @param {Scene} scene
 * @param {Box} box
 */
function hatch({ pen, palette }, { x, y, width, height }) {
  pen.strokeStyle = palette.bad;
  pen.globalAlpha = 0.4;
  pen.lineWidth = 1.2;
  pen.beginPath();
  for (let at = HATCH; at < width + height; at += HATCH) {
    const rise = Math.min(at, height);
    const run = Math.min(at, width);
    pen.moveTo(x + at - rise, y + rise);
    pen.lineTo(x + run, y + at - run);
  }
  pen.stroke();
  pen.globalAlpha = 1;
}

/**
 * @param {Scene} scene
 * @param {number} node
 * @param {NodeState} state
 * @param {Box} box
 * @param {boolean} isLeaf
 */
function drawTexts(scene, node, state, box, isLeaf) {
  const { pen, palette, layout, scale } = scene;
  const middle = box.x + box.width / 2;
  const hasValue = state.value !== null && state.status !== "waiting";
  const isFull = scale >= FULL;
  const isInner = !isLeaf && (state.status === "open" || state.status === "finished");
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  if (isFull) drawName(scene, node, middle, box.y);
  const upper = isInner && isFull ? 17 : BODY.height / 2;
  if (hasValue) {
    pen.fillStyle = palette.text;
    pen.font = `700 ${isFull ? 17 : 22}px ${FONT}`;
    pen.fillText(valueText(/** @type {number} */ (state.value), 4), middle, box.y + upper);
  }
  if (!isFull) return;
  if (isInner) drawTriangle(scene, node, box.x + 12, box.y + upper);
  if (isInner) {
    pen.fillStyle = palette.faint;
    pen.font = `500 12.5px ${FONT}`;
    const bounds = `α ${valueText(state.alpha, 4)}  β ${valueText(state.beta, 4)}`;
    pen.fillText(bounds, middle, box.y + 36.5);
  }
  const picture = layout.hasPictures && scene.picture(node);
  if (picture) {
    const { width, height } = PICTURE;
    pen.drawImage(picture, middle - width / 2, box.y + BODY.height - 3, width, height);
  }
}

/**
 * Draw the symbol of the player at a node: ▲ for Max, ▼ for Min.
 * @param {Scene} scene
 * @param {number} node
 * @param {number} x
 * @param {number} y
 */
function drawTriangle(scene, node, x, y) {
  const { pen, trace } = scene;
  const up = trace.isMax(node) ? -1 : 1;
  pen.fillStyle = playerColour(scene, node);
  pen.beginPath();
  pen.moveTo(x, y + 5 * up);
  pen.lineTo(x + 5, y - 4 * up);
  pen.lineTo(x - 5, y - 4 * up);
  pen.closePath();
  pen.fill();
}

/**
 * Write the move that leads to a node, or its name, on its edge.
 * @param {Scene} scene
 * @param {number} node
 * @param {number} x
 * @param {number} y
 */
function drawName({ pen, palette, trace, moveText }, node, x, y) {
  const text = moveText(trace.moves[node] ?? trace.answer.root);
  if (!text) return;
  const width = 8 + 7 * text.length;
  pen.fillStyle = palette.card;
  pen.beginPath();
  pen.roundRect(x - width / 2, y - 21, width, 16, 4);
  pen.fill();
  pen.fillStyle = palette.text;
  pen.font = `600 12px ${FONT}`;
  pen.fillText(text, x, y - 12.5);
}

/**
 * Write how many nodes a collapsed node hides.
 * @param {Scene} scene
 * @param {number} node
 */
function drawBadge(scene, node) {
  const { pen, palette, layout, trace, scale } = scene;
  const size = Math.max(1, 0.6 / scale);
  const text = `+${(trace.size(node) - 1).toLocaleString("en")}`;
  const width = (12 + 8 * text.length) * size;
  const x = nodeMiddle(scene, node);
  const y = nodeTop(scene, node) + layout.height;
  pen.fillStyle = palette.accent;
  pen.beginPath();
  pen.roundRect(x - width / 2, y - 6 * size, width, 19 * size, 9 * size);
  pen.fill();
  pen.fillStyle = palette.card;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = `600 ${13 * size}px ${FONT}`;
  pen.fillText(text, x, y + 4 * size);
}
