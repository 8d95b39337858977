// The modules of the games: rules, notation and board.

/** @import { ArenaInfo, GameModule } from "./types.js" */

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
