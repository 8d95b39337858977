// A match: live or replayed.
import { loadBoard, moveName } from "/boards.js";
import { Controls } from "/controls.js";
import { copyButtons } from "/copy.js";
import { h, nameOf, setupWords } from "/dom.js";
import { isUntimed, Match } from "/model.js";
import { MoveList } from "/moves.js";
import { Players } from "/players.js";
import { Replay } from "/replay.js";
import { seat } from "/seat.js";
import { Spoilers, Verdict } from "/verdict.js";

const SETTLED = 250; // milliseconds without a step after which a position is worth a word
const SPOKEN = 2500; // milliseconds between announcements of a match that goes on

/** Show #/match/ID or #/match/ID/PLY. */
export function view({ main, socket, parameters: [id, ply], signal }) {
  const match = Number(id);
  if (!/^\d+$/.test(id ?? "")) {
    main.append(h("h1", {}, "No such match"), h("p", {}, "A match has a number: ", h("a", { href: "#/games" }, "all games"), "."));
    return;
  }
  const wait = h("p", { class: "hint", role: "status" }, `Looking for match ${match}…`);
  main.append(h("h1", {}, `Match ${match}`), wait);
  follow({
    socket, match, signal,
    begin: async (known, module) => {
      const you = known.isOver ? null : seat.playerIn(match);
      const controls = you && new Controls({ match: known, you, socket, module, signal, onchange: () => screen.update() });
      const screen = new MatchScreen({
        match: known, module, socket, signal, seat: you, controls,
        ply: /^\d+$/.test(ply ?? "") ? Number(ply) : null,
        address: at => `#/match/${match}${at === null ? "" : `/${at}`}`,
      });
      main.replaceChildren(screen.element);
      return screen;
    },
    refuse: message => wait.replaceChildren(`${message} `, h("a", { href: "#/games" }, "All games")),
  });
}

/**
 * Follow a match. When it is first told, `begin(match, module)` gives the screen that shows it;
 * `refuse(message)` is told if there is no such match.
 */
export function follow({ socket, match: id, signal, begin, refuse }) {
  let known = null, screen = null;
  const on = (type, act) => socket.addEventListener(type, event => act(event.detail), { signal });
  const isIts = part => part.match === id && known;
  on("match", async ({ facts, moves, winners, result }) => {
    if (facts.match !== id) return;
    const isFirst = !known;
    known = new Match(facts);
    known.apply(moves);
    if (winners) known.applyWinners({ ply: 0, winners });
    known.result = result;
    if (screen) screen.replace(known);
    if (!isFirst) return;
    const module = await loadBoard(facts.game, socket.about);
    if (signal.aborted) return;
    screen = await begin(known, module);
    screen.replace(known); // what came meanwhile is in it
  });
  on("moves", ({ moves }) => isIts(moves) && (known.apply(moves), screen?.update(true)));
  on("winners", winners => isIts(winners) && (known.applyWinners(winners), screen?.update()));
  on("result", ({ result }) => isIts(result) && (known.result = result, known.thinkingSince = null, screen?.update(true)));
  on("error", ({ message }) => known ? screen?.lose(message) : refuse(message));
  socket.watch(id);
}

/**
 * The board and all that belongs to it. `seat` is the player who looks on, 1 or 2, and `controls` are
 * what they move with; both null for a viewer. `address(ply)` is the link to a ply, and to the match
 * as it goes on for null.
 */
export class MatchScreen {
  #ply = 0;
  #isFollowing = true;
  #frame = 0;
  #timers = {};
  #lost = null; // why the match is not told any more
  #told = null; // the ending that is shown
  #lastSpoken = -Infinity;
  #winning = { key: "", marks: new Map() };
  #badge = h("span", { class: "badge" });
  #ending = h("p", { class: "ending", role: "status" });
  #spoken = h("p", { class: "hidden-text", "aria-live": "polite" });

