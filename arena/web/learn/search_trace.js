// The steps of a search, and the state of each node after any number of them.

/** @import { StepValue, TracedSearch } from "../types.js" */

/**
 * A kind of step.
 * @typedef {"enter" | "generate" | "evaluate" | "reuse" | "update" | "cutoff" | "return"} Kind
 */

/**
 * A node after some steps. `value` is v, null before it has one; `best` is the child that v is of.
 * @typedef {{
 *   status: "hidden" | "waiting" | "open" | "finished" | "cut",
 *   value: number | null,
 *   alpha: number,
 *   beta: number,
 *   best: number,
 * }} NodeState
 */

const NEVER = 2 ** 31 - 1;

/**
 * The nodes of a search by number, with the steps at which they change, and the steps.
 *
 * Each step changes one node. The step is stored with the node's values after it, and with the
 * step that changed the node before, so that any step can be gone to, in both directions.
 */
export class SearchTrace {
  #sizes;
  /** @type {number[]} */
  parents = [-1];
  /** @type {(number | string | null)[]} */
  moves = [null];
  /** @type {number[]} */
  depths = [0];
  /** @type {{ first: number, count: number }[]} */
  children = [];
  /** @type {number[]} the step that enters each node */
  entered = [];
  /** @type {number[]} the step that generates its children */
  generated = [];
  /** @type {number[]} the step that cuts it off */
  cut = [];
  /** @type {number[]} the step that leaves it */
  finished = [];
  /**
   * The nodes that use the value of an equal earlier node, by number, with that node and the step.
   * @type {Map<number, { earlier: number, step: number }>}
   */
  merged = new Map();

  /** @param {TracedSearch} answer */
  constructor(answer) {
    const { steps, kinds } = answer;
    const { length } = steps;
    this.answer = answer;
    this.length = length;
    this.nodes = new Int32Array(length);
    this.values = new Float64Array(length);
    this.alphas = new Float64Array(length);
    this.betas = new Float64Array(length);
    this.bests = new Int32Array(length);
    this.previous = new Int32Array(length);
    this.visited = new Int32Array(length + 1);
    this.evaluated = new Int32Array(length + 1);
    this.pruned = new Int32Array(length + 1);
    this.kindNames = kinds.map(([kind]) => /** @type {Kind} */ (kind));
    this.#addNodes(1);
    /** @type {number[]} */
    const last = [-1];
    for (let step = 0; step < length; step++) this.#read(steps[step], step, last);
    this.#sizes = new Int32Array(this.parents.length).fill(1);
    for (let node = this.parents.length - 1; node; node--) {
      this.#sizes[this.parents[node]] += this.#sizes[node];
    }
  }

  /**
   * Return the number of nodes in a subtree.
   * @param {number} node
   */
  size(node) {
    return this.#sizes[node];
  }

  /**
   * Return the kind of a step.
   * @param {number} step
   */
  kind(step) {
    return this.kindNames[Number(this.answer.steps[step][0])];
  }

  /**
   * Return the lines of pseudocode of a step.
   * @param {number} step
   */
  lines(step) {
    return this.answer.kinds[Number(this.answer.steps[step][0])][1];
  }

  /**
   * Whether Max moves at a node.
   * @param {number} node
   */
  isMax(node) {
    return (this.depths[node] % 2 === 0) === this.answer.is_max;
  }

