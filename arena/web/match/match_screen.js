// The screen of a match: board, players, moves, replay controls and solver.

import { createBoard, MoveNames } from "../boards/create_board.js";
import { moveText, onIllegal } from "../boards/game_modules.js";
import { h } from "../dom.js";
import { Timeouts } from "../events.js";
import { setupText } from "../format.js";
import { searchDepth, stepAddress } from "../learn/search_address.js";
import { analysisAddress } from "../links.js";
import { playOnButton } from "../play/opponents.js";
import { PlayerControls } from "../play/player_controls.js";
import { controlsText, mayHelp } from "./match_state.js";
import { MoveList } from "./move_list.js";
import { PlayerPanels } from "./player_panels.js";
import { MoveInfos, ProgramLog } from "./record_details.js";
import { ReplayControls } from "./replay_controls.js";
import { SolverAnswers, SolverPanel, SpoilerSwitch } from "./solver_panel.js";
import { OwnMistake, StateLine } from "./state_line.js";

/** @import { MatchState } from "./match_state.js" */
/** @import { ShareMenu } from "./share_menu.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */
/** @import { GameModule, Marks, MatchRecord, Player } from "../types.js" */

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
const ANNOUNCE_START = 500; // milliseconds before a player is told whose turn it is at first
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
  #names;
  #connection;
  #run; // the start of the arena that plays the match
  #side;
  #game;
  #ply = 0;
  #isFollowing = true;
  #frame = 0;
  #timeouts = new Timeouts();
  #lastAnnounced = -Infinity;
  #mistakeText = "";
  #announcement = h("p", { class: "hidden-text", "aria-live": "polite" });
  #analyse = h("a", { class: "button" }, "Analyse");
  #learn = h("a", { class: "hint" });
  #help = h("div", { class: "spread" });
  #leads = h("span", { class: "leads" });
  /** @type {() => Promise<MatchRecord>} */
  #findRecord;
  /** @type {ShareMenu | null} loaded when it is opened first */
  #share = null;

  /** @param {ScreenOptions} options */
  constructor({ match, module, connection, signal, side, ply }) {
    this.#match = match;
    this.#module = module;
    this.#connection = connection;
    this.#run = connection.arena?.run;
    this.#side = side;
    this.#game = connection.arena?.games.find(({ name }) => name === match.facts.game);
    const update = () => this.update();
    const names = new MoveNames(move => moveText(module, move));
    this.#names = names;
    const isSolved = this.#game?.is_solved ?? false;
    this.analyses = new SolverAnswers("analyse", connection, signal, update);
    this.matchings = new SolverAnswers("find_matching", connection, signal, update);
    this.state = new StateLine(side, module, signal);
    this.mistake = new OwnMistake(side, at => this.#showMistake(at));
    const { state } = this;
    const own = { match, connection, module, names, state, signal, onChange: update };
    this.controls = side && new PlayerControls({ ...own, side });
    if (side) state.actions.append(this.mistake.element);
    this.board = this.#createBoard(signal, update);
    this.players = new PlayerPanels(match, side);
    this.spoilers = new SpoilerSwitch(side !== null && !match.isOver, update);
    this.spoilers.element.hidden = !isSolved;
    /** @param {number} at */
    const onSelect = at => this.go(at);
    this.solver = new SolverPanel({ module, isSolved, title: this.#title, onSelect });
    this.list = new MoveList({ names, onSelect, address: at => this.#address(at) });
    const onLive = () => this.#follow();
    this.replay = new ReplayControls({ graph: this.solver.graph, onSelect, onLive, signal });
    this.#findRecord = () => connection.ask("find_record", { match: match.facts.match });
    this.log = new ProgramLog(this.#findRecord);
    this.infos = new MoveInfos(module, this.#findRecord, update);
    this.playOn = playOnButton(connection, () => this.#position, signal);
    this.element = this.#layOut();
    this.#start(ply);
    document.title = `${match.facts.players.join(" – ")} · Arena`;
    signal.addEventListener("abort", () => this.#close());
  }

  /**
   * @param {AbortSignal} signal
   * @param {() => void} update
   */
  #createBoard(signal, update) {
    const { game, setup } = this.#match.facts;
    const board = createBoard(this.#module, {
      game,
      setup,
      connection: this.#connection,
      signal,
      names: this.#names,
      onNames: update,
      onMove: move => this.controls?.play(move),
      onSwitch: update,
    });
    onIllegal(board.element, move => this.controls?.refuse(move));
    board.element.addEventListener("untimely", () => this.controls?.refuseUntimely());
    return board;
  }

  /**
   * Load the content of the menu, when it is opened first.
   * @param {HTMLElement} menu
   */
  async #openShare(menu) {
    const { ShareMenu } = await import("./share_menu.js");
    if (this.#share) return;
    this.#share = new ShareMenu({
      match: () => this.#match,
      module: this.#module,
      title: this.#title,
      ply: () => this.#ply,
      address: () => this.#address(this.#ply),
      findRecord: this.#findRecord,
    });
    menu.append(...this.#share.elements);
  }

  #layOut() {
    const { facts } = this.#match;
    const time = controlsText(facts);
    const details = [setupText(facts.setup), time, `match ${facts.match}`].filter(Boolean);
    const heading = h("h1", {}, this.#title);
    const hint = h("p", { class: "hint" }, details.join(" · "));
    this.#help.append(this.spoilers.element, this.#learn);
    this.#leads.append(this.#analyse, this.playOn);
    const share = h("details", { class: "share" }, h("summary", {}, "Share"));
    // It stays empty while the arena cannot be reached, and is asked for when it is opened again.
    share.addEventListener("toggle", () => this.#openShare(share).catch(() => {}));
    const sections = [
      h("div", { class: "match-head" }, heading, hint),
      this.players.element,
      this.log.element,
      this.controls?.element,
      this.solver.element,
      this.list.element,
      this.replay.element,
      h(
        "div",
        { class: "match-more" },
        this.#help,
        h("div", { class: "spread" }, this.#leads, share),
      ),
    ];
    return h(
      "div",
      { class: "match" },
      h("section", { class: "match-board", "aria-label": "Board" }, [
        this.state.element,
        h("div", { class: "board-room" }, this.board.element),
      ]),
      h("section", { class: "match-side", "aria-label": "Match" }, sections),
      this.#announcement,
    );
  }

  get #title() {
    return this.#game?.title ?? this.#match.facts.game;
  }

  get #position() {
    const { game, setup } = this.#match.facts;
    return { game, setup, moves: this.#shownMoves };
  }

  get #shownMoves() {
    return this.#match.moves.slice(0, this.#ply);
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
    this.update();
  }

  /**
   * Show that the arena does not know the match any more, mostly because it has restarted.
   * @param {string} message
   */
  lose(message) {
    if (this.#match.isOver) return;
    const hasRestarted = this.#connection.arena?.run !== this.#run;
    const restarted = "The arena restarted; this match was not finished.";
    this.#match.lose(hasRestarted ? restarted : message);
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
    this.#timeouts.set("address", SETTLED, () => this.#updateAddress());
  }

  #updateAddress() {
    const isLatest = this.#isFollowing && !this.#match.isOver;
    history.replaceState(null, "", this.#address(isLatest ? null : this.#ply));
  }

  /** @param {number | null} ply */
  #start(ply) {
    const { moves, isOver } = this.#match;
    this.#isFollowing = ply === null || (ply >= moves.length && isOver);
    this.#ply = Math.min(ply ?? Infinity, moves.length);
    if (ply !== null && ply > moves.length) this.#updateAddress();
    this.#render();
    if (this.#side) this.#announceTurn(moves.length);
  }

  /**
   * Announce whose turn it is, unless that changes: screen readers are silent about the line over
   * the board as long as it says what it has said from the start.
   * @param {number} played the number of moves at the start
   */
  #announceTurn(played) {
    this.#timeouts.set("turn", ANNOUNCE_START, () => {
      if (this.#match.moves.length === played) this.#announcement.textContent = this.state.words;
    });
  }

  #render() {
    const match = this.#match;
    const last = match.moves.length;
    const ply = this.#isFollowing ? last : Math.min(this.#ply, last);
    this.#ply = ply;
    const isFair = mayHelp(match, this.#connection.arena);
    const isOn = this.spoilers.isOn && isFair;
    this.#help.hidden = !isFair;
    this.#leads.hidden = !isFair;
    const blunders = isOn ? match.blunders : [];
    const isInteractive = ply === last && Boolean(this.controls?.canMove(match));
    const marks = this.#marks(ply);
    const matching = this.#matching(ply);
    this.board.show({ moves: match.moves, ply, isInteractive, marks, matching });
    this.controls?.update(match);
    this.players.update(match, ply);
    this.playOn.disabled = match.isLive && this.#side !== null;
    this.solver.element.hidden = !isOn;
    this.solver.graph.hidden = !isOn || !match.winners;
    if (isOn) this.solver.update(match, ply, blunders, marks);
    this.replay.update({
      ply,
      last,
      text: this.#positionText(ply),
      blunders: isOn && match.winners ? blunders : null,
      isLive: match.isLive,
      isFollowing: this.#isFollowing,
    });
    this.#renderState(ply, marks);
    this.#renderAnalyse();
    this.list.update(match, ply, blunders, this.infos); // last, as it measures the layout
  }

  /**
   * @param {number} ply
   * @param {Marks} marks
   */
  #renderState(ply, marks) {
    const match = this.#match;
    const { result } = match;
    this.#share?.update();
    if (result) this.log.show(result);
    if (result) this.infos.request();
    const canMove = this.controls?.canMove(match) ?? true;
    this.element.classList.toggle("their-turn", match.isLive && !canMove);
    this.state.update(match);
    this.mistake.update(match);
    const winning = [...marks.keys()].filter(move => marks.get(move) === "winning");
    const text = this.mistake.text(match, ply, winning, this.#names);
    if (text !== this.#mistakeText) this.state.say(text);
    this.#mistakeText = text;
  }

  /** @param {number} ply */
  #showMistake(ply) {
    this.spoilers.show();
    this.go(ply);
  }

  #renderAnalyse() {
    const { game, setup } = this.#match.facts;
    const then = this.#match.moves.slice(this.#ply);
    this.#analyse.href = analysisAddress(game, setup, { moves: this.#shownMoves, then });
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
    this.#learn.textContent = this.#ply ? "How is it found?" : "How is a move found?";
  }

  /** @param {number} ply */
  #positionText(ply) {
    if (!ply) return "before the first move";
    const { moves } = this.#match;
    const name = this.#match.playerName(this.#match.playerToMove(ply - 1));
    return `move ${ply} of ${moves.length}: ${name}, ${this.#names.text(ply - 1, moves[ply - 1])}`;
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
    if (!this.#game?.is_solved || !this.#maySolve) return hints;
    const winning = this.analyses.find(match, ply)?.winning_moves ?? [];
    return new Map([...winning.map(move => /** @type {const} */ ([move, "winning"])), ...hints]);
  }

  /**
   * Return the matching where the board shows it and the solver may be asked.
   * @param {number} ply
   */
  #matching(ply) {
    const isShown = this.#game?.has_matching && this.board.showsMatching && this.#maySolve;
    return isShown ? this.matchings.find(this.#match, ply) : null;
  }

  /**
   * Whether the solver may be asked and its answers shown. A live match may have many spectators:
   * only one that steps through it asks.
   */
  get #maySolve() {
    const mayAsk = this.#match.isOver || !this.#isFollowing || this.#side !== null;
    return this.spoilers.isOn && mayAsk && mayHelp(this.#match, this.#connection.arena);
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
