// The tree of the tried moves: of the children of a node the first continues the main line.

/**
 * A position; `move` led to it, null for the start.
 * @typedef {{ move: number | null, parent: Node | null, children: Node[] }} Node
 */

const MAX_NODES = 5000;

/** A tree of moves from the start of a game, with a current node. */
export class VariationTree {
  #count = 1;
  /** @type {Node} */
  root = { move: null, parent: null, children: [] };
  /** @type {Node} */
  current = this.root;

  /**
   * Go to the position after moves; those that are not in the tree yet are added.
   * @param {number[]} moves
   */
  go(moves) {
    this.current = this.add(moves);
  }

  /**
   * Add moves without going there, and return the node that they lead to. Of a tree that is full the
   * last of the moves are left out.
   * @param {number[]} moves
   */
  add(moves) {
    let node = this.root;
    for (const move of moves) {
      const known = node.children.find(child => child.move === move);
      if (!known && this.#count === MAX_NODES) break;
      node = known ?? this.#append(node, move);
    }
    return node;
  }

  /**
   * @param {Node} parent
   * @param {number} move
   */
  #append(parent, move) {
    /** @type {Node} */
    const node = { move, parent, children: [] };
    parent.children.push(node);
    this.#count++;
    return node;
  }

  /** Delete the current move with all that follows; its parent becomes the current node. */
  delete() {
    const { parent } = this.current;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(this.current), 1);
    this.current = parent;
    this.#count = this.#nodes().length;
  }

  /** The moves of the main line. */
  get mainLine() {
    const moves = [];
    for (let [node] = this.root.children; node; [node] = node.children) {
      moves.push(/** @type {number} */ (node.move));
    }
    return moves;
  }

  /**
   * Return the node that a step from the current one leads to, null if there is none.
   * @param {"previous" | "next" | "up" | "down"} step
   * @returns {Node | null}
   */
  neighbour(step) {
    const { parent, children } = this.current;
    if (step === "previous") return parent;
    if (step === "next") return children[0] ?? null;
    const siblings = parent?.children ?? [];
    return siblings[siblings.indexOf(this.current) + (step === "up" ? -1 : 1)] ?? null;
  }

  /** All nodes, parents before their children. */
  #nodes() {
    const nodes = [this.root];
    for (const node of nodes) nodes.push(...node.children);
    return nodes;
  }

  /** Return the tree as a text. */
  toText() {
    const nodes = this.#nodes();
    const places = new Map(nodes.map((node, place) => [node, place]));
    return JSON.stringify(
      nodes.slice(1).map(({ parent, move }) => [places.get(/** @type {Node} */ (parent)), move]),
    );
  }

  /**
   * Return the tree of a text, an empty one if the text is none.
   * @param {string | null} text
   */
  static fromText(text) {
    const tree = new VariationTree();
    try {
      const nodes = [tree.root];
      for (const [place, move] of JSON.parse(text ?? "[]")) {
        nodes.push(tree.#append(nodes[place], move));
      }
      return tree;
    } catch {
      return new VariationTree(); // of another version of the page
    }
  }
}

/**
 * Return the moves that lead to a node.
 * @param {Node} node
 */
export function movesTo(node) {
  const moves = [];
  for (let { move, parent } = node; parent; { move, parent } = parent) {
    moves.push(/** @type {number} */ (move));
  }
  return moves.reverse();
}
