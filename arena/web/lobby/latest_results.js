// The latest results of the lobby, which keep still while somebody points at them.
import { h, setText } from "../dom.js";
import { throttle } from "../events.js";
import {
  casualBadge,
  endingElement,
  gameText,
  meetingLinks,
  refreshTimes,
  timeElement,
} from "../format.js";

/** @import { ArenaInfo, MatchSummary } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const SHOWN = 8; // results
const LIST_INTERVAL = 1000; // milliseconds between updates
const TIME_INTERVAL = 20_000; // milliseconds between updates of relative times

export class LatestResults {
  #connection;
  #list = h("ul", { class: "results", role: "list" });
  #news = h("span", { class: "faint" });
  /** @type {MatchSummary[]} the latest first */
  #latest = [];
  /** @type {MatchSummary[]} those in the list */
  #listed = [];

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#connection = connection;
    const release = () => this.#release();
    this.element = h(
      "section",
      { class: "card", hidden: true, onpointerleave: release, onfocusout: release },
      h("h2", {}, "Latest results ", this.#news),
      this.#list,
      h("p", {}, h("a", { href: "#/games" }, "All matches")),
    );
    /** @param {MatchSummary[]} latest */
    const update = latest => this.#update(latest);
    this.update = throttle(LIST_INTERVAL, signal, update);
    const timer = setInterval(() => refreshTimes(this.element), TIME_INTERVAL);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** @param {MatchSummary[]} latest */
  #update(latest) {
    this.#latest = latest;
    this.element.hidden = !latest.length;
    const isHeld = this.#listed.length && this.element.matches(":hover, :focus-within");
    if (isHeld) this.#showNews();
    else this.#showList();
  }

  /** The pointer or the focus has left; it may still be on its way to another place inside. */
  #release() {
    requestAnimationFrame(() => {
      if (!this.element.matches(":hover, :focus-within")) this.#showList();
    });
  }

  #showNews() {
    const first = this.#listed[0]?.facts.match;
    const at = this.#latest.findIndex(({ facts }) => facts.match === first);
    if (at) setText(this.#news, at > 0 ? `${at} new` : `over ${this.#latest.length - 1} new`);
  }

  #showList() {
    if (this.#listed === this.#latest) return;
    this.#listed = this.#latest;
    setText(this.#news, "");
    const { arena } = this.#connection;
    const rows = this.#latest.slice(0, SHOWN).map(summary => resultRow(arena, summary));
    this.#list.replaceChildren(...rows);
  }
}

/**
 * Return a finished match as an element of a list.
 * @param {ArenaInfo | null} arena
 * @param {MatchSummary} summary
 */
export function resultRow(arena, { facts, result }) {
  const time = timeElement(result.finished_at);
  const game = gameText(arena, facts);
  return h(
    "li",
    {},
    h("div", { class: "meeting" }, meetingLinks({ facts, result })),
    h("p", { class: "faint" }, endingElement(result), ` · ${game} · `, time, casualBadge(facts)),
  );
}
