// The modules of the games: rules, notation and board.
import { MoveNames } from "./move_names.js";
import { SwitchedBoard } from "./switched_board.js";
import { TextBoard } from "./text_board.js";

/** @import { TextBoardOptions } from "./text_board.js" */
/** @import { ArenaInfo, Board, GameModule, Setup } from "../types.js" */

const EXPORTS = [
  "isDrawable",
  "legalMoves",
  "formatMove",
  "parseMove",
  "describeMove",
  "commandLine",
  "drawThumbnail",
  "Board",
];

/**
 * Load the module of a game, null if it has none, it fails or it lacks an export. Names come from
 * outside: only those of the arena's games are ever loaded.
 * @param {string} name
 * @param {ArenaInfo | null} arena
 * @returns {Promise<GameModule | null>}
 */
export async function loadGameModule(name, arena) {
  const game = arena?.games.find(known => known.name === name);
  if (!game?.has_board || !/^[a-z0-9_]+$/.test(name)) return null;
  try {
    const module = await import(`/boards/${name}/board.js`);
    const missing = EXPORTS.filter(needed => typeof module[needed] !== "function");
    if (missing.length) throw new Error(`board.js does not export ${missing.join(", ")}`);
    return module;
  } catch (error) {
    console.error(`The board of ${name} cannot be loaded:`, error);
    return null;
  }
}

/**
 * Write a move in the notation of the game, or as its number without a module or if that fails.
 * @param {GameModule | null} module
 * @param {number} move
 */
export function moveText(module, move) {
  try {
    return module?.formatMove(move) ?? String(move);
  } catch (error) {
    console.error(`The move ${move} cannot be written:`, error);
    return String(move);
  }
}

/**
 * Read a move in the notation of the game, or as its number without a module.
 * @param {GameModule | null} module
 * @param {string} text
 */
export function parseMove(module, text) {
  if (module) return module.parseMove(text);
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text);
  throw new Error(`A move must be its name or its number, not “${text.trim()}”.`);
}

/**
 * Say why a move is illegal, by the rule if the game names it.
 * @param {GameModule | null} module
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number} move
 */
export const illegalText = (module, setup, moves, move) =>
  module?.explainIllegal?.(setup, moves, move) ?? `${moveText(module, move)} is not a legal move.`;

/**
 * Call a function with each illegal move that is chosen on a board.
 * @param {HTMLElement} board
 * @param {(move: number) => void} refuse
 */
export const onIllegal = (board, refuse) =>
  board.addEventListener("illegal", event =>
    refuse(/** @type {CustomEvent<number>} */ (event).detail),
  );

/**
 * Return the board of a game, or a board of text where the game has none for this setup or fails.
 * `onSwitch` is called when another view of the board is chosen; `names` are those of the match.
 * @param {GameModule | null} module
 * @param {Omit<TextBoardOptions, "names"> & { names?: MoveNames, onSwitch?: () => void }} options
 * @returns {Board}
 */
export function createBoard(module, options) {
  const { setup, onMove, onSwitch } = options;
  try {
    if (module?.isDrawable(setup)) {
      const { Board, Graph } = module;
      if (!Graph) return new Board(setup, { onMove });
      return new SwitchedBoard({ Board, Graph, setup, onMove, onSwitch });
    }
  } catch (error) {
    console.error(`The board of ${options.game} cannot be created:`, error);
  }
  return new TextBoard({ names: new MoveNames(move => moveText(module, move)), ...options });
}
