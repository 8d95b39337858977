// Plots of the matches of a game, which the arena lays out: drawn once somebody opens them.

import { count, h, s, setText } from "../dom.js";
import { throttle } from "../events.js";

/** @import { Panel, PanelSize } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const INTERVAL = 10_000; // milliseconds between two requests

export class Plots {
  #status = h("p", { class: "faint", role: "status" });
  #panels = h("div", { class: "panels" });
  #question;
  #connection;
  #finished = 0;
  #drawn = 0;
  #isAsking = false;
  #askLater;

  /**
   * @param {{ game: string, bot?: string }} question
   * @param {string} title
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(question, title, connection, signal) {
    this.#question = question;
    this.#connection = connection;
    const summary = h("summary", {}, title);
    const ontoggle = () => this.#ask();
    this.element = h("details", { class: "plots", ontoggle }, summary, this.#status, this.#panels);
    this.#askLater = throttle(INTERVAL, signal, () => this.#ask());
  }

  /**
   * Draw the plots again later if more matches have finished.
   * @param {number} finished
   */
  update(finished) {
    this.#finished = finished;
    if (finished !== this.#drawn) this.#askLater();
  }

  async #ask() {
    if (!this.element.open || this.#isAsking) return;
    this.#isAsking = true;
    if (!this.#panels.firstChild) setText(this.#status, "Drawing…");
    try {
      const { matches, size, panels } = await this.#connection.ask("find_plots", this.#question);
      this.#drawn = matches;
      setText(this.#status, `${count(matches, "match", "matches")} so far`);
      this.#panels.replaceChildren(...panels.map(panel => draw(panel, size)));
    } catch (error) {
      setText(this.#status, error instanceof Error ? error.message : String(error));
    } finally {
      this.#isAsking = false;
    }
    this.update(this.#finished); // the arena draws large ones rarely
  }
}

/**
 * @param {Panel} panel
 * @param {PanelSize} size
 */
function draw(panel, { width, height, top, bottom }) {
  const { title, description, has_rows: hasRows, left, right } = panel;
  /**
   * @param {string} style
   * @param {Record<string, number>} ends
   */
  const rule = (style, ends) => s("line", { class: style, ...ends });
  const middle = (left + right) / 2;
  const parts = [
    s("text", { class: "title", x: 12, y: 18 }, title),
    panel.y_ticks.map(([y, text]) => [
      !hasRows && rule("rule", { x1: left, x2: right, y1: y, y2: y }),
      s("text", { class: hasRows ? "label" : "end", x: left - 8, y, dy: ".35em" }, text),
    ]),
    panel.x_ticks.map(([x, text]) => [
      hasRows && rule(text === "50" ? "zero" : "rule", { x1: x, x2: x, y1: top, y2: bottom }),
      s("text", { class: "axis", x, y: bottom + 18 }, text),
    ]),
    s("text", { class: "axis", x: middle, y: bottom + 37 }, panel.x_label),
    panel.shapes.map(([style, path, tooltip]) =>
      s("path", { class: style, d: path }, tooltip && s("title", {}, tooltip)),
    ),
    panel.labels.map(([style, x, y, text]) => s("text", { class: style, x, y, dy: ".35em" }, text)),
    s("text", { class: "note", x: 12, y: height - 9 }, panel.note),
  ];
  const label = `${title}. ${description}`;
  return s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, parts);
}
