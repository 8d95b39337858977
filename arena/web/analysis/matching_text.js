// A matching in words: labels of its nodes, its legend, and a table of all of it.

import { moveText } from "../boards/game_modules.js";
import { partnersOf } from "../boards/graph_layout.js";
import { capitalised, h } from "../dom.js";

/** @import { GameModule, Matching, MatchingNode } from "../types.js" */

/**
 * "6, outer, partner 3, legal: 6 is a multiple of 3, wins".
 * @param {Matching} matching
 * @param {GameModule | null} module
 * @param {MatchingNode} node
 */
export function nodeLabel(matching, module, [move, kind, , reason]) {
  const partner = partnersOf(matching.pairs).get(move);
  const words = [moveText(module, move), kind];
  words.push(partner === undefined ? "no partner" : `partner ${moveText(module, partner)}`);
  if (reason !== null) words.push(`legal: ${reason}`);
  if (matching.winning_moves.includes(move)) words.push("wins");
  return words.join(", ");
}

/**
 * Describe a node in sentences.
 * @param {Matching} matching
 * @param {GameModule | null} module
 * @param {number} move
 */
export function nodeSentences(matching, module, move) {
  const node = matching.nodes.find(([other]) => other === move);
  if (!node) return "";
  const [, kind, , reason] = node;
  const partner = partnersOf(matching.pairs).get(move);
  const sentences = [
    `${moveText(module, move)} is ${kind}: ${matching.kinds[kind]}.`,
    partner === undefined
      ? "Here it has no partner."
      : `Its partner is ${moveText(module, partner)}.`,
  ];
  if (reason !== null) sentences.push(`It is legal, as ${reason}.`);
  else if (move !== matching.last) sentences.push("It is not legal now.");
  if (move === matching.answer) sentences.push("It wins, as this matching shows.");
  else if (matching.winning_moves.includes(move)) {
    sentences.push("It wins, as another maximum matching shows.");
  }
  return sentences.join(" ");
}

/**
 * Return the legend: the shape and the meaning of each kind that occurs.
 * @param {Matching} matching
 */
export function legend({ kinds, nodes }) {
  const known = new Set(nodes.map(([, kind]) => kind));
  const items = Object.entries(kinds).map(([kind, meaning], index) => {
    const swatch = h("span", { class: `node kind-${index + 1}`, "aria-hidden": "true" });
    return known.has(kind) && h("li", {}, swatch, h("span", {}, h("b", {}, kind), `: ${meaning}`));
  });
  const signs = "Thick lines join partners. A filled shape is legal now, and a double one wins.";
  return [h("ul", { class: "kinds", role: "list" }, items), h("p", { class: "hint" }, signs)];
}

/**
 * Return a table of all nodes.
 * @param {Matching} matching
 * @param {GameModule | null} module
 */
export function nodeTable(matching, module) {
  const partners = partnersOf(matching.pairs);
  const winning = new Set(matching.winning_moves);
  const rows = matching.nodes.map(([move, kind, , reason]) => {
    const partner = partners.get(move);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, moveText(module, move)),
      h("td", { class: "name" }, kind),
      h("td", {}, partner === undefined ? "none" : moveText(module, partner)),
      h("td", { class: "name" }, reason ?? "no"),
      h("td", { class: "name" }, winning.has(move) ? "yes" : "no"),
    );
  });
  const names = ["move", "kind", "partner", "legal now", "wins"];
  const heads = names.map(name => h("th", { scope: "col" }, capitalised(name)));
  return h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
}
