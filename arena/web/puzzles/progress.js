// The results of puzzles, which stay in this browser.

import { load, remove, save } from "../storage.js";

/** @typedef {"solved" | "helped" | "failed"} PuzzleResult */
/** @typedef {{ results: Record<string, PuzzleResult>, streak: number, best: number }} Progress */

const KEY = "puzzles";
const MOST = 2000; // results, of which the oldest are dropped
const RESULTS = ["solved", "helped", "failed"];

/**
 * Return the stored progress; what is no progress, as of a later version, counts as none.
 * @returns {Progress}
 */
export function loadProgress() {
  try {
    const { results, streak, best } = JSON.parse(load(KEY) ?? "");
    const entries = Object.entries(results).filter(([, result]) => RESULTS.includes(result));
    if (![streak, best].every(Number.isSafeInteger)) throw new Error("no numbers");
    return { results: Object.fromEntries(entries), streak, best };
  } catch {
    return { results: {}, streak: 0, best: 0 };
  }
}

/**
 * Note the result of a puzzle, unless it has one: the first attempt counts.
 *
 * A solved puzzle makes the streak longer, one solved with a hint leaves it, a failed one ends it.
 * @param {string} puzzle
 * @param {PuzzleResult} result
 */
export function noteResult(puzzle, result) {
  const { results, streak, best } = loadProgress();
  if (results[puzzle]) return;
  const entries = [...Object.entries(results), [puzzle, result]].slice(-MOST);
  const next = { solved: streak + 1, helped: streak, failed: 0 }[result];
  const progress = { results: Object.fromEntries(entries), streak: next };
  save(KEY, JSON.stringify({ ...progress, best: Math.max(best, next) }));
}

/** Forget all results. */
export const forgetProgress = () => remove(KEY);
