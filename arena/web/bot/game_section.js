// A bot in one game: rating, rank, results by side and opponent, and its latest matches.

import { count, h, skeleton } from "../dom.js";
import { eloText, marginText, percentText, TERMINATIONS } from "../format.js";
import { botLink, matchesAddress } from "../links.js";
import { Plots } from "../standings/plots.js";
import { recentPlay } from "./recent_play.js";
import { intervalText, playedIn, scoreTable, shareText, sideTexts } from "./score_table.js";

/** @import { BotStanding, Child } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const LINES = 8; // of a part that is being loaded
const SIDES = /** @type {const} */ ([
  ["Both", "score"],
  ["As player 1", "first"],
  ["As player 2", "second"],
]);

/** The section of a game. */
export class GameSection {
  #bot;
  #game;
  #title;
  #connection;
  #signal;
  #numbers = h("dl", { class: "bot-numbers" });
  #sides = h("div");
  #parts = h("div", { class: "bot-parts" });
  /** @type {Element[]} what the latest matches show */
  #recent = [h("section", {}, skeleton(LINES, "Loading the latest matches…"))];
  #opponents = h("div");
  #plots;
  #asked = ""; // the numbers of matches when the latest ones were asked for

  /**
   * @param {string} bot
   * @param {string} game
   * @param {string} title
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(bot, game, title, connection, signal) {
    this.#bot = bot;
    this.#game = game;
    this.#title = title;
    this.#connection = connection;
    this.#signal = signal;
    this.#plots = new Plots({ game, bot }, "Rating over time", connection, signal);
    this.#plots.element.open = true;
    this.#parts.append(
      this.#plots.element,
      h("section", {}, h("h3", {}, "By side"), this.#sides),
      h("section", { class: "bot-row" }, h("h3", {}, "Head to head"), this.#opponents),
      ...this.#recent,
    );
    const heading = h("h2", {}, title);
    this.element = h("section", { class: "bot-game" }, heading, this.#numbers, this.#parts);
  }

  /** Whether moves of the game can be judged. */
  get #isSolved() {
    const games = this.#connection.arena?.games ?? [];
    return games.some(({ name, is_solved: isSolved }) => name === this.#game && isSolved);
  }

  /** The beginning of the names of tables. */
  get #label() {
    return `Results of ${this.#bot} in ${this.#title}`;
  }

  /** @param {BotStanding} standing */
  update(standing) {
    const { score, judged } = standing;
    this.#plots.update(standing.matches);
    // Nothing is replaced under the focus: the next update shows it.
    if (this.#asked && this.element.contains(document.activeElement)) return;
    this.#numbers.replaceChildren(...numbers(this.#bot, standing, this.#isSolved));
    this.#sides.replaceChildren(sidesTable(this.#label, standing));
    this.#opponents.replaceChildren(...opponentsTable(this.#bot, this.#label, standing));
    const state = [...score, judged].join();
    if (state !== this.#asked) this.#ask(standing, state);
  }

  /**
   * @param {BotStanding} standing
   * @param {string} state
   */
  async #ask({ forfeits }, state) {
    this.#asked = state;
    const question = { bot: this.#bot, game: this.#game };
    try {
      const found = await this.#connection.ask("find_bot_matches", question);
      if (this.#signal.aborted) return;
      this.#showRecent(recentPlay(found, this.#title, forfeits.timeout ?? 0));
    } catch (error) {
      this.#asked = ""; // the next update asks again
      if (this.#signal.aborted) return;
      const { message } = /** @type {Error} */ (error);
      this.#showRecent([h("p", { class: "faint", role: "status" }, message)]);
    }
  }

  /** @param {Element[]} elements */
  #showRecent(elements) {
    for (const element of this.#recent) element.remove();
    this.#recent = elements;
    this.#parts.append(...elements);
  }
}

/**
 * @param {string} bot
 * @param {BotStanding} standing
 * @param {boolean} isSolved
 */
function numbers(bot, standing, isSolved) {
  const { game, elo, margin, rank, is_shared, rated, score, ...others } = standing;
  const [won, drawn, lost] = score;
  const results = [`${won} won`, drawn > 0 && `${drawn} drawn`, `${lost} lost`];
  const matches = count(playedIn(score), "match", "matches");
  const { accuracy, judged, forfeits } = others;
  return [
    fact("Rating", `${eloText(elo)} Elo`, margin !== null && ` ± ${marginText(margin)} (95 %)`),
    fact("Rank", `${is_shared ? "=" : ""}${rank}`, ` of ${rated}`),
    fact(
      "Results",
      h("a", { href: matchesAddress({ bot, game }) }, matches),
      `: ${results.filter(Boolean).join(", ")}`,
    ),
    fact("Score", shareText(score), ` (95 %: ${intervalText(score)})`),
    isSolved &&
      fact("Accuracy", accuracyText(accuracy), judged > 0 && ` in ${analysedText(judged)}`),
    fact("Forfeits", forfeitText(forfeits)),
  ].filter(part => part instanceof Node);
}

/**
 * @param {string} name
 * @param {Child} value
 * @param {Child} [details]
 */
const fact = (name, value, details) =>
  h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, value), details));

/** @param {number | null} accuracy */
const accuracyText = accuracy => (accuracy === null ? "unknown" : percentText(accuracy));

/** @param {number} judged */
const analysedText = judged => count(judged, "analysed match", "analysed matches");

/** @param {Record<string, number>} forfeits */
function forfeitText(forfeits) {
  const parts = Object.entries(forfeits).map(
    ([termination, number]) => `${number} ${TERMINATIONS[termination] ?? termination}`,
  );
  return parts.join(", ") || "none";
}

/**
 * @param {string} label
 * @param {BotStanding} standing
 */
function sidesTable(label, standing) {
  const rows = SIDES.map(([name, side]) => ({ name, score: standing[side] }));
  return scoreTable(`${label} by side`, "Side", rows);
}

/**
 * @param {string} bot
 * @param {string} label
 * @param {BotStanding} standing
 */
function opponentsTable(bot, label, { game, opponents, omitted }) {
  const rows = opponents.map(({ bot: opponent, elo, score, forfeits, ...sides }) => ({
    name: botLink(opponent),
    href: matchesAddress({ bot, opponent, game }),
    score,
    others: [...sideTexts({ score, ...sides }), eloText(elo), forfeits || "."],
  }));
  const heads = ["Player 1", "Player 2", "Elo", "Forfeits of both"];
  const rest = `${count(omitted, "opponent")} with fewer matches not shown.`;
  return [
    scoreTable(`${label} against each opponent`, "Opponent", rows, heads),
    ...(omitted ? [h("p", { class: "faint" }, rest)] : []),
  ];
}
