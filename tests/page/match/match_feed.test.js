import { deepEqual, equal } from "node:assert/strict";
import { describe } from "node:test";
import { view } from "/match/match.js";
import { MatchFeed } from "/match/match_state.js";
import { player } from "/play/player_connection.js";
import { ARENA, connect, matchFacts, moveUpdate, RESULT } from "../support/arena.js";
import { leaveView, settle, signal, testAfter } from "../support/browser.js";

const GAME = { name: "take_stones", title: "Take-Stones", has_board: true, is_solved: true };
const snapshot = (moves, { facts, winners = null, result = null } = {}) => ({
  type: "match",
  facts: matchFacts(facts),
  moves: moveUpdate(moves),
  winners,
  result,
});

describe("match_feed", () => {
  let arena, connection, log, match;
  const test = testAfter(() => {
    ({ connection, socket: arena } = connect({ ...ARENA, games: [GAME] }));
    [log, match] = [[], null];
    const screen = {
      replace: other => {
        log.push(`replace ${other.moves}`);
        match = other;
      },
      update: isNews => log.push(`update ${isNews}`),
      lose: message => log.push(`lose ${message}`),
    };
    const open = (opened, module) => {
      match = opened;
      log.push(`open ${module?.formatMove(3) ?? "without a module"}`);
      return screen;
    };
    const reject = message => log.push(`reject ${message}`);
    new MatchFeed({ connection, id: 7, signal: signal(), open, reject });
  });

  async function receive(...messages) {
    for (const message of messages) arena.receive(message);
    await settle();
    return log.splice(0);
  }

  test("the match is watched and opened with its module", async () => {
    deepEqual(arena.sent, [{ type: "watch", match: 7 }]);
    const update = snapshot([3, 6], { winners: [1, 2, 1], result: RESULT });
    deepEqual(await receive(update), ["open 3"]);
    deepEqual([match.moves, match.winners, match.result], [[3, 6], [1, 2, 1], RESULT]);
    equal(match.facts.game, "take_stones");
  });

  test("updates of the match are news, verdicts are not", async () => {
    await receive(snapshot([3]));
    equal(match.winners, null);
    const found = await receive(
      { type: "moves", moves: moveUpdate([6], 1) },
      { type: "winners", match: 7, ply: 0, winners: [1, 1, 2] },
      { type: "result", result: RESULT },
    );
    deepEqual(found, ["update true", "update false", "update true"]);
    deepEqual([match.moves, match.winners, match.result], [[3, 6], [1, 1, 2], RESULT]);
  });

  test("other matches are ignored, and updates before the match", async () => {
    const other = { match: 8 };
    const updates = facts => [
      { type: "moves", moves: { ...moveUpdate([6], 1), ...facts } },
      { type: "winners", match: 7, ply: 0, winners: [1], ...facts },
      { type: "result", result: { ...RESULT, ...facts } },
    ];
    deepEqual(await receive(...updates({}), snapshot([3], { facts: other })), []);
    await receive(snapshot([3]));
    deepEqual([await receive(...updates(other)), match.moves, match.result], [[], [3], null]);
  });

  test("a match that is sent again replaces the state, also while the module is loading", async () => {
    deepEqual([await receive(snapshot([3]), snapshot([3, 6])), match.moves], [["open 3"], [3, 6]]);
    deepEqual(await receive(snapshot([3, 6, 2])), ["replace 3,6,2"]);
  });

  test("an error rejects an unknown match, and ends a known one", async () => {
    const error = { type: "error", message: "unknown match 7" };
    deepEqual(await receive(error), ["reject unknown match 7"]);
    await receive(snapshot([3]));
    deepEqual(await receive(error), ["lose unknown match 7"]);
  });

  test("nothing is opened or updated after the view was left", async () => {
    arena.receive(snapshot([3]));
    leaveView();
    const error = { type: "error", message: "unknown match 7" };
    const result = { type: "result", result: RESULT };
    const moves = { type: "moves", moves: moveUpdate([6], 1) };
    const winners = { type: "winners", match: 7, ply: 0, winners: [1] };
    deepEqual(await receive(snapshot([3]), moves, winners, result, error), []);
  });

  test("a game without a board is shown without a module", async () => {
    deepEqual(await receive(snapshot([3], { facts: { game: "nim" } })), ["open without a module"]);
  });
});

describe("match view", () => {
  let arena, connection, main;
  const test = testAfter(() => {
    ({ connection, socket: arena } = connect({ ...ARENA, games: [GAME] }));
    main = document.createElement("main");
    document.body.append(main);
  });

  function open(...parameters) {
    view({ main, connection: connection, parameters, signal: signal() });
  }
  async function shown(update, ...parameters) {
    open(...parameters);
    arena.receive(update);
    await settle();
    return main.querySelectorAll(".stone.taken").length;
  }

  test("an address without a number has no match", () => {
    for (const id of ["nine", "7x", "x7", undefined]) {
      main.replaceChildren();
      open(id);
      equal(main.textContent, "Match not foundA match has a number: all matches.");
      equal(main.querySelector("a").getAttribute("href"), "#/games");
    }
    deepEqual(arena.sent, []);
  });

  test("an unknown match is reported", () => {
    open("7");
    const status = main.querySelector("[role=status]");
    deepEqual([main.firstChild.textContent, status.textContent], ["Match 7", "Loading match 7…"]);
    arena.receive({ type: "error", message: "unknown match 7" });
    equal(status.textContent, "Unknown match 7. All matches");
    equal(status.querySelector("a").getAttribute("href"), "#/games");
  });

  test("the match is shown at a position or at the latest one", async () => {
    const update = snapshot([3, 6, 2], { result: RESULT });
    deepEqual([await shown(update, "7"), main.children.length], [3, 1]);
    deepEqual([await shown(update, "7", "2"), await shown(update, "7", "0")], [2, 0]);
    equal(await shown(update, "7", "2x"), 3);
  });

  test("a person plays a match that is not over", async () => {
    player.matches.set(7, 2);
    await shown(snapshot([3]), "7");
    equal(main.querySelector(".badge:not(.is-live)").textContent, "you");
    await shown(snapshot([3], { result: RESULT }), "7");
    equal(main.querySelector(".controls"), null);
  });
});
