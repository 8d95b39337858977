// The view of the rules: a match to learn them, the marks on the page, and common questions.

import { loadGameModule } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { legend, questions } from "./legend.js";
import { LessonMatch } from "./lesson.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, GameInfo, GameModule, ViewOptions } from "../types.js" */

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
