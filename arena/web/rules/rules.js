// The view of the rules: a match to learn them, the marks on the page, and common questions.
import { loadGameModule } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { LessonMatch } from "./lesson.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, GameInfo, GameModule, ViewOptions, Child } from "../types.js" */

/**
 * Show #/rules, or #/rules/GAME for another game than the first one.
 * @param {ViewOptions} options
 */
export function view({ main, connection, parameters: [name], signal }) {
  const section = h("section", { class: "card lesson-card", "aria-label": "The rules" });
  const page = h("div", { class: "rules" }, section, h("div", {}, legend(), questions()));
  main.append(h("h1", { class: "hidden-text" }, "Rules"), page);
  const open = () =>
    connection.arena && showGame(section, connection, connection.arena, name, signal);
  if (connection.arena) open();
  else connection.addEventListener("about", open, { once: true, signal });
}

/**
 * Show the lesson of a game, and links to those of the others.
 * @param {HTMLElement} section
 * @param {SpectatorConnection} connection
 * @param {ArenaInfo} arena
 * @param {string | undefined} name
 * @param {AbortSignal} signal
 */
async function showGame(section, connection, arena, name, signal) {
  const game = arena.games.find(known => known.name === name) ?? arena.games[0];
  const module = await loadGameModule(game.name, arena);
  if (signal.aborted) return;
  const links = arena.games.map(({ name: other, title }) => {
    const current = other === game.name ? "page" : null;
    return h("a", { class: "button", href: `#/rules/${other}`, "aria-current": current }, title);
  });
  section.replaceChildren(
    h("nav", { class: "game-links", "aria-label": "Games" }, links.length > 1 && links),
    h("h2", {}, `${game.title} in twenty seconds`),
    ...lessonElements(game, module, connection, signal),
  );
}

/**
 * Return the rules in sentences and the match.
 * @param {GameInfo} game
 * @param {GameModule | null} module
 * @param {SpectatorConnection} connection
 * @param {AbortSignal} signal
 */
function lessonElements(game, module, connection, signal) {
  if (!module?.lesson) return [h("p", {}, "This game brings no lesson.")];
  const { lesson } = module;
  const sentences = lesson.rules.map(rule => h("li", {}, rule));
  const match = new LessonMatch({ game, module, lesson, connection, signal });
  return [h("ol", {}, sentences), h("p", { class: "hint" }, "Try it: you begin."), match.element];
}

// The marks on the page and what they mean, and answers to common questions

/** @param {string} kind */
const sample = (kind, text = "") =>
  h("span", { class: `sample ${kind}`, "aria-hidden": "true" }, text);
/** @param {string} kind */
const stripe = kind => h("span", { class: `stripe ${kind}`, "aria-hidden": "true" });
/** @param {string} text */
const badge = text => h("span", { class: "badge" }, text);

/** @type {[mark: () => Child, meaning: string][]} */
const MARKS = [
  [() => h("span", { class: "player-1" }, "Player 1"), "makes the first move of the match"],
  [() => h("span", { class: "player-2" }, "Player 2"), "makes the second one"],
  [() => [sample("legal"), "rim, dot"], "a legal move"],
  [() => "÷ ×", "a factor or a multiple of the stone taken last"],
  [() => [sample("last"), "ring"], "the last move"],
  [() => [sample("winning", "★"), "star"], "a move that wins with perfect play"],
  [() => [sample("hint", "!"), "hint"], "the moves that a hint names"],
  [() => "thick line", "on a graph: partners in a maximum matching, of which the winner takes one"],
  [() => h("b", { class: "bad" }, "??"), "a blunder: the opponent now wins with perfect play"],
  [() => badge("live"), "a match that is being played"],
  [() => badge("unrated"), "a match of a person, which does not count for the ratings"],
  [() => badge("not finished"), "a match that the arena no longer plays, as it has restarted"],
  [() => "aborted", "ended by the arena, through no fault of a player: unrated"],
  [() => [stripe("decided"), "green"], "beside the result: a player has won"],
  [() => [stripe("undecided"), "grey"], "beside the result: nobody has won"],
  [() => "=3", "several bots share rank 3: their ratings read the same"],
  [
    () => "Podium",
    "the first places of a finished tournament: by rating, or those of the cup or the Swiss",
  ],
  [() => "Elo", "strength: 100 more win 64\u00a0% of the matches, 400 more 91\u00a0%"],
  [() => "±", "the true Elo is within this distance in 95 of 100 cases"],
  [() => "Accuracy", "the share of won positions in which a bot kept the win"],
];

/** @type {[question: string, answer: string][]} */
const QUESTIONS = [
  [
    "Why can perfect stand third?",
    "The bot perfect never gives up a won position. But each pair of matches begins with the same " +
      "opening, with the sides swapped: perfect is sure to win one of the two, and for the other it " +
      "needs an error of its opponent. A bot that leads weaker bots into errors more often wins more " +
      "of the other matches, and its rating is higher.",
  ],
  [
    "Why do the evaluation and perfect play disagree?",
    "The static evaluation looks at a position without any search, and is only an estimate. Perfect " +
      "play knows the end of the game.",
  ],
];

/** Return the section of the marks. */
export const legend = () =>
  h(
    "section",
    { class: "card" },
    h("h2", {}, "Marks"),
    h(
      "dl",
      { class: "mark-meanings" },
      MARKS.map(([mark, meaning]) => [h("dt", {}, mark()), h("dd", {}, meaning)]),
    ),
  );

/** Return the section of the questions. */
export const questions = () =>
  h(
    "section",
    { class: "card" },
    h("h2", {}, "Questions"),
    QUESTIONS.map(([question, answer]) =>
      h("details", {}, h("summary", {}, question), h("p", {}, answer)),
    ),
  );
