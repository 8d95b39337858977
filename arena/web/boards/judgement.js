// What a move does to a won position, as sentences.

import { moveText } from "./game_modules.js";

/** @import { GameModule } from "../types.js" */

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
