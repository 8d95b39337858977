// The modules of the games: rules, notation and board.
import { TextBoard } from "./text_board.js";

/** @import { TextBoardOptions } from "./text_board.js" */
/** @import { ArenaInfo, Board, GameModule } from "../types.js" */

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
  throw new Error(`A move must be a whole number, not “${text.trim()}”.`);
}

/**
 * Return the board of a game, or a board of text where the game has none for this setup or fails.
 * @param {GameModule | null} module
 * @param {Omit<TextBoardOptions, "format">} options
 * @returns {Board}
 */
export function createBoard(module, options) {
  try {
    if (module?.isDrawable(options.setup)) return new module.Board(options.setup, options);
  } catch (error) {
    console.error(`The board of ${options.game} cannot be created:`, error);
  }
  return new TextBoard({ ...options, format: move => moveText(module, move) });
}
