// The modules of the games: rules, notation and board.
import { TextBoard } from "./text_board.js";

/** @import { TextBoardOptions } from "./text_board.js" */
/** @import { ArenaInfo, Board, GameModule } from "../types.js" */

/**
 * Load the module of a game, null if it has none or it fails. Names come from outside: only those
 * of the arena's games are ever loaded.
 * @param {string} name
 * @param {ArenaInfo | null} arena
 * @returns {Promise<GameModule | null>}
 */
export async function loadGameModule(name, arena) {
  const game = arena?.games.find(known => known.name === name);
  if (!game?.has_board || !/^[a-z0-9_]+$/.test(name)) return null;
  try {
    return await import(`/boards/${name}/board.js`);
  } catch (error) {
    console.error(`The board of ${name} cannot be loaded:`, error);
    return null;
  }
}

/**
 * Write a move in the notation of the game, or as its number without a module.
 * @param {GameModule | null} module
 * @param {number} move
 */
export const moveText = (module, move) => module?.formatMove(move) ?? String(move);

/**
 * Read a move in the notation of the game, or as its number without a module.
 * @param {GameModule | null} module
 * @param {string} text
 */
export function parseMove(module, text) {
  if (module) return module.parseMove(text);
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text);
  throw new Error(`A move must be a whole number, not “${text.trim()}”.`);
}

/**
 * Return the board of a game, or a board of text where the game has none for this setup.
 * @param {GameModule | null} module
 * @param {Omit<TextBoardOptions, "format">} options
 * @returns {Board}
 */
export function createBoard(module, options) {
  if (module?.isDrawable(options.setup)) return new module.Board(options.setup, options);
  return new TextBoard({ ...options, format: move => moveText(module, move) });
}
