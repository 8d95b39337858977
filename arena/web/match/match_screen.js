// The screen of a match: board, players, moves, replay controls and solver.

import { createBoard, moveText } from "../boards/game_modules.js";
import { copyButtons } from "../copy.js";
import { h } from "../dom.js";
import { isDraw, resultSentence } from "../format.js";
import { searchDepth, stepAddress } from "../learn/search_address.js";
import { PlayerControls } from "../play/player_controls.js";
import { addSetup, setupText } from "../setup.js";
import { Timeouts } from "../timing.js";
import { isUntimed } from "./match_state.js";
import { MoveList } from "./move_list.js";
import { PlayerPanels } from "./player_panels.js";
import { ProgramLog } from "./program_log.js";
import { ReplayControls } from "./replay_controls.js";
import { SolverPanel, SpoilerSwitch } from "./solver_panel.js";
import { WinningMoves } from "./winning_moves.js";

/** @import { MatchState } from "./match_state.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { GameModule, Marks, MatchRecord, MatchResult, Player } from "../types.js" */

/**
 * `side` is that of the person who plays, null for a spectator; `ply` is the position to begin
 * with, null for the latest.
 * @typedef {{
 *   match: MatchState,
 *   module: GameModule | null,
 *   connection: SpectatorConnection,
 *   signal: AbortSignal,
 *   side: Player | null,
 *   ply: number | null,
 * }} ScreenOptions
 */

const SETTLED = 250; // milliseconds without a step before the address changes
const ANNOUNCE_STEP = 500; // milliseconds without a step before the position is announced
const ANNOUNCE_LIVE = 2500; // milliseconds between announcements of a live match

/**
 * The screen shows the position after a ply, and follows the match while that is the latest.
 *
 * It has many methods, as it is the only place that knows all of its parts.
 */
export class MatchScreen {
  #match;
  #module;
  #side;
  #game;
  #ply = 0;
  #isFollowing = true;
  #frame = 0;
  #timeouts = new Timeouts();
  /** @type {string | null} why there are no more updates of an unfinished match */
  #error = null;
  /** @type {MatchResult | string | null} the ending that is shown */
  #shownEnding = null;
  #lastAnnounced = -Infinity;
  #badge = h("span", { class: "badge" });
  #ending = h("p", { class: "ending", role: "status" });
  #announcement = h("p", { class: "hidden-text", "aria-live": "polite" });
  #analyse = h("a", { class: "button" }, "Analyse");
  #learn = h("a", { class: "button" });