  constructor({ match, module, socket, signal, ply = null, seat = null, controls = null, address }) {
    Object.assign(this, { match, module, socket, signal, seat, controls, address });
    this.game = socket.about.games.find(game => game.name === match.facts.game);
    this.board = module?.isDrawable(match.facts.setup) ? new module.Board(match.facts.setup, { onmove: move => controls.play(move) }) : null;
    this.#parts(signal);
    this.element = this.#lay();
    this.#goTo(ply);
    document.title = `${match.facts.players.join(" – ")} · Arena`;
    signal.addEventListener("abort", () => this.#leave());
  }

  #parts(signal) {
    const { match, module, seat } = this;
    const onpick = ply => this.go(ply);
    this.players = new Players(match, { seat });
    this.spoilers = new Spoilers(seat !== null && !match.isOver, () => this.update());
    this.verdict = new Verdict({ module, isSolved: this.game?.is_solved ?? false, title: this.#title, onpick });
    this.list = new MoveList({ module, onpick, address: this.address });
    this.replay = new Replay({ above: this.verdict.graph, ongo: onpick, onlive: () => this.goLive(), signal });
    this.copy = copyButtons([
      ["Link", () => new URL(this.address(this.#ply), location.href).href],
      ["Record", async () => (await this.socket.ask({ type: "find_record", match: match.facts.match })).text],
      ...module ? [["Command", () => module.commandLine(match.facts.setup, this.#shownMoves)]] : [],
    ]);
    this.spoilers.element.hidden = !this.game?.is_solved;
    this.analysis = h("a", { class: "button" }, "Analyse");
  }

  #lay() {
    const { facts } = this.match;
    const time = isUntimed(facts.control) ? "no clock" : `time ${facts.control.text}`;
    return h("div", { class: "match" },
      h("section", { class: "match-board", "aria-label": "Board" }, this.board?.element ?? this.#excuse),
      h("section", { class: "match-side", "aria-label": "Match" },
        h("div", { class: "match-head" },
          h("h1", {}, this.#title, this.#badge),
          h("p", { class: "hint" }, [setupWords(facts.setup), time, `match ${facts.match}`].filter(Boolean).join(" · "),
            facts.casual && [" ", h("span", { class: "badge" }, "casual")])),
        this.players.element, this.#ending, this.controls?.element, this.verdict.element, this.list.element, this.replay.element,
        h("div", { class: "match-more" }, h("div", { class: "spread" }, this.spoilers.element, this.analysis), this.copy.element)),
      this.#spoken);
  }

  get #excuse() {
    const why = this.module ? "This is too large to be drawn" : "There is no board for this game here";
    return h("p", { class: "no-board hint" }, `${why}: only its moves are shown.`);
  }

  get #title() {
    return this.game?.title ?? this.match.facts.game;
  }

  get #shownMoves() {
    return this.match.moves.slice(0, this.#ply);
  }

  /** Show another account of the same match. */
  replace(match) {
    this.match = match;
    this.#lost = null;
    this.update();
  }

  /** The arena does not know the match any more, for instance after a restart. */
  lose(message) {
    if (this.match.isOver) return;
    this.match.thinkingSince = null;
    this.#lost = message;
    this.update();
  }

  /** Something has changed; `isNews` if it is worth telling those who only hear. */
  update(isNews = false) {
    if (isNews && this.#isFollowing) this.#say(Math.max(100, this.#lastSpoken + SPOKEN - performance.now()), false);
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  /** Show the position after so many moves. */
  go(ply) {
    this.#isFollowing = ply === this.match.moves.length;
    this.#ply = ply;
    this.#say(SETTLED * 2, true);
    this.update();
    this.#later("address", SETTLED, () => this.#keepAddress());
  }

  /** Show the newest position, and go on with the match. */
  goLive() {
    this.#isFollowing = true;
    this.update();
    this.#later("address", SETTLED, () => this.#keepAddress());
  }

  #goTo(ply) {
    this.#isFollowing = ply === null || (ply >= this.match.moves.length && this.match.isOver);
    this.#ply = Math.min(ply ?? Infinity, this.match.moves.length);
    this.#render();
  }

  #render() {
    const { match } = this, last = match.moves.length;
    this.#ply = this.#isFollowing ? last : Math.min(this.#ply, last);
    const ply = this.#ply;
    const isOn = this.spoilers.isOn;
    const blunders = isOn ? match.blunders : [];
    this.board?.show({ moves: match.moves, ply, isInteractive: ply === last && Boolean(this.controls?.canMove(match)), marks: this.#marks(ply) });
    this.controls?.show(match);
    this.players.show(match, ply);
    this.verdict.element.hidden = !isOn;
    this.verdict.graph.hidden = !isOn || !match.winners;
    if (isOn) this.verdict.show(match, ply, blunders);
    const canJump = isOn && match.winners !== null;
    this.replay.show({
      ply, last, words: this.#words(ply), blunders: canJump ? blunders : null,
      isLive: !match.isOver && !this.#lost, isFollowing: this.#isFollowing,
    });
    this.#renderState(ply);
    this.list.show(match, ply, blunders); // at the end, as it asks where things are
  }

  #renderState(ply) {
    const { facts, result } = this.match;
    const isLive = !result && !this.#lost;
    this.#badge.textContent = isLive ? "live" : result ? "finished" : "lost";
    this.#badge.classList.toggle("is-live", isLive);
    this.#ending.hidden = isLive;
    if (!isLive && this.#told !== (result ?? this.#lost)) this.#tellEnding(this.#told = result ?? this.#lost, facts);
    this.copy.buttons[1].hidden = !result;
    const query = new URLSearchParams({ game: facts.game, ...facts.setup, moves: this.match.moves.slice(0, ply).join(",") });
    this.analysis.href = `#/analysis?${query.toString().replaceAll("%2C", ",")}`;
  }

  #tellEnding({ winner, reason }, { players }) {
    if (reason === undefined) this.#ending.replaceChildren(this.#lost);
    else this.#ending.replaceChildren(h("b", {}, winner ? [nameOf(players[winner - 1]), " wins"] : "Nobody wins"), ": ", nameOf(reason));
  }

  #words(ply) {
    const { moves, facts } = this.match;
    if (!ply) return "before the first move";
    return `move ${ply} of ${moves.length}: ${facts.players[this.match.playerAt(ply - 1) - 1]}, ${moveName(this.module, moves[ply - 1])}`;
  }

  // The moves that win

  #marks(ply) {
    const hints = (ply === this.match.moves.length && this.controls?.marks(this.match)) || new Map();
    // Many may follow a live match: only who looks into a position asks about it.
    const looks = this.match.isOver || !this.#isFollowing || this.seat !== null;
    if (!looks || !this.spoilers.isOn || !this.game?.is_solved) return hints;
    const key = this.match.moves.slice(0, ply).join();
    if (this.#winning.key !== key) {
      this.#winning = { key, marks: new Map() };
      this.#later("winning", SETTLED, () => this.#askWinning(key, ply));
    }
    return new Map([...this.#winning.marks, ...hints]);
  }

  async #askWinning(key, ply) {
    const { game, setup } = this.match.facts;
    try {
      const { winning_moves } = await this.socket.ask({ type: "analyse", game, setup, moves: this.match.moves.slice(0, ply) });
      if (this.#winning.key !== key || this.signal.aborted) return;
      this.#winning.marks = new Map((winning_moves ?? []).map(move => [move, "winning"]));
      this.update();
    } catch {
      this.#winning.key = ""; // asked again at the next step
    }
  }

  // What is told besides

  /** Tell the position to those who only hear, after a delay that begins anew if it `restarts`. */
  #say(delay, restarts) {
    if (this.#timers.say && !restarts) return;
    this.#later("say", delay, () => {
      this.#timers.say = null;
      this.#lastSpoken = performance.now();
      this.#spoken.textContent = this.#words(this.#ply);
    });
  }

  // The browser allows few changes of the address, so that it waits until somebody stops stepping.
  #keepAddress() {
    history.replaceState(null, "", this.address(this.#isFollowing && !this.match.isOver ? null : this.#ply));
  }

  #later(name, delay, act) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(act, delay);
  }

  #leave() {
    Object.values(this.#timers).forEach(clearTimeout);
    cancelAnimationFrame(this.#frame);
    document.title = "Arena";
  }
}
