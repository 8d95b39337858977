// The tree on a canvas: zoom, pan, collapsed subtrees, and the node at work.
import { colours, theme } from "../boards/colours.js";
import { h } from "../dom.js";
import { Camera, COVERED } from "./camera.js";
import { BODY, PICTURE } from "./node_painter.js";
import { Pictures } from "./pictures.js";
import { Moment } from "./search_trace.js";
import { pinNodes, TreeLayout } from "./tree_layout.js";
import { drawTree } from "./tree_painter.js";

/** @import { SearchTrace } from "./search_trace.js" */
/** @import { PictureSource } from "./pictures.js" */
/** @import { Pen, Scene } from "./tree_painter.js" */

/**
 * `onSelect` is called with a node that was clicked, `moveText` writes a move.
 * @typedef {{
 *   onSelect: (node: number) => void,
 *   moveText: (move: number | string) => string,
 *   signal: AbortSignal,
 * }} TreeViewOptions
 */

const READABLE = 0.9; // scale of the first view of a tree that is too large to be seen as a whole
const FLOOR = 0.35; // scale downwards of a tree that is small
const WHEEL = 0.0016; // zoom of a wheel's unit
const BELOW = 12; // units below a node that belong to it
const CLICK = 6; // pixels that a pointer may move in a click
const LEAST_GAP = 62; // units between levels, more where there is room
const MOST_GAP = 130;
const PICTURES = 0.75; // scale from which boards are drawn

