// Boards as pictures in the nodes of the tree.
import { h } from "../dom.js";

/** @import { GameModule, Setup } from "../types.js" */
/** @import { SearchTrace } from "./search_trace.js" */

/**
 * The game that is searched, and the moves before the root.
 * @typedef {{ module: GameModule, setup: Setup, moves: number[] }} PictureSource
 */

const MOST = 300; // pictures that are kept
const PER_FRAME = 12; // pictures that are drawn for one frame

/** Pictures by node, drawn when they are wanted, a few for each frame. */
export class Pictures {
  /** @type {PictureSource | null} */
  #source = null;
  /** @type {Map<number, HTMLCanvasElement>} */
  #drawn = new Map();
  #left = PER_FRAME;
  #onMore;

  /** @param {() => void} onMore called when more pictures can be drawn */
  constructor(onMore) {
    this.#onMore = onMore;
  }

  /** @param {PictureSource | null} source */
  setSource(source) {
    this.#source = source;
    this.clear();
  }

  clear() {
    this.#drawn.clear();
  }

  /**
   * Return the picture of a node, null if it is not drawn yet.
   * @param {SearchTrace} trace
   * @param {number} node
   */
  of(trace, node) {
    const known = this.#drawn.get(node);
    if (known || !this.#source) return known ?? null;
    if (!this.#left) return null;
    if (this.#left-- === PER_FRAME) {
      requestAnimationFrame(() => {
        this.#left = PER_FRAME;
        this.#onMore();
      });
    }
    const { module, setup, moves } = this.#source;
    const canvas = h("canvas");
    const line = trace.path(node).slice(1);
    module.drawThumbnail(canvas, setup, [...moves, ...line.map(at => Number(trace.moves[at]))]);
    this.#drawn.set(node, canvas);
    if (this.#drawn.size > MOST) this.#drawn.delete(this.#drawn.keys().next().value ?? 0);
    return canvas;
  }
}