  /**
   * Return the nodes from the root to a node.
   * @param {number} node
   */
  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parents[at]) path.push(at);
    return path.reverse();
  }

  /** @param {number} count */
  #addNodes(count) {
    for (let added = 0; added < count; added++) {
      this.children.push({ first: 0, count: 0 });
      for (const steps of [this.entered, this.generated, this.cut, this.finished]) {
        steps.push(NEVER);
      }
    }
  }

  /**
   * @param {StepValue[]} values
   * @param {number} step
   * @param {number[]} last the last step of each node
   */
  #read(values, step, last) {
    const node = Number(values[1]);
    const before = last[node] ?? -1;
    last[node] = step;
    this.nodes[step] = node;
    this.previous[step] = before;
    this.values[step] = before < 0 ? Number.NaN : this.values[before];
    this.alphas[step] = before < 0 ? -Infinity : this.alphas[before];
    this.betas[step] = before < 0 ? Infinity : this.betas[before];
    this.bests[step] = before < 0 ? -1 : this.bests[before];
    this.visited[step + 1] = this.visited[step];
    this.evaluated[step + 1] = this.evaluated[step];
    this.pruned[step + 1] = this.pruned[step];
    this.#apply(this.kind(step), values.slice(2), step, node);
  }

  /**
   * @param {Kind} kind
   * @param {StepValue[]} values
   * @param {number} step
   * @param {number} node
   */
  #apply(kind, values, step, node) {
    switch (kind) {
      case "enter":
        this.entered[node] = step;
        this.visited[step + 1]++;
        this.#setBounds(step, values[0], values[1]);
        break;
      case "generate":
        this.generated[node] = step;
        this.#setValue(step, node, values[1]);
        this.#addChildren(node, Number(values[0]), /** @type {any[]} */ (values[2]));
        break;
      case "evaluate":
        this.evaluated[step + 1]++;
        this.#setValue(step, node, values[0]);
        break;
      case "reuse":
        this.merged.set(node, { earlier: Number(values[0]), step });
        this.#setValue(step, node, values[1]);
        break;
      case "update":
        this.#setValue(step, node, values[1]);
        this.#setBest(step, Number(values[0]));
        this.#setBounds(step, values[2], values[3]);
        break;
      case "cutoff":
        this.#cutChildren(node, step);
        break;
      case "return":
        this.finished[node] = step;
        this.#setValue(step, node, values[0]);
    }
  }

  /**
   * @param {number} step
   * @param {number} child
   */
  #setBest(step, child) {
    if (this.values[step] !== this.values[this.previous[step]]) this.bests[step] = child;
  }

  /**
   * @param {number} step
   * @param {number} node
   * @param {StepValue} value
   */
  #setValue(step, node, value) {
    const infinite = this.isMax(node) ? -Infinity : Infinity;
    this.values[step] = value === null ? infinite : Number(value);
  }

  /**
   * @param {number} step
   * @param {StepValue} alpha
   * @param {StepValue} beta
   */
  #setBounds(step, alpha, beta) {
    this.alphas[step] = alpha === null ? -Infinity : Number(alpha);
    this.betas[step] = beta === null ? Infinity : Number(beta);
  }

  /**
   * @param {number} node
   * @param {number} first
   * @param {(number | string)[]} moves
   */
  #addChildren(node, first, moves) {
    this.children[node] = { first, count: moves.length };
    this.#addNodes(moves.length);
    for (const move of moves) {
      this.moves.push(move);
      this.parents.push(node);
      this.depths.push(this.depths[node] + 1);
    }
  }

  /**
   * @param {number} node
   * @param {number} step
   */
  #cutChildren(node, step) {
    const { first, count } = this.children[node];
    for (let child = first; child < first + count; child++) {
      if (this.entered[child] === NEVER) {
        this.cut[child] = step;
        this.pruned[step + 1]++;
      }
    }
  }
}

/** The search after some of its steps, which can be gone to in both directions. */
export class Moment {
  #trace;
  #last;
  /** The number of steps that have been taken. */
  steps = 0;

  /** @param {SearchTrace} trace */
  constructor(trace) {
    this.#trace = trace;
    this.#last = new Int32Array(trace.parents.length).fill(-1);
  }

  /**
   * Go to the moment after a number of steps.
   * @param {number} steps
   */
  go(steps) {
    const { nodes, previous } = this.#trace;
    for (; this.steps < steps; this.steps++) this.#last[nodes[this.steps]] = this.steps;
    while (this.steps > steps) {
      this.steps--;
      this.#last[nodes[this.steps]] = previous[this.steps];
    }
  }

  /** The node that the last step has changed, the root before the first step. */
  get node() {
    return this.steps ? this.#trace.nodes[this.steps - 1] : 0;
  }

  /**
   * The earlier node whose value a node uses, null if it uses none or has not yet.
   * @param {number} node
   */
  earlier(node) {
    const found = this.#trace.merged.get(node);
    return found && found.step < this.steps ? found.earlier : null;
  }

  /** @param {number} node */
  status(node) {
    const trace = this.#trace;
    const now = this.steps;
    if (node && trace.generated[trace.parents[node]] >= now) return "hidden";
    if (trace.cut[node] < now) return "cut";
    if (trace.entered[node] >= now) return "waiting";
    return trace.finished[node] < now ? "finished" : "open";
  }

  /**
   * Return the state of a node.
   * @param {number} node
   * @returns {NodeState}
   */
  state(node) {
    const { values, alphas, betas, bests } = this.#trace;
    const status = this.status(node);
    const step = this.#last[node];
    if (step < 0) return { status, value: null, alpha: -Infinity, beta: Infinity, best: -1 };
    const value = Number.isNaN(values[step]) ? null : values[step];
    return { status, value, alpha: alphas[step], beta: betas[step], best: bests[step] };
  }
}

/**
 * Write a value with at most so many significant digits: "3", "−0.6", "∞".
 * @param {number} value
 */
export function valueText(value, digits = 6) {
  if (Math.abs(value) === Infinity) return value > 0 ? "∞" : "−∞";
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}
