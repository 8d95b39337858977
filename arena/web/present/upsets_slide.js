// The slide with the upsets: the latest wins of bots over higher rated ones.
import { h } from "../dom.js";
import { meetingElements } from "../format.js";
import { Ratings } from "./ratings.js";

/** @import { MatchSummary } from "../types.js" */

const SHOWN = 5;
const KEPT = 500; // results; older ones are no news
const SMALLEST = 50; // Elo between the bots, below which a win is no surprise

/** The largest upsets among the latest results, by the ratings of now. */
export class UpsetsSlide {
  element = h("section", { class: "slide", "aria-label": "Upsets" });
  isEmpty = true;
  /** @type {Map<number, MatchSummary>} by match */
  #results = new Map();
  #ratings = new Ratings([]);

  /** @param {MatchSummary[]} results */
  add(results) {
    for (const summary of results) this.#results.set(summary.result.match, summary);
    const ids = [...this.#results.keys()].sort((one, other) => one - other);
    for (const id of ids.slice(0, -KEPT)) this.#results.delete(id);
    this.#show();
  }

  /** @param {Ratings} ratings */
  rate(ratings) {
    this.#ratings = ratings;
    this.#show();
  }

  #show() {
    const all = [...this.#results.values()]
      .map(summary => ({ summary, elo: this.#difference(summary) }))
      .filter(({ elo }) => elo >= SMALLEST);
    // One for each two bots: two that meet often would fill the slide.
    const latest = new Map(all.map(upset => [meeting(upset.summary), upset]));
    const upsets = [...latest.values()].sort((one, other) => other.elo - one.elo).slice(0, SHOWN);
    this.isEmpty = !upsets.length;
    const rows = upsets.map(({ summary, elo }) =>
      h(
        "li",
        {},
        h("p", {}, meetingElements(summary)),
        h("p", { class: "faint" }, `${Math.round(elo)} Elo lower`),
      ),
    );
    const list = h("ol", { class: "upsets", style: { "--rows": String(rows.length + 1) } }, rows);
    this.element.replaceChildren(h("h2", {}, "Upsets"), list);
  }

  /**
   * Return by how much the loser is rated above the winner; NaN if that is unknown.
   * @param {MatchSummary} summary
   */
  #difference({ facts, result }) {
    if (!result.winner || facts.casual) return NaN;
    const [winner, loser] = [result.winner, 3 - result.winner].map(player =>
      this.#ratings.of(facts.game, facts.players[player - 1]),
    );
    return loser - winner;
  }
}

/**
 * The game, the winner and the loser of a result.
 * @param {MatchSummary} summary
 */
function meeting({ facts: { game, players }, result: { winner } }) {
  return [game, ...(winner === 2 ? [players[1], players[0]] : players)].join(" ");
}
