// The modules of the games, and what they say about moves.

/** @import { ArenaInfo, GameModule, Setup } from "../types.js" */

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

// What is being loaded, by game: while a module waits for its style sheet, a second import of it gets
// it unfinished in WebKit.
/** @type {Map<string, Promise<any>>} */
const loading = new Map();

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
    const module = await (loading.get(name) ?? load(name));
    const missing = EXPORTS.filter(needed => typeof module[needed] !== "function");
    if (missing.length) throw new Error(`board.js does not export ${missing.join(", ")}`);
    return module;
  } catch (error) {
    console.error(`The board of ${name} cannot be loaded:`, error);
    return null;
  }
}

/**
 * @param {string} name
 * @returns {Promise<any>}
 */
function load(name) {
  const module = import(`/boards/${name}/board.js`).finally(() => loading.delete(name));
  loading.set(name, module);
  return module;
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

// What a move does to a won position, as sentences
/** Texts to choose from: "5", "5 or 7", "5, 7 or 9". */
export const CHOICE = new Intl.ListFormat("en-GB", { type: "disjunction" });

/**
 * @param {GameModule | null} module
 * @param {number[]} moves
 */
export const choiceText = (module, moves) =>
  CHOICE.format(moves.map(move => moveText(module, move)));

/**
 * @param {GameModule | null} module
 * @param {number} move
 */
export const keepsText = (module, move) => `${moveText(module, move)} keeps the win.`;

/**
 * @param {GameModule | null} module
 * @param {number} move
 * @param {string} [why]
 */
export const givesUpText = (module, move, why) =>
  `${moveText(module, move)} gives up the win${why ? `: ${why}` : ""}.`;