/** The canvas; it is drawn with the next frame after a change. */
export class TreeView {
  #options;
  /** @type {SearchTrace | null} */
  #trace = null;
  /** @type {Moment | null} */
  #moment = null;
  /** @type {TreeLayout | null} */
  #layout = null;
  /** @type {Set<number>} */
  #collapsed = new Set();
  #camera = new Camera();
  #depth = 0;
  #frame = 0;
  #isFollowing = true;
  #ratio = 1;
  /** @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  #moved = 0; // pixels since the first pointer went down
  #pictures = new Pictures(() => this.#draw());
  #hasPictures = false;
  #context;
  canvas = h("canvas", { class: "tree", role: "img", tabindex: 0, "aria-label": "Search tree" });

  /** @param {TreeViewOptions} options */
  constructor(options) {
    this.#options = options;
    this.#context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    new ResizeObserver(() => this.#resize()).observe(this.canvas);
    theme.addEventListener("change", () => this.#changeTheme(), { signal: options.signal });
    const { canvas } = this;
    canvas.addEventListener("wheel", event => this.#wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", event => this.#pointerDown(event));
    canvas.addEventListener("pointermove", event => this.#pointerMove(event));
    canvas.addEventListener("pointerup", event => this.#pointerUp(event));
    canvas.addEventListener("pointercancel", event => this.#pointers.delete(event.pointerId));
  }

  /**
   * Show another search.
   * @param {SearchTrace} trace
   * @param {PictureSource | null} pictures
   */
  setTrace(trace, pictures) {
    this.#trace = trace;
    this.#depth = trace.depths.reduce((most, depth) => Math.max(most, depth), 0);
    this.#moment = new Moment(trace);
    this.#pictures.setSource(pictures);
    this.#collapsed.clear();
    this.#isFollowing = true;
    this.#lay();
    this.#frameTree(false);
  }

  /** Whether the boards are drawn in the nodes. */
  get hasPictures() {
    return this.#hasPictures;
  }

  set hasPictures(isOn) {
    this.#hasPictures = isOn;
    if (!this.#trace) return;
    this.#lay();
    this.follow();
  }

  /** The search after the steps that are shown. */
  get moment() {
    return this.#moment;
  }

  /**
   * Show the tree after a number of steps.
   * @param {number} steps
   */
  go(steps) {
    const moment = this.#moment;
    if (!moment) return;
    moment.go(steps);
    this.#reveal(moment.node);
    if (this.#isFollowing) this.#follow();
    this.#draw();
  }

  /** Show the whole tree, as far as it is not collapsed. */
  fit() {
    this.#isFollowing = false;
    if (this.#layout) this.#camera.fit(this.#layout.extent);
    this.#draw();
  }

  /** Show the node at work, and follow it. */
  follow() {
    this.#isFollowing = true;
    const layout = this.#layout;
    if (!layout || !this.#moment) return;
    const { node } = this.#moment;
    this.#centre(node, { scale: Math.max(this.#camera.scale, READABLE) });
    this.#draw();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.#camera.zoom(factor);
    if (this.#isFollowing) this.#follow();
    this.#draw();
  }

  /**
   * Hide or show the nodes below a node.
   * @param {number} node
   */
  toggle(node) {
    if (!this.#trace?.children[node].count) return;
    if (!this.#collapsed.delete(node)) this.#collapsed.add(node);
    this.#lay(node);
    this.#draw();
  }

  /** Show all nodes again. */
  expandAll() {
    this.#collapsed.clear();
    this.#lay(this.#moment?.node);
    this.#draw();
  }

  /**
   * Draw the whole tree with another pen, in its own units.
   * @param {Pen} pen
   * @param {number} scale
   * @param {number} stretch
   */
  drawWhole(pen, scale, stretch) {
    const scene = this.#scene(pen, scale, stretch);
    const { left, right, top, bottom } = this.extent;
    if (scene) drawTree({ ...scene, left, right, top, bottom: bottom * stretch });
  }

  /** The extent of the whole tree. */
  get extent() {
    return this.#layout?.extent ?? { left: 0, right: 1, top: 0, bottom: 1 };
  }

  /**
   * Lay out the tree; a node that is given stays where it is seen.
   * @param {number} [fixed]
   */
  #lay(fixed) {
    if (!this.#trace) return;
    const before = fixed === undefined ? null : this.#layout;
    const height = BODY.height + (this.#hasPictures ? PICTURE.height : 0);
    const visible = this.canvas.clientHeight - COVERED;
    const room = (visible / READABLE - height - 60) / Math.max(1, this.#depth);
    const gap = Math.min(MOST_GAP, Math.max(LEAST_GAP, room - height));
    this.#layout = new TreeLayout(
      this.#trace,
      {
        inner: BODY.inner,
        leaf: this.#hasPictures ? BODY.inner : BODY.leaf,
        height,
        level: height + gap,
        gap: 12,
        hasPictures: this.#hasPictures,
      },
      this.#collapsed,
    );
    const { top, bottom } = this.#layout.extent;
    this.#camera.floor = Math.min(FLOOR, (0.9 * visible) / (bottom - top));
    if (before && fixed !== undefined) {
      const moved = (this.#layout.x[fixed] - before.x[fixed]) * this.#camera.scale;
      this.#camera.pan(-moved, 0);
    }
  }

  /** @param {boolean} isSmooth */
  #frameTree(isSmooth) {
    const layout = this.#layout;
    if (!layout) return;
    const camera = this.#camera;
    camera.fit(layout.extent, 28, isSmooth);
    if (camera.scale < READABLE * 0.78) {
      this.#centre(0, { scale: READABLE, isSmooth });
    }
    this.#draw();
  }

  /**
   * Expand what hides a node.
   * @param {number} node
   */
  #reveal(node) {
    const trace = /** @type {SearchTrace} */ (this.#trace);
    const hidden = trace.path(node).filter(at => at !== node && this.#collapsed.has(at));
    for (const at of hidden) this.#collapsed.delete(at);
    if (hidden.length) this.#lay(node);
  }

  /** Move the camera, if the node at work is not well seen. */
  #follow() {
    const layout = this.#layout;
    if (!layout || !this.#moment) return;
    const { node } = this.#moment;
    const { left, right, top, bottom } = this.#camera.extent;
    const x = layout.x[node];
    const across = 0.16 * (right - left);
    const isInside = x > left + across && x < right - across;
    const { first, last } = this.#levels(node);
    if (isInside && first > top && last < bottom - COVERED / this.#camera.down) return;
    this.#centre(node, { x: isInside ? (left + right) / 2 : x });
  }

  /**
   * Return the top of the parent of a node, and the bottom of its children.
   * @param {number} node
   */
  #levels(node) {
    const layout = /** @type {TreeLayout} */ (this.#layout);
    const parent = Math.max(0, this.#trace?.parents[node] ?? 0);
    const { first, count } = layout.childrenOf(node);
    return { first: layout.y(parent), last: layout.y(count ? first : node) + layout.height };
  }

  /**
   * Show a node, by default in the middle, its children, and the levels above it if there is room.
   * @param {number} node
   * @param {{ x?: number, scale?: number, isSmooth?: boolean }} [options]
   */
  #centre(node, { x, scale = this.#camera.scale, isSmooth = true } = {}) {
    const layout = this.#layout;
    if (!layout) return;
    const { top, bottom } = layout.extent;
    const room = (this.#camera.height - COVERED) / Math.max(scale, this.#camera.floor);
    const { first, last } = this.#levels(node);
    const lowest = Math.min(last - room + 8, first - 26); // the name of the parent is seen, too
    const y = bottom - top <= room - 20 ? top - 20 : Math.max(top - 20, lowest);
    this.#camera.moveTo(x ?? layout.x[node], y, scale, isSmooth);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth) return;
    this.#ratio = devicePixelRatio || 1;
    this.canvas.width = clientWidth * this.#ratio;
    this.canvas.height = clientHeight * this.#ratio;
    const isFirst = this.#camera.width === 1;
    this.#camera.resize(clientWidth, clientHeight);
    this.#lay(this.#moment?.node);
    if (isFirst) this.#frameTree(false);
    if (this.#isFollowing && this.#moment?.steps) this.#follow();
    this.#paint(performance.now());
  }

  #changeTheme() {
    this.#pictures.clear();
    this.#draw();
  }

  #draw() {
    this.#frame ||= requestAnimationFrame(now => {
      this.#frame = 0;
      this.#paint(now);
    });
  }

  /** @param {number} now */
  #paint(now) {
    const camera = this.#camera;
    camera.move(now);
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const factor = camera.scale * this.#ratio;
    const down = camera.down * this.#ratio;
    context.setTransform(factor, 0, 0, factor, -camera.x * factor, -camera.y * down);
    const stretch = camera.down / camera.scale;
    const scene = this.#scene(context, camera.scale, stretch);
    const { left, right, top, bottom } = camera.extent;
    if (scene) {
      const pinned = pinNodes(scene.layout, scene.path, camera.extent);
      const edges = { left, right, top: top * stretch, bottom: bottom * stretch };
      drawTree({ ...scene, pinned, ...edges });
    }
    if (camera.isMoving) this.#draw();
  }

  /**
   * @param {Pen} pen
   * @param {number} scale
   * @param {number} stretch
   * @returns {Omit<Scene, "left" | "right" | "top" | "bottom"> | null}
   */
  #scene(pen, scale, stretch) {
    if (!this.#trace || !this.#moment || !this.#layout) return null;
    const trace = this.#trace;
    return {
      pen,
      palette: colours(),
      trace,
      moment: this.#moment,
      layout: this.#layout,
      collapsed: this.#collapsed,
      path: this.#path,
      pinned: new Map(),
      scale,
      stretch,
      moveText: this.#options.moveText,
      picture: node => (scale < PICTURES ? null : this.#pictures.of(trace, node)),
    };
  }

  /** The nodes from the root to the node at work, as far as they are not in a collapsed subtree. */
  get #path() {
    if (!this.#trace || !this.#moment) return [];
    const path = this.#trace.path(this.#moment.node);
    const end = path.findIndex(node => this.#collapsed.has(node));
    return end < 0 ? path : path.slice(0, end + 1);
  }

  // The pointers

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    this.#isFollowing = false;
    const unit = event.deltaMode ? 20 : 1;
    this.#camera.zoom(Math.exp(-event.deltaY * unit * WHEEL), event.offsetX, event.offsetY);
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    if (!this.#pointers.size) this.#moved = 0;
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.canvas.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #pointerMove(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.offsetX - before.x, event.offsetY - before.y];
    this.#moved += Math.hypot(dx, dy);
    if (this.#moved < CLICK) return;
    this.#isFollowing = false;
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
      this.#camera.zoom(is / Math.max(1, was), other.x, other.y);
    } else this.#camera.pan(dx, dy);
    before.x = event.offsetX;
    before.y = event.offsetY;
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #pointerUp(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#moved >= CLICK) return;
    const node = this.#nodeAt(event.offsetX, event.offsetY);
    if (node === null) return;
    if (event.shiftKey || this.#collapsed.has(node)) this.toggle(node);
    else this.#options.onSelect(node);
  }

  /**
   * Return the node at a pixel, null if there is none.
   * @param {number} px
   * @param {number} py
   */
  #nodeAt(px, py) {
    const layout = this.#layout;
    if (!layout || !this.#moment) return null;
    const { x, y } = this.#camera.at(px, py);
    const height = (layout.height * this.#camera.scale) / this.#camera.down + BELOW;
    const pinned = pinNodes(layout, this.#path, this.#camera.extent);
    const node = layout.nodeAt(x, y, height, pinned);
    return node === null || this.#moment.status(node) === "hidden" ? null : node;
  }
}
