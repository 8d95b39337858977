// The clocks that a challenge can have.
import { timeControlText } from "../format.js";

const DEFAULT = "3600/move"; // what the arena makes of a challenge without a time control

/** Time controls in the syntax of a challenge, and their meanings. */
export const TIME_CONTROLS = [
  ["", "no clock: up to an hour for each move"],
  ["60+0", "1 minute"],
  ["180+2", "3 minutes + 2 s a move"],
  ["600+5", "10 minutes + 5 s a move"],
  ["20/move", "20 s for each move"],
];

/**
 * Describe a time control, as the form of a challenge does: "3 minutes + 2 s a move".
 * @param {string} time
 */
export function describeTime(time) {
  const chosen = time === DEFAULT ? "" : time;
  return TIME_CONTROLS.find(([value]) => value === chosen)?.[1] ?? timeControlText(time);
}
