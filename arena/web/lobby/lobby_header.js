// The head of the lobby: the tournament, the open arena or the stored matches.
import { copyableText, count, h, setText, webSocketUrl } from "../dom.js";
import { gameTitle, timeControlText } from "../format.js";
import { startAddress } from "../play/opponents.js";
import { beginner } from "./first_board.js";

/** @import { ArenaInfo, Child, Leaderboard, TournamentInfo, WorkersInfo } from "../types.js" */

/**
 * Whether all matches of a tournament are played: a knockout often needs less than its maximum.
 * @param {TournamentInfo | null} tournament
 * @param {number} finished
 * @param {Leaderboard[]} tables
 */
export const isTournamentOver = (tournament, finished, tables) =>
  tournament !== null &&
  (finished >= tournament.matches ||
    tables.some(({ game, places }) => game === tournament.game && places.length > 0));

/**
 * Show a description of this arena; `finished` is the number of finished rated matches.
 * @param {HTMLElement} section
 * @param {ArenaInfo} arena
 * @param {number} finished
 * @param {boolean} isOver
 */
export function showHeader(section, arena, finished, isOver) {
  const { tournament } = arena;
  if (section.dataset.run !== arena.run) {
    const server = arena.is_open ? openArena : archive;
    section.replaceChildren(...(tournament ? tournamentHeader(arena, tournament) : server(arena)));
    section.dataset.run = arena.run;
  }
  const played = section.querySelector(".played");
  if (played) setText(played, playedText(tournament, finished, isOver));
  const bar = section.querySelector("progress");
  const max = isOver ? finished : tournament?.matches;
  if (bar) Object.assign(bar, { max: max || 1, value: finished });
}

/**
 * "12 of 90 matches played".
 * @param {TournamentInfo | null} tournament
 * @param {number} finished
 * @param {boolean} isOver
 */
export function playedText(tournament, finished, isOver) {
  if (!tournament) return finished ? `${count(finished, "match", "matches")} played` : "";
  const all = tournament.matches.toLocaleString("en");
  const played = finished.toLocaleString("en");
  if (isOver) return `All ${played} matches played`;
  if (tournament.may_end_early) return `${played} of at most ${all} matches played`;
  return `${played} of ${all} matches played`;
}

/**
 * @param {ArenaInfo} arena
 * @param {TournamentInfo} tournament
 */
function tournamentHeader(arena, { game, format, bots, seed }) {
  const bar = h("progress", { "aria-labelledby": "progress-text" });
  const formatName = h("span", { class: "faint" }, ` ${format.replace("-", " ")}`);
  return [
    h("p", { class: "eyebrow" }, "Tournament"),
    h("h1", { title: `seed ${seed}` }, gameTitle(arena, game), formatName),
    facts(count(bots.length, "bot"), timeControlText(arena.time)),
    h("div", { class: "row" }, bar, h("span", { class: "played", id: "progress-text" })),
    h("p", { class: "faint" }, h("a", { href: "/?present" }, "Show on a big screen")),
    h("p", { class: "faint workers", hidden: true }),
  ];
}

/**
 * Show the workers of a tournament in process; other arenas have none.
 * @param {HTMLElement} section
 * @param {WorkersInfo} workers
 */
export function showWorkers(section, workers) {
  const line = /** @type {HTMLElement | null} */ (section.querySelector(".workers"));
  if (!line) return;
  line.hidden = false;
  setText(line, workersText(workers));
}

/** @param {WorkersInfo} workers */
function workersText({ workers, matches_per_second: rate, in_flight, lost, replayed }) {
  const digits = { maximumFractionDigits: rate < 10 ? 1 : 0 };
  const parts = [
    count(workers, "worker"),
    `${rate.toLocaleString("en", digits)} matches/s`,
    `${count(in_flight, "batch", "batches")} in flight`,
  ];
  if (lost) {
    parts.push(`${count(lost, "batch", "batches")} lost`);
    parts.push(`${count(replayed, "match", "matches")} played again`);
  }
  return parts.join(", ");
}

/** @param {ArenaInfo} arena */
function openArena(arena) {
  const url = webSocketUrl("/play");
  const [{ name: game }] = arena.games;
  const weakest = beginner(arena);
  const command = `arena bot spec:4 --url ${url}`;
  return [
    h("p", { class: "eyebrow" }, "Open arena"),
    h("h1", {}, titles(arena)),
    facts(h("span", { class: "played" })),
    h(
      "p",
      { class: "row invitations" },
      weakest &&
        h("a", { class: "button main", href: startAddress(game, weakest) }, "Play a beginner"),
      h("a", { class: "button", href: startAddress(game, "") }, "Play a friend"),
      h("a", { class: "button", href: "/?present=tv" }, "Watch"),
      h("a", { class: "button", href: "#/play" }, "Options"),
    ),
    h(
      "details",
      {},
      h("summary", {}, "Connect your own bot"),
      h("p", {}, `Matchmaking is automatic, with ${timeControlText(arena.time)} for each bot.`),
      h("p", {}, "A bot in any language connects to this address and sends hello:"),
      copyableText(url, "the address"),
      h("p", {}, "This command starts one of the built-in bots:"),
      copyableText(command, "the command"),
    ),
  ];
}

/** @param {ArenaInfo} arena */
function archive(arena) {
  return [
    h("p", { class: "eyebrow" }, "Stored matches"),
    h("h1", {}, titles(arena)),
    facts(h("span", { class: "played" })),
    h(
      "p",
      { class: "row invitations" },
      h("a", { class: "button main", href: "#/games" }, "All matches"),
      h("a", { class: "button", href: "#/analysis" }, "Analyse a position"),
    ),
  ];
}

/** @param {...Child} parts */
const facts = (...parts) =>
  h(
    "p",
    { class: "row faint" },
    parts.map(part => h("span", {}, part)),
  );

/** @param {ArenaInfo} arena */
const titles = ({ games }) => new Intl.ListFormat("en-GB").format(games.map(({ title }) => title));
