// The module that knows a game: its rules and its board.

/**
 * The module of a game, null where there is none. Names come from outside: only those of the
 * arena's games are ever loaded.
 */
export async function loadBoard(name, about) {
  if (!/^[a-z_]+$/.test(name) || !about?.games.some(game => game.name === name)) return null;
  try {
    return await import(`/boards/${name}.js`);
  } catch {
    return null;
  }
}

/** How a move is written, by a game's module or without one. */
export const moveName = (module, move) => module?.moveName(move) ?? String(move);
