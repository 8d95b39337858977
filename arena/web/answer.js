// What there is to say of a position, as elements.
import { moveName } from "/boards.js";
import { count, h } from "/dom.js";
import { copyable } from "/words.js";

const MOST = 500; // legal moves that are shown of each kind
const LIMITS = { nodes: "it had visited as many nodes as it may", seconds: "its time was up" };

/** The parts of an answer; `onmove` is told of a move that is chosen from it. */
export function answerOf(answer, { game, module, setup, moves, isSearching, onmove }) {
  return [
    h("h2", {}, turnWords(answer)),
    h("p", {}, perfectWords(answer, game)),
    legalMoves(answer, { module, setup, moves, onmove }),
    h("h3", {}, "Static evaluation"),
    h("p", {}, h("b", { class: "value" }, decimal(answer.value)), " for player 1"),
    h("p", { class: "faint" }, answer.explanation),
    h("h3", {}, "Alpha-beta search"),
    ...isSearching ? [h("p", { class: "faint" }, "Searching…")] : search(answer, module),
    ...module ? [h("h3", {}, "On the command line"), copyable(module.commandLine(setup, moves), "the command")] : [],
  ];
}

const player = number => h("span", { class: `player-${number}` }, `Player ${number}`);

function turnWords({ player: mover, legal_moves: legal }) {
  return legal.length ? [player(mover), ` to move, ${count(legal.length, "legal move")}`] : [player(mover), " cannot move"];
}

function perfectWords({ player: mover, winner, winning_moves: winning, legal_moves: legal }, game) {
  if (!legal.length) return [player(3 - mover), " has won."];
  if (!game.is_solved) return "Nobody knows who wins: this game has no solver.";
  if (winner === null || winning === null) return "Who wins is not known: the solver took too long.";
  if (winner !== mover) return [player(winner), " wins under perfect play, whatever the move."];
  return [player(winner), " wins under perfect play, with ", h("b", {}, `${winning.length} of ${count(legal.length, "move")}`), "."];
}

function legalMoves({ legal_moves: legal, winning_moves: winning }, { module, setup, moves, onmove }) {
  const wins = new Set(winning), groups = new Map();
  for (const move of legal) {
    const relation = module?.relation(setup, moves, move) ?? "";
    if (!groups.has(relation)) groups.set(relation, []);
    groups.get(relation).push(move);
  }
  const button = move => h("button", { type: "button", class: wins.has(move) ? "wins" : null, onclick: () => onmove(move) },
    moveName(module, move), wins.has(move) && [" ✓", h("span", { class: "hidden-text" }, " wins")]);
  return h("div", { class: "legal-moves" }, [...groups].map(([relation, group]) =>
    [
      h("span", { class: "hint" }, relation),
      h("ul", { role: "list" }, group.slice(0, MOST).map(move => h("li", {}, button(move)))),
      group.length > MOST && h("p", { class: "hint" }, `and ${(group.length - MOST).toLocaleString("en")} more`),
    ]));
}

function search({ search: found, legal_moves: legal }, module) {
  if (!found) return [h("p", { class: "faint" }, legal.length ? "None was asked for." : "There is no move to search for.")];
  const rows = [
    ["Move", moveName(module, found.move)],
    ["Value", decimal(found.value)],
    ["Nodes visited", found.nodes_visited.toLocaleString("en")],
    ["Nodes evaluated", found.nodes_evaluated.toLocaleString("en")],
    ["Max depth reached", found.max_depth],
    ["Effective branching factor", decimal(found.branching_factor)],
  ];
  return [
    h("p", { class: "faint" }, found.depth ? `To a depth of ${count(found.depth, "ply", "plies")}.` : "To the end of the game."),
    found.stopped ? h("p", { class: "warning" }, `It was stopped early: ${LIMITS[found.stopped] ?? found.stopped}.`) : "",
    h("dl", {}, rows.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)])),
  ];
}

const decimal = value => value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 2 }).replace("-", "−");
