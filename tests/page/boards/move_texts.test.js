import { deepEqual, equal, throws } from "node:assert/strict";
import { registerHooks } from "node:module";
import { describe, mock } from "node:test";
import { MoveNames } from "/boards/create_board.js";
import {
  choiceText,
  givesUpText,
  illegalText,
  keepsText,
  loadGameModule,
  moveText,
  onIllegal,
  parseMove,
} from "/boards/game_modules.js";
import { partnersOf } from "/boards/graph_layout.js";
import { test } from "../support/browser.js";

const SQUARES = { formatMove: move => `<${move}>`, parseMove: text => text.length };

describe("game_modules", () => {
  const load = (name, has_board = true, listed = name) =>
    loadGameModule(name, { games: [{ name: "other" }, { name: listed, has_board }] });

  test("only modules of the arena's games are loaded", async t => {
    const errors = t.mock.method(console, "error", () => {});
    equal(await loadGameModule("isolation", null), null);
    equal(await load("isolation", true, "take_stones"), null);
    equal(await load("isolation", false), null);
    for (const name of ["../app", "a/isolation", "isolation/b"]) equal(await load(name), null);
    deepEqual([errors.mock.callCount(), typeof (await load("isolation")).Board], [0, "function"]);
  });

  test("a module that fails is reported", async t => {
    const errors = t.mock.method(console, "error", () => {});
    equal(await load("nothing"), null);
    equal(errors.mock.calls[0].arguments[0], "The board of nothing cannot be loaded:");
  });

  test("a module that lacks an export, or has no function there, is reported", async t => {
    const errors = t.mock.method(console, "error", () => {});
    const code = "data:text/javascript,export const Board = class {}, isDrawable = true";
    const hooks = registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier === "/boards/broken/board.js" ? code : specifier, context),
    });
    equal(await load("broken"), null);
    hooks.deregister();
    const names = "isDrawable, legalMoves, formatMove, parseMove, describeMove, commandLine";
    const { message } = errors.mock.calls[0].arguments[1];
    equal(message, `board.js does not export ${names}, drawThumbnail`);
  });

  test("a move is written in the notation of the game, or as its number", t => {
    const errors = t.mock.method(console, "error", () => {});
    deepEqual([moveText(SQUARES, 3), moveText(null, 3)], ["<3>", "3"]);
    equal(moveText({ formatMove: move => move.length.defect }, 3), "3");
    equal(errors.mock.calls[0].arguments[0], "The move 3 cannot be written:");
  });

  test("a move is read in the notation of the game, or as its number", () => {
    equal(parseMove(SQUARES, "abcd"), 4);
    deepEqual(
      [" 12 ", "7", "999999999"].map(text => parseMove(null, text)),
      [12, 7, 999999999],
    );
    for (const text of ["x7", "7x", " two ", "", "1234567890", "1.5"]) {
      const message = `A move must be its name or its number, not “${text.trim()}”.`;
      throws(() => parseMove(null, text), { message });
    }
  });

  test("an illegal move is explained by the rule, where the game names it", () => {
    const explainIllegal = (...values) => `no ${values.join("|")}`;
    equal(illegalText({ ...SQUARES, explainIllegal }, "s", [1], 3), "no s|1|3");
    equal(illegalText(SQUARES, {}, [], 3), "<3> is not a legal move.");
    equal(illegalText(null, {}, [], 3), "3 is not a legal move.");
  });

  test("illegal moves of a board are reported", () => {
    const refuse = mock.fn();
    const board = document.createElement("div");
    onIllegal(board, refuse);
    board.dispatchEvent(new CustomEvent("illegal", { detail: 5 }));
    deepEqual(refuse.mock.calls[0].arguments, [5]);
  });
});

describe("judgement", () => {
  test("moves to choose from are joined with or", () => {
    const texts = [[5], [5, 7], [5, 7, 9]].map(moves => choiceText(null, moves));
    deepEqual([texts, choiceText(SQUARES, [5, 7])], [["5", "5 or 7", "5, 7 or 9"], "<5> or <7>"]);
  });

  test("a move keeps the win or gives it up, perhaps for a reason", () => {
    equal(keepsText(SQUARES, 5), "<5> keeps the win.");
    equal(givesUpText(SQUARES, 5), "<5> gives up the win.");
    equal(givesUpText(null, 5, "it is odd"), "5 gives up the win: it is odd.");
  });
});

describe("move_names", () => {
  test("names are known by the place in the match", () => {
    const names = new MoveNames(move => `#${move}`);
    deepEqual([names.has([]), names.has([4])], [true, false]);
    const legal = { legal_moves: [4, 5], legal_names: ["o4", "o5"] };
    names.learn([4, 8, 5], 1, { ...legal, played_names: ["x4", "o8", "x5"] });
    deepEqual([names.has([4, 8, 5]), names.has([4, 8, 6])], [true, false]);
    const asked = [
      [0, 4],
      [1, 4],
      [1, 5],
      [1, 8],
      [2, 5],
      [0, 5],
      [11, 4],
    ];
    const texts = asked.map(([at, move]) => names.text(at, move));
    deepEqual(texts, ["x4", "o4", "o5", "o8", "x5", "#5", "#4"]);
  });
});

describe("partners", () => {
  test("each move of a pair is the other's partner", () => {
    deepEqual(
      [
        ...partnersOf([
          [1, 2],
          [3, 6],
        ]),
      ],
      [
        [1, 2],
        [2, 1],
        [3, 6],
        [6, 3],
      ],
    );
  });
});
