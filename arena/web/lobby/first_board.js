// The board with which a newcomer begins a match, or tries the rules where nobody can be challenged.
import { illegalText, loadGameModule, onIllegal } from "../boards/game_modules.js";
import { h, setText } from "../dom.js";
import { botText, opponents, startAddress } from "../play/opponents.js";

/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { ArenaInfo, GameInfo, GameModule, Lesson } from "../types.js" */

/**
 * Return the game that newcomers are shown, undefined without one.
 * @param {ArenaInfo} arena
 */
const firstGame = ({ games, tournament }) =>
  games.find(({ name }) => name === tournament?.game) ?? games[0];

/**
 * Return the weakest opponent in the game that newcomers are shown, undefined without one.
 * @param {ArenaInfo} arena
 */
export function beginner(arena) {
  const game = firstGame(arena);
  return game && opponents(arena, game.name)[0];
}

/**
 * Return the board for newcomers, null without one: shown where a match can begin, else in a card
 * that is to be opened.
 * @param {ArenaInfo} arena
 * @param {SpectatorConnection} connection
 * @param {AbortSignal} signal
 */
export function firstBoard(arena, connection, signal) {
  const game = firstGame(arena);
  const opponent = beginner(arena);
  if (!game?.has_board) return null;
  const place = h("div", { class: "first-board" });
  /** @param {(module: GameModule, lesson: Lesson) => (Node | string)[]} fill */
  const load = async fill => {
    const module = await loadGameModule(game.name, arena);
    if (signal.aborted) return;
    if (module?.lesson) place.replaceChildren(...fill(module, module.lesson));
    else (place.closest("details") ?? place).remove();
  };
  if (opponent) {
    load((module, lesson) => [summary(lesson), ...matchBoard(game, module, lesson, opponent)]);
    return place;
  }
  const open = async () => {
    const { LessonMatch } = await import("../rules/lesson.js");
    const options = { game, connection, signal };
    load((module, lesson) => [
      summary(lesson),
      new LessonMatch({ ...options, module, lesson }).element,
    ]);
  };
  const card = h("details", { class: "card what" }, h("summary", {}, "What is this game?"), place);
  card.addEventListener("toggle", open, { once: true });
  return card;
}

/** @param {Lesson} lesson */
const summary = lesson => h("p", {}, lesson.summary ?? lesson.rules.join(" "));

/**
 * Return a board on which the first move starts a match, and a line that says so.
 * @param {GameInfo} game
 * @param {GameModule} module
 * @param {Lesson} lesson
 * @param {string} opponent
 */
function matchBoard(game, module, lesson, opponent) {
  const setup = lesson.match ?? lesson.setup;
  /** @param {number} move */
  const onMove = move => {
    location.hash = startAddress(game.name, opponent, { setup, move });
  };
  const board = new module.Board(setup, { onMove });
  const rule = module.describeTurn?.(setup, []);
  const invitation = `Your move${rule ? `: ${rule}` : ""}. The bot ${botText(opponent)}.`;
  const status = h("p", { class: "hint", role: "status" }, invitation);
  onIllegal(board.element, move => setText(status, illegalText(module, setup, [], move)));
  board.show({ moves: [], isInteractive: true });
  return [board.element, status];
}