  /** @param {ScreenOptions} options */
  constructor({ match, module, connection, signal, side, ply }) {
    this.#match = match;
    this.#module = module;
    this.#side = side;
    this.#game = connection.arena?.games.find(({ name }) => name === match.facts.game);
    const update = () => this.update();
    const isSolved = this.#game?.is_solved ?? false;
    this.winningMoves = isSolved ? new WinningMoves(connection, signal, update) : null;
    this.controls =
      side && new PlayerControls({ match, side, connection, module, signal, onChange: update });
    /** @param {number} move */
    const onMove = move => this.controls?.play(move);
    const { game, setup } = match.facts;
    this.board = createBoard(module, { game, setup, connection, signal, onMove });
    this.players = new PlayerPanels(match, side);
    this.spoilers = new SpoilerSwitch(side !== null && !match.isOver, update);
    this.spoilers.element.hidden = !isSolved;
    /** @param {number} at */
    const onSelect = at => this.go(at);
    this.solver = new SolverPanel({ module, isSolved, title: this.#title, onSelect });
    this.list = new MoveList({ module, onSelect, address: at => this.#address(at) });
    const onLive = () => this.#follow();
    this.replay = new ReplayControls({ graph: this.solver.graph, onSelect, onLive, signal });
    /** @returns {Promise<MatchRecord>} */
    const findRecord = () => connection.ask("find_record", { match: match.facts.match });
    this.log = new ProgramLog(findRecord);
    this.copy = this.#createCopyButtons(findRecord);
    this.element = this.#layOut();
    this.#start(ply);
    document.title = `${match.facts.players.join(" – ")} · Arena`;
    signal.addEventListener("abort", () => this.#close());
  }

  /** @param {() => Promise<MatchRecord>} findRecord */
  #createCopyButtons(findRecord) {
    const { facts } = this.#match;
    /** @type {import("../copy.js").CopyItem[]} */
    const items = [
      ["Link", () => new URL(this.#address(this.#ply), location.href).href],
      ["Record", async () => (await findRecord()).text],
    ];
    const module = this.#module;
    if (module) items.push(["Command", () => module.commandLine(facts.setup, this.#shownMoves)]);
    return copyButtons(items);
  }

  #layOut() {
    const { facts } = this.#match;
    const time = isUntimed(facts.control) ? "no clock" : `time ${facts.control.text}`;
    const details = [setupText(facts.setup), time, `match ${facts.match}`].filter(Boolean);
    const casual = facts.casual && [" ", h("span", { class: "badge" }, "casual")];
    const heading = h("h1", {}, this.#title, this.#badge);
    const hint = h("p", { class: "hint" }, details.join(" · "), casual);
    const more = h("div", { class: "spread" }, this.spoilers.element, this.#analyse, this.#learn);
    const sections = [
      h("div", { class: "match-head" }, heading, hint),
      this.players.element,
      this.#ending,
      this.log.element,
      this.controls?.element,
      this.solver.element,
      this.list.element,
      this.replay.element,
      h("div", { class: "match-more" }, more, this.copy.element),
    ];
    return h(
      "div",
      { class: "match" },
      h("section", { class: "match-board", "aria-label": "Board" }, this.board.element),
      h("section", { class: "match-side", "aria-label": "Match" }, sections),
      this.#announcement,
    );
  }

  get #title() {
    return this.#game?.title ?? this.#match.facts.game;
  }

  get #shownMoves() {
    return this.#match.moves.slice(0, this.#ply);
  }

  get #isLive() {
    return !this.#match.isOver && !this.#error;
  }

  /**
   * Return the link to a ply, or to the latest position for null.
   * @param {number | null} ply
   */
  #address(ply) {
    return `#/match/${this.#match.facts.match}${ply === null ? "" : `/${ply}`}`;
  }

  /**
   * Show a new state of the same match, as sent after a reconnection.
   * @param {MatchState} match
   */
  replace(match) {
    this.#match = match;
    this.#error = null;
    this.update();
  }

  /**
   * Show that the arena does not know the match any more, for instance after a restart.
   * @param {string} message
   */
  lose(message) {
    if (this.#match.isOver) return;
    this.#match.turnStartedAt = null;
    this.#error = message;
    this.update();
  }

  /** Render with the next frame; `isNews` announces the position to screen readers. */
  update(isNews = false) {
    if (isNews && this.#isFollowing && !this.#timeouts.has("announce")) {
      const next = this.#lastAnnounced + ANNOUNCE_LIVE;
      this.#announceAfter(Math.max(100, next - performance.now()));
    }
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  /**
   * Show the position after a ply.
   * @param {number} ply
   */
  go(ply) {
    this.#isFollowing = ply === this.#match.moves.length;
    this.#ply = ply;
    this.#announceAfter(ANNOUNCE_STEP);
    this.#updateWithAddress();
  }

  #follow() {
    this.#isFollowing = true;
    this.#updateWithAddress();
  }

  /** Browsers limit how often the address may change: it waits for the last of several steps. */
  #updateWithAddress() {
    this.update();
    this.#timeouts.set("address", SETTLED, () => {
      const isLatest = this.#isFollowing && !this.#match.isOver;
      history.replaceState(null, "", this.#address(isLatest ? null : this.#ply));
    });
  }

  /** @param {number | null} ply */
  #start(ply) {
    const { moves, isOver } = this.#match;
    this.#isFollowing = ply === null || (ply >= moves.length && isOver);
    this.#ply = Math.min(ply ?? Infinity, moves.length);
    this.#render();
  }

  #render() {
    const match = this.#match;
    const last = match.moves.length;
    const ply = this.#isFollowing ? last : Math.min(this.#ply, last);
    this.#ply = ply;
    const { isOn } = this.spoilers;
    const blunders = isOn ? match.blunders : [];
    const isInteractive = ply === last && Boolean(this.controls?.canMove(match));
    this.board.show({ moves: match.moves, ply, isInteractive, marks: this.#marks(ply) });
    this.controls?.update(match);
    this.players.update(match, ply);
    this.solver.element.hidden = !isOn;
    this.solver.graph.hidden = !isOn || !match.winners;
    if (isOn) this.solver.update(match, ply, blunders);
    this.replay.update({
      ply,
      last,
      text: this.#positionText(ply),
      blunders: isOn && match.winners ? blunders : null,
      isLive: this.#isLive,
      isFollowing: this.#isFollowing,
    });
    this.#renderState();
    this.#renderAnalyse();
    this.list.update(match, ply, blunders); // last, as it measures the layout
  }

  #renderState() {
    const { result } = this.#match;
    const isLive = this.#isLive;
    const finished = result ? "finished" : "lost";
    this.#badge.textContent = isLive ? "live" : finished;
    this.#badge.classList.toggle("is-live", isLive);
    this.#ending.hidden = isLive;
    this.copy.buttons[1].hidden = !result;
    if (result) this.log.show(result);
    const ending = result ?? this.#error;
    if (ending && ending !== this.#shownEnding) this.#showEnding(ending);
    this.#shownEnding = ending;
  }

  /** @param {MatchResult | string} ending */
  #showEnding(ending) {
    if (typeof ending === "string") {
      this.#ending.replaceChildren(ending);
      return;
    }
    this.#ending.classList.toggle("drawn", isDraw(ending));
    this.#ending.replaceChildren(...resultSentence(this.#match.facts, ending));
  }

  #renderAnalyse() {
    const { game, setup } = this.#match.facts;
    const query = new URLSearchParams({ game });
    addSetup(query, setup);
    this.#analyse.href = `#/analysis?${query}&moves=${this.#shownMoves}`;
    this.#renderLearn();
  }

  /** Lead to the search for the last move, or for the first one where there is none. */
  #renderLearn() {
    const { game, setup, players } = this.#match.facts;
    const ply = Math.max(0, this.#ply - 1);
    const depth = searchDepth(players[this.#match.playerToMove(ply) - 1]);
    const moves = this.#match.moves.slice(0, ply);
    const search = { game, setup, moves, depth, variant: "alpha-beta" };
    this.#learn.href = stepAddress(search, 0);
    this.#learn.textContent = this.#ply ? "See how this move is found" : "See how a move is found";
  }

  /** @param {number} ply */
  #positionText(ply) {
    if (!ply) return "before the first move";
    const { moves } = this.#match;
    const name = this.#match.playerName(this.#match.playerToMove(ply - 1));
    return `move ${ply} of ${moves.length}: ${name}, ${moveText(this.#module, moves[ply - 1])}`;
  }

  /**
   * Return the hint and, where the solver may be asked, the winning moves.
   * @param {number} ply
   * @returns {Marks}
   */
  #marks(ply) {
    const match = this.#match;
    const isLast = ply === match.moves.length;
    const hints = (isLast && this.controls?.marks(match)) || new Map();
    // A live match may have many spectators: only one that steps through it asks the solver.
    const mayAsk = match.isOver || !this.#isFollowing || this.#side !== null;
    if (!this.winningMoves || !this.spoilers.isOn || !mayAsk) return hints;
    return new Map([...this.winningMoves.marks(match, ply), ...hints]);
  }

  /**
   * Announce the position to screen readers.
   * @param {number} delay
   */
  #announceAfter(delay) {
    this.#timeouts.set("announce", delay, () => {
      this.#lastAnnounced = performance.now();
      this.#announcement.textContent = this.#positionText(this.#ply);
    });
  }

  #close() {
    this.#timeouts.clear();
    cancelAnimationFrame(this.#frame);
    document.title = "Arena";
  }
}
