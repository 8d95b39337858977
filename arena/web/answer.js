// What there is to say of a position, as elements.
import { count, h } from "/dom.js";
import { moveName } from "/boards.js";
import { copyable } from "/words.js";

const STOPPED = { nodes: "it had visited as many nodes as it may", seconds: "it had taken as long as it may" };

/** The parts of an answer; `onmove` is told of a move that is chosen from it. */
export function answerOf(answer, { game, module, setup, moves, isSearching, onmove }) {
  const name = move => moveName(module, move);
  return [
    h("h2", {}, turnWords(answer)),
    h("p", { class: "perfect" }, perfectWords(answer, game)),
    answer.legal_moves.length > 0 && legalMoves(answer, { module, setup, moves, name, onmove }),
    h("h3", {}, "Static evaluation"),
    h("p", {}, h("b", { class: "value" }, valueWords(answer.value)), " for player 1"),
    h("p", { class: "faint explanation" }, answer.explanation),
    h("h3", {}, "Alpha-beta search"),
    ...search(answer, isSearching, name),
    module && h("h3", {}, "On the command line"),
    module && copyable(module.commandLine(setup, moves), "the command"),
  ].filter(Boolean);
}

const player = number => h("span", { class: `player-${number}` }, `Player ${number}`);

function turnWords({ player: mover, legal_moves: legal }) {
  if (legal.length) return [player(mover), ` to move, ${count(legal.length, "legal move")}`];
  return [player(mover), " cannot move: ", player(3 - mover), " has won"];
}

function perfectWords({ player: mover, winner, winning_moves: winning, legal_moves: legal }, game) {
  if (!legal.length) return "The game is over.";
  if (!game?.is_solved) return "Nobody knows who wins: this game has no solver.";
  if (winner === null || winning === null) return "Who wins is not known: the solver took too long.";
  if (winner !== mover) return [player(winner), " wins under perfect play, whatever the move."];
  return [player(winner), " wins under perfect play, with ", h("b", {}, `${winning.length} of ${count(legal.length, "move")}`), "."];
}

function legalMoves({ legal_moves: legal, winning_moves: winning }, { module, setup, moves, name, onmove }) {
  const wins = new Set(winning);
  const groups = new Map();
  for (const move of legal) {
    const relation = module?.relation(setup, moves, move) ?? "";
    groups.set(relation, [...groups.get(relation) ?? [], move]);
  }
  return h("div", { class: "legal-moves" }, [...groups].map(([relation, group]) => [
    relation && h("p", { class: "hint" }, relation),
    h("ul", { role: "list" }, group.map(move => h("li", {},
      h("button", { type: "button", class: wins.has(move) ? "wins" : null, onclick: () => onmove(move) },
        name(move), wins.has(move) && h("span", {}, " ✓", h("span", { class: "hidden-text" }, " wins")))))),
  ]));
}

function search({ search: found, legal_moves: legal }, isSearching, name) {
  if (isSearching) return [h("p", { class: "faint searching" }, "Searching…")];
  if (!found) return [h("p", { class: "faint" }, legal.length ? "None was asked for." : "There is no move to search for.")];
  const rows = [
    ["Move", name(found.move)],
    ["Value", valueWords(found.value)],
    ["Nodes visited", found.nodes_visited.toLocaleString("en")],
    ["Nodes evaluated", found.nodes_evaluated.toLocaleString("en")],
    ["Max depth reached", found.max_depth],
    ["Effective branching factor", valueWords(found.branching_factor)],
  ];
  return [
    h("p", { class: "faint" }, found.depth ? `To a depth of ${count(found.depth, "ply", "plies")}.` : "To the end of the game."),
    found.stopped && h("p", { class: "warning" }, `It was stopped early: ${STOPPED[found.stopped] ?? found.stopped}.`),
    h("dl", {}, rows.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)])),
  ];
}

/** A number with at least one decimal, as the command line has it, and with no more than two. */
function valueWords(value) {
  if (value === null) return "unknown";
  return value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 2 }).replace(/^-/, "−");
}
