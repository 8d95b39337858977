// What a puzzle's page says beside the board.

import { moveText } from "../boards/game_modules.js";
import { copyButtons } from "../copy.js";
import { count, h, isolated } from "../dom.js";
import { analysisAddress } from "../links.js";
import { playOnButton, turnText } from "../play/opponents.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { PuzzleOptions } from "./puzzle_screen.js" */
/** @import { GameModule, PuzzleInfo } from "../types.js" */

export const LEVELS = ["Easy", "Medium", "Hard"];

/** @param {PuzzleInfo} puzzle */
export const puzzleKey = ({ match, moves }) => `${match}/${moves.length}`;

/** @param {PuzzleInfo} puzzle */
export const puzzleAddress = puzzle => `#/puzzles/${puzzleKey(puzzle)}`;

/**
 * "Hard: 1 of 7 moves wins, the match went on for 12 moves, and a search of 3 plies is wrong."
 * @param {PuzzleInfo} puzzle
 */
export function levelText(puzzle) {
  const { level, legal_moves: legal, winning_moves: winning, plies_left, misleads } = puzzle;
  const verb = winning.length > 1 ? "win" : "wins";
  const share = `${winning.length} of ${count(legal.length, "move")} ${verb}`;
  const length = `the match went on for ${count(plies_left, "move")}`;
  const parts = [share, length, misleads ? "a search of 3 plies is wrong" : ""].filter(Boolean);
  return `${LEVELS[level - 1]}: ${new Intl.ListFormat("en").format(parts)}.`;
}

/**
 * Return what is shown when a puzzle is over: the reason, and where it comes from.
 * @param {PuzzleOptions} options
 */
export function endElements({ puzzle, module, hasMatching, connection, signal }) {
  const { match, moves, game, setup } = puzzle;
  const position = { game, setup, moves };
  const links = [
    h("a", { class: "button", href: `#/match/${match}/${moves.length}` }, "Match"),
    h("a", { class: "button", href: analysisAddress(game, setup, { moves }) }, "Analysis"),
  ];
  return [
    reason(puzzle, hasMatching, connection),
    source(puzzle, module),
    h(
      "div",
      { class: "puzzle-buttons" },
      links,
      playOnButton(connection, () => position, signal),
    ),
    copyButtons([["Turn", () => turnText(position)]]).element,
  ];
}

/**
 * Say who has found or missed the win in the match.
 * @param {PuzzleInfo} puzzle
 * @param {GameModule | null} module
 */
function source({ match, players, player, played, winning_moves: winning }, module) {
  const verb = winning.includes(played) ? "found the win" : "missed the win";
  const name = h("span", { class: `player-${player}` }, isolated(players[player - 1]));
  return h("p", {}, `In match ${match}, `, name, ` ${verb} with ${moveText(module, played)}.`);
}

/**
 * Return the reason in words, as far as the game has one; it is filled in when the arena answers.
 * @param {PuzzleInfo} puzzle
 * @param {boolean} hasMatching
 * @param {SpectatorConnection} connection
 */
function reason({ game, setup, moves, player }, hasMatching, connection) {
  const text = `Player ${player} wins against every answer with perfect play.`;
  const element = h("div", {}, h("h2", {}, "Why"), h("p", {}, text));
  /** @param {string[]} sentences */
  const fill = sentences =>
    element.replaceChildren(h("h2", {}, "Why"), ...sentences.map(line => h("p", {}, line)));
  if (hasMatching) {
    connection.ask("find_matching", { game, setup, moves }).then(
      ({ sentences }) => fill(sentences),
      () => {}, // the general sentence remains
    );
  }
  return element;
}
