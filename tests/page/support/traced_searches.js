// Searches as the arena sends them, made by a plain alpha-beta, with the state after each step.

const KINDS = ["enter", "generate", "evaluate", "reuse", "update", "cutoff", "return"];
const CODE = ["max_value(node, alpha, beta):", "v = -infinity", "if v >= beta: return v"];

/** @param {number} value */
const sent = value => (Number.isFinite(value) ? value : null);

/** A plain alpha-beta, or minimax, that notes each step and the state of all nodes after it. */
class PlainSearch {
  nodes = [];
  steps = [];
  states = [];

  constructor(tree, { isMax = true, isPruned = true, names = "BCDEFGHIJKLM" }) {
    Object.assign(this, { isMax, isPruned, names });
    this.add(tree, 0);
    this.note();
    this.value = this.visit(0, -Infinity, Infinity);
  }

  add(content, depth) {
    const state = { status: "waiting", value: null, alpha: -Infinity, beta: Infinity, best: -1 };
    return this.nodes.push({ content, depth, children: [], state }) - 1;
  }

  note() {
    this.states.push(this.nodes.map(({ state }) => ({ ...state })));
  }

  step(kind, node, ...values) {
    this.steps.push([KINDS.indexOf(kind), node, ...values]);
    this.note();
  }

  visit(node, alpha, beta) {
    const { content, state } = this.nodes[node];
    Object.assign(state, { status: "open", alpha, beta });
    this.step("enter", node, sent(alpha), sent(beta));
    if (typeof content === "number") {
      state.value = content;
      this.step("evaluate", node, content);
    } else if (Array.isArray(content)) this.visitChildren(node);
    else {
      state.value = this.nodes[content.earlier].state.value;
      this.step("reuse", node, content.earlier, state.value, "exact");
    }
    state.status = "finished";
    this.step("return", node, state.value);
    return state.value;
  }

  visitChildren(node) {
    const { content, depth, state } = this.nodes[node];
    const max = (depth % 2 === 0) === this.isMax;
    const children = content.map(child => this.add(child, depth + 1));
    state.value = max ? -Infinity : Infinity;
    const moves = children.map(child => this.names[child - 1]);
    this.step("generate", node, children[0], null, moves);
    for (const [at, child] of children.entries()) {
      const value = this.visit(child, state.alpha, state.beta);
      if (max ? value > state.value : value < state.value) {
        Object.assign(state, { value, best: child });
      }
      const isCut = this.isPruned && (max ? value >= state.beta : value <= state.alpha);
      if (this.isPruned && !isCut && max) state.alpha = Math.max(state.alpha, value);
      else if (this.isPruned && !isCut) state.beta = Math.min(state.beta, value);
      this.step("update", node, child, state.value, sent(state.alpha), sent(state.beta));
      if (!isCut) continue;
      for (const skipped of children.slice(at + 1)) this.nodes[skipped].state.status = "cut";
      this.step("cutoff", node, max ? state.beta : state.alpha);
      break;
    }
  }
}

/**
 * Return the answer of the arena for a tree, and the state of all nodes after 0, 1, ... steps.
 *
 * Lists are inner nodes, numbers are leaves, `{ earlier: 4 }` has the value of node 4. `names` are
 * those of the nodes from the first child of the root on; other options replace parts of the answer.
 */
export function tracedTree(tree, { isMax = true, isPruned = true, names, ...more } = {}) {
  const { steps, states, value } = new PlainSearch(tree, { isMax, isPruned, names });
  const bare = text => text.replace(", alpha, beta", "");
  const answer = {
    variants: { "alpha-beta": "alpha-beta (fail-soft)", minimax: "minimax" },
    root: "A",
    is_max: isMax,
    pseudocode: CODE.map((text, at) => [Math.min(at, 1), isPruned ? text : bare(text)]),
    kinds: KINDS.map((kind, at) => [kind, [at % 3]]),
    steps,
    stopped: null,
    totals: { value, nodes_visited: steps.filter(([kind]) => !kind).length },
    minimax: { value, nodes_visited: 13, nodes_evaluated: 9 },
    ...more,
  };
  return { answer, states };
}

/** The tree of most tests: nodes B, C and D below the root, of which C and D are cut off. */
export const TREE = [
  [5, 9, 7],
  [4, 6, 8],
  [2, 11, 3],
];
