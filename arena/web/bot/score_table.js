// Tables of a bot's scores, each with the share of the points and its interval as a drawing.
import { h, s } from "../dom.js";

/** @import { BothSides, BotScore, Child } from "../types.js" */

/**
 * A row of a table; `href` leads to its matches.
 * @typedef {{ name: Child, href?: string, score: BotScore, others?: Child[] }} ScoreRow
 */

const WIDTH = 130; // pixels of a drawing
const MARGIN = 6; // pixels on each side
const NO_SCORE = ".";

/** @param {BotScore} score */
export const playedIn = ([won, drawn, lost]) => won + drawn + lost;

/** @param {BotScore} score */
const shareOf = score => (score[0] + score[1] / 2) / playedIn(score);

/** @param {number} share */
const percent = share => Math.round(100 * share);

/**
 * "58 %", a dot without matches.
 * @param {BotScore} score
 */
export const shareText = score => (playedIn(score) ? `${percent(shareOf(score))} %` : NO_SCORE);

/**
 * "51–65 %", a dot without matches.
 * @param {BotScore} score
 */
export const intervalText = ([, , , low, high]) =>
  low === null || high === null ? NO_SCORE : `${percent(low)}–${percent(high)} %`;

/**
 * Scores as player 1 and as player 2, as the last two cells of a row.
 * @param {BothSides} sides
 */
export const sideTexts = ({ first, second }) => [shareText(first), shareText(second)];

/**
 * Return a table of scores, in a region that can be scrolled sideways.
 * @param {string} label
 * @param {string} name the head of the first column
 * @param {ScoreRow[]} rows
 * @param {string[]} others the heads of further columns
 */
export function scoreTable(label, name, rows, others = []) {
  const hasDraws = rows.some(({ score }) => score[1]);
  const results = ["Won", ...(hasDraws ? ["Drawn"] : []), "Lost"];
  const interval = h("abbr", { title: INTERVAL }, "95 %");
  const heads = ["Matches", "Score", interval, drawAxis(), ...results, ...others];
  const region = {
    class: "wide card score-frame",
    role: "region",
    tabindex: 0,
    "aria-label": label,
  };
  return h(
    "div",
    region,
    h(
      "table",
      { class: "scores" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head(name, "name"),
          heads.map(text => head(text)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map(row => scoreRow(row, hasDraws)),
      ),
    ),
  );
}

const INTERVAL =
  "95 % interval of the share of the points by Wilson, as if the matches were independent:" +
  " repeated games make it too narrow";

/**
 * @param {Child} content
 * @param {string} [kind]
 */
const head = (content, kind) => h("th", { scope: "col", class: kind }, content);

/**
 * @param {ScoreRow} row
 * @param {boolean} hasDraws
 */
function scoreRow({ name, href, score, others = [] }, hasDraws) {
  const [won, drawn, lost] = score;
  const played = playedIn(score).toLocaleString("en");
  const matches = href ? h("a", { href }, played) : played;
  const results = [won, ...(hasDraws ? [drawn] : []), lost].map(number =>
    number.toLocaleString("en"),
  );
  const shares = [shareText(score), intervalText(score)];
  return h(
    "tr",
    {},
    h("th", { scope: "row", class: "name" }, name),
    [matches, ...shares].map(text => h("td", {}, text)),
    h("td", { class: "share" }, drawShare(score)),
    [...results, ...others].map(text => h("td", {}, text)),
  );
}

/** @param {number} share */
const x = share => MARGIN + (WIDTH - 2 * MARGIN) * share;

function drawAxis() {
  const properties = {
    viewBox: `0 0 ${WIDTH} 20`,
    role: "img",
    "aria-label": "Share of the points with its 95 % interval, from 0 to 100 %",
  };
  const ticks = [0, 0.5, 1].map(tick =>
    s(
      "text",
      { x: x(tick), y: 14, "text-anchor": ["start", "middle", "end"][2 * tick] },
      percent(tick),
    ),
  );
  return s("svg", properties, ticks);
}

/** @param {BotScore} score */
function drawShare(score) {
  const [, , , low, high] = score;
  const rule = s("path", { class: "zero", d: `M${x(0.5)} 0v24` });
  const properties = { viewBox: `0 0 ${WIDTH} 24`, "aria-hidden": "true" };
  if (low === null || high === null) return s("svg", properties, rule);
  const span = s("path", { class: "span", d: `M${x(low)} 12H${x(high)}` });
  const dot = s("circle", { class: "dot", cx: x(shareOf(score)), cy: 12, r: 4 });
  return s("svg", properties, rule, span, dot);
}
