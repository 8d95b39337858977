// The result of an analysis, as elements.

import { moveText } from "../boards/game_modules.js";
import { copyableText, count, h } from "../dom.js";
import { DEFAULT_DEPTH, DEFAULT_VARIANT, stepAddress } from "../learn/search_address.js";

/** @import { Analysis, Child, GameInfo, GameModule, Player, Setup } from "../types.js" */

/**
 * The analysed position; `depth` is that of the search, null for none, `isListed` whether the list
 * of the legal moves is open, `onMove` is called with a move chosen from the result.
 * @typedef {{
 *   game: GameInfo,
 *   module: GameModule | null,
 *   setup: Setup,
 *   moves: number[],
 *   depth: number | null,
 *   isSearching: boolean,
 *   isListed: boolean,
 *   onMove: (move: number) => void,
 * }} PositionOptions
 */

const MAX_MOVES = 500; // legal moves shown of each kind
/**
 * The limits that stop a search.
 * @type {Record<string, string>}
 */
export const LIMITS = { nodes: "node limit", seconds: "time limit" };

/**
 * Return the elements of an analysis.
 * @param {Analysis} analysis
 * @param {PositionOptions} position
 */
export function analysisElements(analysis, position) {
  const { game, module, isSearching } = position;
  return [
    h("h2", {}, turnText(analysis)),
    h("p", {}, winnerText(analysis, game)),
    ...(analysis.legal_moves.length ? [legalMoves(analysis, position)] : []),
    h("h3", {}, "Static evaluation"),
    ...evaluation(analysis),
    h("h3", {}, "Alpha-beta search"),
    ...(isSearching ? [h("p", { class: "faint" }, "Searching…")] : search(analysis, module)),
    ...(analysis.legal_moves.length ? [learnLink(position)] : []),
    ...command(analysis, position),
  ];
}

/**
 * Return the command of the search that is shown.
 * @param {Analysis} analysis
 * @param {PositionOptions} position
 */
function command({ search: found, legal_moves: legal }, { module, setup, moves, depth }) {
  if (!module || !legal.length || depth === null) return [];
  // A search that was stopped is that to the depth that it has reached.
  const shownDepth = found?.stopped ? found.max_depth : depth;
  return [
    h("h3", {}, "On the command line"),
    copyableText(module.commandLine(setup, moves, shownDepth), "the command"),
  ];
}

/** @param {Player} number */
const playerText = number => h("span", { class: `player-${number}` }, `Player ${number}`);

/**
 * @param {Analysis} analysis
 * @returns {Child}
 */
function turnText({ player, legal_moves: legal }) {
  if (!legal.length) return "The game is over";
  return [playerText(player), ` to move, ${count(legal.length, "legal move")}`];
}

/**
 * @param {Analysis} analysis
 * @param {GameInfo} game
 * @returns {Child}
 */
function winnerText(analysis, game) {
  const { player, winner, winning_moves: winning, legal_moves: legal, search: found } = analysis;
  if (!legal.length) return winner ? [playerText(winner), " has won."] : "It is a draw.";
  if (!game.is_solved) {
    const proven = winner ?? found?.winner;
    if (proven) return [playerText(proven), " wins with perfect play: the game is decided."];
    return "The winner is unknown: this game has no solver, and the search has not seen the end.";
  }
  if (winner === null || winning === null) {
    return "The winner is unknown: the solver ran out of time.";
  }
  if (winner !== player) return [playerText(winner), " wins against any move with perfect play."];
  const share = h("b", {}, `${winning.length} of ${count(legal.length, "move")}`);
  return [playerText(winner), " wins with perfect play, by ", share, ": ★."];
}

/**
 * @param {Analysis} analysis
 * @param {PositionOptions} position
 */
function legalMoves({ legal_moves: legal, winning_moves }, position) {
  const { module, setup, moves, isListed, onMove } = position;
  const winning = new Set(winning_moves);
  const sorted = [...legal].sort((one, two) => Number(winning.has(two)) - Number(winning.has(one)));
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  for (const move of sorted) {
    const meaning = module?.describeMove(setup, moves, move) ?? "";
    const relation = [winning.has(move) && "wins", meaning].filter(Boolean).join(", ");
    const group = groups.get(relation) ?? [];
    group.push(move);
    groups.set(relation, group);
  }
  /** @param {number} move */
  const button = move => {
    const isWinning = winning.has(move);
    const properties = {
      type: "button",
      class: isWinning ? "wins" : null,
      onclick: () => onMove(move),
    };
    const mark = isWinning && [" ✓", h("span", { class: "hidden-text" }, " wins")];
    return h("button", properties, moveText(module, move), mark);
  };
  const lists = [...groups].map(([relation, group]) => {
    const items = group.slice(0, MAX_MOVES).map(move => h("li", {}, button(move)));
    const hidden = group.length - MAX_MOVES;
    return [
      h("span", { class: "hint" }, relation),
      h("ul", { role: "list" }, items),
      hidden > 0 && h("p", { class: "hint" }, `and ${hidden.toLocaleString("en")} more`),
    ];
  });
  const list = h("div", { class: "legal-moves" }, lists);
  return h("details", { open: isListed }, h("summary", {}, "Legal moves by kind"), list);
}

/** @param {Analysis} analysis */
function evaluation({ value, explanation }) {
  if (value === null) return [h("p", { class: "faint" }, "This game has no evaluation.")];
  return [
    h("p", {}, h("b", { class: "value" }, decimal(value)), " for player 1"),
    h("p", { class: "faint" }, explanation),
  ];
}

/**
 * @param {Analysis} analysis
 * @param {GameModule | null} module
 */
function search({ search: found, search_error: error, legal_moves: legal }, module) {
  if (error) return [h("p", { class: "warning" }, `There is no result: ${error}.`)];
  if (!found) {
    const reason = legal.length ? "No search depth is set." : "There is no legal move to search.";
    return [h("p", { class: "faint" }, reason)];
  }
  const { depth, stopped } = found;
  const depthText = depth ? `Depth: ${count(depth, "ply", "plies")}.` : "To the end of the game.";
  const rows = [
    ["Move", moveText(module, found.move)],
    ["Value", decimal(found.value)],
    ["Nodes visited", found.nodes_visited.toLocaleString("en")],
    ["Nodes evaluated", found.nodes_evaluated.toLocaleString("en")],
    ["Max depth reached", found.max_depth],
    ["Effective branching factor", decimal(found.branching_factor)],
  ];
  const warning = stopped && `The search was stopped early: ${LIMITS[stopped] ?? stopped} reached.`;
  return [
    h("p", { class: "faint" }, depthText),
    ...(warning ? [h("p", { class: "warning" }, warning)] : []),
    h(
      "dl",
      {},
      rows.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]),
    ),
  ];
}

/** @param {PositionOptions} position */
function learnLink({ game, setup, moves }) {
  const start = { game: game.name, setup, moves, depth: DEFAULT_DEPTH, variant: DEFAULT_VARIANT };
  return h("p", {}, h("a", { href: stepAddress(start, 0) }, "See a search step by step"));
}

/**
 * Write a value of an evaluation.
 * @param {number} value
 */
export const decimal = value =>
  value
    .toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 2 })
    .replace("-", "−");
