// What the latest matches of a bot show: results by setup, lost wins, times and infos.

import { count, h } from "../dom.js";
import { setupText } from "../format.js";
import { botLink, matchesAddress } from "../links.js";
import { scoreTable, sideTexts } from "./score_table.js";

/** @import { BotMatches, Child, LostWin, MoveTimes, Setup, SetupScore } from "../types.js" */

const OUTCOMES = { won: "but won", lost: "and lost", draw: "and drew" };

/**
 * Return the elements of the answer.
 * @param {BotMatches} found
 * @param {string} title of the game
 * @param {number} onTime the number of matches that the bot has lost on time
 */
export function recentPlay(found, title, onTime) {
  const { bot, game, matches, omitted, setups, lost_wins: lostWins, judged } = found;
  if (!matches) {
    const text = "None of the arena's latest matches are its own.";
    return [part("By setup", h("p", { class: "faint" }, text))];
  }
  const ordered = [...setups].sort((one, other) => compareSetups(one.setup, other.setup));
  const rows = ordered.map(row => setupRow(bot, game, row));
  const label = `Results of ${bot} in ${title} by setup`;
  const rest = omitted > 0 && `${count(omitted, "rarer setup")} not shown.`;
  return [
    part(
      "By setup",
      h("p", { class: "faint" }, `${count(matches, "match", "matches")}, the latest ones. `, rest),
      scoreTable(label, "Setup", rows, ["Player 1", "Player 2"]),
    ),
    part("Wins given up", lostWinElements(lostWins, judged)),
    part("Moves", moveElements(found, onTime)),
  ];
}

/**
 * @param {string} title
 * @param {...Child} children
 */
const part = (title, ...children) => h("section", {}, h("h3", {}, title), children);

/**
 * Order setups by the values of their parameters.
 * @param {Setup} one
 * @param {Setup} other
 */
function compareSetups(one, other) {
  for (const [name, value] of Object.entries(one)) {
    if (value !== other[name]) return value - (other[name] ?? 0);
  }
  return 0;
}

/**
 * @param {string} bot
 * @param {string} game
 * @param {SetupScore} row
 */
const setupRow = (bot, game, { setup, score, ...sides }) => ({
  name: setupText(setup) || "the only one",
  href: matchesAddress({ bot, game }, setup),
  score,
  others: sideTexts({ score, ...sides }),
});

/**
 * @param {LostWin[]} lostWins
 * @param {number} judged
 */
function lostWinElements(lostWins, judged) {
  const analysed = count(judged, "analysed match", "analysed matches");
  if (!judged) {
    return [h("p", { class: "faint" }, "None of its latest matches have been analysed yet.")];
  }
  if (!lostWins.length) {
    return [h("p", {}, `It gave up no won position in its latest ${analysed}.`)];
  }
  return [
    h(
      "p",
      { class: "faint" },
      `The worst of its latest ${analysed}; links lead to the last such move.`,
    ),
    h("ol", { class: "lost-wins" }, lostWins.map(lostWinRow)),
  ];
}

/** @param {LostWin} lost */
function lostWinRow({ match, opponent, setup, blunders, ply, outcome }) {
  const times = blunders === 1 ? "once" : `${blunders} times`;
  const href = `#/match/${match}/${ply + 1}`;
  const setupPart = setupText(setup);
  return h(
    "li",
    {},
    h("a", { href }, `Match ${match}, move ${ply + 1}`),
    ": gave up the win ",
    times,
    " against ",
    botLink(opponent),
    setupPart && ` (${setupPart})`,
    `, ${OUTCOMES[outcome]}`,
  );
}

/**
 * @param {BotMatches} found
 * @param {number} onTime
 */
function moveElements({ bot, game, latest, times, reported }, onTime) {
  const losses = onTime
    ? h(
        "a",
        { href: matchesAddress({ bot, game, outcome: "lost", ending: "timeout" }) },
        count(onTime, "match", "matches"),
      )
    : "no match";
  return [
    times && h("p", {}, timeParts(times, latest)),
    h("p", {}, "Lost on time: ", losses, "."),
    reported && h("p", {}, reportText(reported)),
  ];
}

/**
 * @param {MoveTimes} times
 * @param {number} latest
 */
const timeParts = ({ moves, median_ms: median, longest_ms: longest, match, ply }, latest) => [
  `Time for a move: ${durationText(median)} in the median, ${durationText(longest)} at most (`,
  h("a", { href: `#/match/${match}/${ply + 1}` }, `match ${match}, move ${ply + 1}`),
  `), in ${count(moves, "move")} of the latest ${count(latest, "match", "matches")}.`,
];

/** @param {NonNullable<BotMatches["reported"]>} reported */
function reportText({ moves, depth, nodes }) {
  const parts = [
    depth !== null && `depth ${depth}`,
    nodes !== null && `${nodes.toLocaleString("en")} nodes`,
  ].filter(Boolean);
  const medians = parts.length ? `: ${parts.join(" and ")} in the median` : "";
  return `It reported its search with ${count(moves, "move")}${medians}. Nobody checks that.`;
}

/**
 * Format a duration with two digits: "1.2 s", "340 ms", "below 0.1 ms".
 * @param {number} ms
 */
function durationText(ms) {
  if (ms < 0.1) return "below 0.1 ms";
  const [number, unit] = ms >= 999.5 ? [ms / 1000, "s"] : [ms, "ms"];
  return `${Number(number.toPrecision(2)).toLocaleString("en")} ${unit}`;
}
