// The screen of a search: the tree, its steps, and what happens in each of them.
import { createBoard } from "../boards/create_board.js";
import { moveText } from "../boards/game_modules.js";
import { copyButtons } from "../copy.js";
import { h, setText } from "../dom.js";
import { Timeouts } from "../events.js";
import { load, save } from "../storage.js";
import { Practice } from "./practice.js";
import { stepAddress } from "./search_address.js";
import { SearchTrace } from "./search_trace.js";
import { StepControls } from "./step_controls.js";
import { CodePanel, Counts, PathTable, StepTexts } from "./step_panel.js";
import { TreeView } from "./tree_view.js";

/** @import { Moment } from "./search_trace.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { Board, GameModule, SearchStart, TracedSearch } from "../types.js" */

const SETTLED = 250; // milliseconds without a step before the address changes
const ANNOUNCED = 500; // milliseconds without a step before it is announced
const START = "This is the start. Go to the next step with the button or the key →.";

/** The parts of the screen, which show the search after a number of steps. */
export class SearchScreen {
  #connection;
  #signal;
  /** @type {SearchTrace | null} */
  #trace = null;
  /** @type {SearchStart} */
  #search = { depth: 0, variant: "" };
  /** @type {GameModule | null} */
  #module = null;
  /** @type {StepTexts | null} */
  #texts = null;
  /** @type {Board | null} */
  #board = null;
  /** @type {string | null} the moves of the position that is shown */
  #shownMoves = null;
  #boardKey = ""; // the game and the setup of the board
  #frame = 0;
  #timeouts = new Timeouts();
  #text = h("p", { class: "step-text" });
  #earlier = h("button", { type: "button", class: "link", onclick: () => this.#selectEarlier() });
  #equal = h("p", { class: "equal-node", hidden: true }, this.#earlier);
  #announcement = h("p", { class: "hidden-text", "aria-live": "polite" });
  #boardFrame = h("section", { class: "card learn-board", "aria-label": "Position at this node" });
  #inset = h("canvas", { class: "inset", "aria-hidden": "true" });
  #code = new CodePanel();
  #counts = new Counts();
  #tree;
  #controls;
  #practice;
  #path;
  #pictures = this.#switch("Boards in the nodes", "learn-boards", isOn => this.#setPictures(isOn));
  #practising = this.#switch("Practice", null, isOn => this.#setPractice(isOn));

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#connection = connection;
    this.#signal = signal;
    /** @param {number} node */
    const onSelect = node => this.#select(node);
    const moveName = (/** @type {number | string} */ move) => this.#moveName(move);
    this.#tree = new TreeView({ onSelect, moveText: moveName, signal });
    this.#controls = new StepControls({
      onGo: steps => this.#goUnlessAsked(steps),
      cutoff: direction => this.#findCutoff(direction),
      over: () => this.#findReturn(),
      signal,
    });
    const name = (/** @type {number} */ node) => this.#name(node);
    this.#practice = new Practice({ onDone: () => this.#go(this.#steps + 1), name });
    this.#path = new PathTable(name, onSelect);
    this.element = this.#layOut();
    this.element.hidden = true;
    document.addEventListener("keydown", event => this.#keyDown(event), { signal });
    signal.addEventListener("abort", () => {
      this.#timeouts.clear();
      cancelAnimationFrame(this.#frame);
    });
  }

  /**
   * Show a search after a number of steps.
   * @param {TracedSearch} answer
   * @param {SearchStart} search
   * @param {GameModule | null} module
   * @param {number} step
   */
  show(answer, search, module, step) {
    this.element.hidden = false;
    this.#controls.stop();
    this.#search = search;
    this.#module = module;
    this.#shownMoves = null;
    this.#trace = new SearchTrace(answer);
    this.#texts = new StepTexts(this.#connection, search, module, () => this.#showText());
    this.#code.setLines(answer.pseudocode);
    this.#createBoard();
    const { setup = {}, moves = [] } = search;
    const hasPictures = Boolean(module?.isDrawable(setup));
    this.#pictures.hidden = !hasPictures;
    this.#inset.hidden = !hasPictures;
    this.#tree.setTrace(this.#trace, module && hasPictures ? { module, setup, moves } : null);
    this.#tree.hasPictures = hasPictures && isChecked(this.#pictures);
    this.#go(Math.min(step, this.#trace.length));
  }

  /** Play the search, unless the person wants nothing to move by itself. */
  run() {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.#controls.play();
  }

  get #steps() {
    return this.#tree.moment?.steps ?? 0;
  }

  #layOut() {
    const tree = this.#tree;
    /**
     * @param {string} text
     * @param {string} title
     * @param {() => void} onclick
     */
    const button = (text, title, onclick) =>
      h("button", { type: "button", title, "aria-label": title, onclick }, text);
    const zoom = h(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("+", "Zoom in", () => tree.zoom(1.4)),
      button("−", "Zoom out", () => tree.zoom(1 / 1.4)),
      button("⤢", "Whole tree", () => tree.fit()),
      button("◎", "Follow the node at work", () => tree.follow()),
      button("±", "Collapse or expand the node at work", () => this.#toggle()),
    );
    const items = /** @type {import("../copy.js").CopyItem[]} */ ([
      ["Link", () => new URL(stepAddress(this.#search, this.#steps), location.href).href],
    ]);
    const files = h(
      "div",
      { class: "files" },
      copyButtons(items).element,
      h("button", { type: "button", onclick: () => this.#saveSvg() }, "SVG"),
      h("button", { type: "button", onclick: () => this.#savePng() }, "PNG"),
    );
    const frame = h("div", { class: "tree-frame card" }, tree.canvas, zoom, this.#inset);
    const options = h("div", { class: "learn-options" }, this.#practising, this.#pictures, files);
    const stage = h(
      "section",
      { class: "learn-stage", "aria-label": "Tree" },
      frame,
      this.#practice.form,
      this.#controls.element,
      options,
      this.#boardFrame,
    );
    const side = h(
      "section",
      { class: "learn-side", "aria-label": "Step" },
      this.#text,
      this.#equal,
      this.#counts.element,
      h("div", { class: "card code-card" }, this.#code.element),
      this.#path.element,
    );
    return h("div", { class: "search-screen" }, stage, side, this.#announcement);
  }

  async #saveSvg() {
    const { saveSvg } = await import("./download.js");
    saveSvg(this.#tree, this.#title);
  }

  async #savePng() {
    const { savePng } = await import("./download.js");
    await savePng(this.#tree);
  }

  get #title() {
    return `${this.#search.game ?? "tree"}, step ${this.#steps}`;
  }

  /**
   * Return a switch, which is remembered under a key.
   * @param {string} text
   * @param {string | null} key
   * @param {(isOn: boolean) => void} onChange
   */
  #switch(text, key, onChange) {
    const change = () => {
      if (key) save(key, box.checked ? "on" : "off");
      onChange(box.checked);
    };
    const box = h("input", { type: "checkbox", role: "switch", onchange: change });
    box.checked = key !== null && load(key) === "on";
    return h("label", { class: "switch" }, box, text);
  }

  /** @param {boolean} isOn */
  #setPictures(isOn) {
    this.#tree.hasPictures = isOn;
  }

  /** @param {boolean} isOn */
  #setPractice(isOn) {
    this.#practice.isOn = isOn;
    // On a phone the switch is at the end of the page, far from the questions.
    if (isOn) this.#tree.canvas.scrollIntoView({ block: "nearest" });
    this.element.classList.toggle("practising", isOn);
    this.#go(this.#steps);
  }

  #createBoard() {
    const { game, setup = {} } = this.#search;
    const key = JSON.stringify([game, setup]);
    if (key === this.#boardKey) return;
    this.#boardKey = key;
    const options = { connection: this.#connection, signal: this.#signal };
    this.#board = game ? createBoard(this.#module, { game, setup, ...options }) : null;
    this.#boardFrame.hidden = !game;
    this.#boardFrame.replaceChildren(this.#board?.element ?? "");
  }

  /**
   * Go to a step, unless it is the next one and a question about it waits for an answer.
   * @param {number} steps
   */
  #goUnlessAsked(steps) {
    if (this.#practice.isAsking && steps === this.#steps + 1) this.#practice.focus();
    else this.#go(steps);
  }

  /** @param {number} steps */
  #go(steps) {
    const trace = this.#trace;
    if (!trace) return;
    this.#tree.go(steps);
    this.#controls.update(steps, trace.length, `step ${steps} of ${trace.length}`);
    const moment = /** @type {Moment} */ (this.#tree.moment);
    if (this.#practice.ask(trace, moment)) this.#controls.stop();
    this.#timeouts.set("address", SETTLED, () =>
      history.replaceState(null, "", stepAddress(this.#search, steps)),
    );
    this.#frame ||= requestAnimationFrame(() => this.#render());
  }

  /** Show the step beside the tree. */
  #render() {
    this.#frame = 0;
    const trace = /** @type {SearchTrace} */ (this.#trace);
    const moment = /** @type {Moment} */ (this.#tree.moment);
    const { steps } = moment;
    this.#path.update(trace, moment);
    this.#code.mark(steps ? trace.lines(steps - 1) : []);
    this.#counts.update(trace, steps);
    this.#showPosition([...(this.#search.moves ?? []), ...this.#line(moment.node)]);
    this.#showEarlier(moment);
    this.#showText();
  }

  /**
   * Offer the way to the earlier node whose value the node at work uses.
   * @param {Moment} moment
   */
  #showEarlier(moment) {
    const earlier = moment.earlier(moment.node);
    this.#equal.hidden = !this.#trace?.merged.size; // else it keeps its place
    this.#earlier.hidden = earlier === null;
    if (earlier === null) return;
    const names =
      this.#trace
        ?.path(earlier)
        .slice(1)
        .map(node => this.#name(node)) ?? [];
    setText(this.#earlier, `Go to the equal node ${names.join("-")}`);
  }

  #selectEarlier() {
    const earlier = this.#tree.moment?.earlier(this.#tree.moment.node) ?? null;
    if (earlier === null) return;
    this.#select(earlier);
    this.#tree.canvas.focus({ preventScroll: true }); // the button is hidden now
  }

  /** @param {number[]} moves */
  #showPosition(moves) {
    const key = moves.join();
    if (key === this.#shownMoves) return;
    this.#shownMoves = key;
    this.#board?.show({ moves });
    const { setup = {} } = this.#search;
    if (!this.#inset.hidden) this.#module?.drawThumbnail(this.#inset, setup, moves);
  }

  /**
   * Return the moves from the root to a node.
   * @param {number} node
   */
  #line(node) {
    const trace = /** @type {SearchTrace} */ (this.#trace);
    return trace
      .path(node)
      .slice(1)
      .map(at => Number(trace.moves[at]));
  }

  #showText() {
    const steps = this.#steps;
    const text = steps ? this.#texts?.of(steps - 1) : START;
    setText(this.#text, text ?? "…");
    this.#text.classList.toggle("faint", !text);
    if (!text) return;
    this.#timeouts.set("announce", ANNOUNCED, () => setText(this.#announcement, text));
    this.#tree.canvas.setAttribute("aria-label", `Search tree. ${text}`);
  }

  /** @param {number | string} move */
  #moveName(move) {
    return typeof move === "number" ? moveText(this.#module, move) : move;
  }

  /** @param {number} node */
  #name(node) {
    const move = this.#trace?.moves[node] ?? null;
    return move === null ? this.#trace?.answer.root || "Root" : this.#moveName(move);
  }

  /**
   * Go to the last step at a node, or to the one that has cut it off.
   * @param {number} node
   */
  #select(node) {
    const trace = /** @type {SearchTrace} */ (this.#trace);
    const steps = [trace.cut[node], trace.finished[node], trace.entered[node]];
    const found = steps.find(step => step < trace.length);
    this.#controls.stop();
    if (found !== undefined) this.#go(found + 1);
  }

  /**
   * Return the steps after the next cutoff in a direction, the present ones if there is none.
   * @param {1 | -1} direction
   */
  #findCutoff(direction) {
    const trace = this.#trace;
    if (!trace) return 0;
    for (
      let step = this.#steps - (direction > 0 ? 0 : 2);
      trace.nodes[step] >= 0;
      step += direction
    ) {
      if (trace.kind(step) === "cutoff") return step + 1;
    }
    return this.#steps;
  }

  /** Return the steps after the node at work has returned, or its parent if it has. */
  #findReturn() {
    const trace = this.#trace;
    const moment = this.#tree.moment;
    if (!trace || !moment) return 0;
    let node = moment.node;
    while (node > 0 && trace.finished[node] < moment.steps) node = trace.parents[node];
    return Math.min(trace.length, trace.finished[node] + 1);
  }

  #toggle() {
    if (this.#tree.moment) this.#tree.toggle(this.#tree.moment.node);
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input:not([type=range], [role=switch]), select, textarea")) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      "+": () => this.#tree.zoom(1.4),
      "-": () => this.#tree.zoom(1 / 1.4),
      0: () => this.#tree.fit(),
      f: () => this.#tree.follow(),
      c: () => this.#toggle(),
      e: () => this.#tree.expandAll(),
    };
    actions[event.key]?.();
  }
}

/** @param {HTMLElement} element */
const isChecked = element => Boolean(element.querySelector("input")?.checked);
