import { deepEqual, equal, ok } from "node:assert/strict";
import { describe } from "node:test";
import { createBoard, SwitchedBoard } from "/boards/create_board.js";
import { TextBoard } from "/boards/text_board.js";
import { ARENA, connect } from "../support/arena.js";
import { settle, test, testAfter } from "../support/browser.js";

const SETUP = { heap: 3 };

/** A view of the board that keeps what it was given. */
class View {
  constructor(setup, options) {
    Object.assign(this, { setup, options, shown: [] });
    this.element = document.createElement("div");
  }
  show(view) {
    this.shown.push(view);
  }
}
class Broken {
  constructor() {
    throw new Error("broken");
  }
}

describe("createBoard", () => {
  const create = module =>
    createBoard(module, {
      setup: SETUP,
      game: "nim",
      onMove: 5,
      signal: new AbortController().signal,
    });
  const isDrawable = setup => setup === SETUP;

  test("a game has its own board, with a switch if it has a graph", () => {
    const board = create({ isDrawable, Board: View });
    ok(board instanceof View);
    deepEqual([board.setup, board.options], [SETUP, { onMove: 5 }]);
    const loadGraph = async () => View;
    ok(create({ isDrawable, Board: View, loadGraph }) instanceof SwitchedBoard);
  });

  test("without a board for this setup the board is a text", () => {
    for (const module of [null, { isDrawable: () => false, Board: View, formatMove: String }]) {
      ok(create(module) instanceof TextBoard);
    }
  });

  test("a board that fails is reported and replaced by a text", t => {
    const errors = t.mock.method(console, "error", () => {});
    ok(create({ isDrawable, Board: Broken }) instanceof TextBoard);
    equal(errors.mock.calls[0].arguments[0], "The board of nim cannot be created:");
  });

  test("a text has the notation of the module, and its moves can be chosen", async () => {
    const { connection, socket } = connect({ ...ARENA, games: [] });
    const module = { isDrawable: () => false, formatMove: move => `take ${move}` };
    const { signal } = new AbortController();
    const chosen = [];
    const options = { setup: SETUP, game: "nim", onMove: move => chosen.push(move) };
    const board = createBoard(module, { ...options, connection, signal });
    board.show({ moves: [], isInteractive: true });
    const names = { played_names: [], legal_names: [] };
    await socket.answer("find_position", { text: "", player: 1, legal_moves: [2], ...names });
    const button = board.element.querySelector("button");
    equal(button.textContent, "take 2");
    button.click();
    deepEqual(chosen, [2]);
    await settle();
  });
});

describe("SwitchedBoard", () => {
  let switches, _stored;
  const test = testAfter(() => {
    switches = 0;
    _stored = localStorage.getItem("board-view");
    localStorage.removeItem("board-view");
  });

  class Board extends View {
    constructor(...values) {
      super(...values);
      Board.latest = this;
    }
  }
  class Picture extends View {
    constructor(...values) {
      super(...values);
      Picture.latest = this;
    }
  }

  function create(GraphClass = Picture) {
    [Board.latest, Picture.latest] = [null, null];
    const onSwitch = () => switches++;
    const board = new SwitchedBoard({
      Board,
      loadGraph: async () => GraphClass,
      setup: SETUP,
      onMove: 7,
      onSwitch,
    });
    const [choice, stage] = board.element.children;
    const [showBoard, showGraph] = choice.children;
    const state = () => [
      [showBoard.ariaPressed, showGraph.ariaPressed],
      stage.className,
      [...stage.children].map(({ hidden }) => hidden),
      board.showsMatching,
    ];
    return { board, choice, showBoard, showGraph, state };
  }
  const BOARD = [["true", "false"], "board-stage board-room", [false], false];
  const GRAPH = [["false", "true"], "board-stage board-room has-graph", [false, false], true];

  test("the board is shown first, in a labelled choice of views", () => {
    const { choice, state } = create();
    deepEqual(state(), BOARD);
    equal(
      choice.outerHTML,
      '<div class="view-choice" role="group" aria-label="View">' +
        '<button type="button">Board</button><button type="button">Graph</button></div>',
    );
    equal(Picture.latest, null, "the graph is made when it is needed");
    deepEqual(Board.latest.options, { onMove: 7 });
  });

  test("the chosen view shows the position, and the board behind the graph takes no moves", async () => {
    const { board, showBoard, showGraph, state } = create();
    showGraph.click();
    await settle();
    showBoard.click();
    equal(switches, 2);
    const view = { moves: [1], isInteractive: true };
    board.show(view);
    deepEqual([Board.latest.shown, Picture.latest.shown], [[view], []]);
    const graph = Picture.latest;
    showGraph.click();
    equal(Picture.latest, graph, "it is made once");
    deepEqual(state(), GRAPH);
    deepEqual(graph.shown, [view]);
    deepEqual(Board.latest.shown.at(-1), { moves: [1], isInteractive: false });
    deepEqual([graph.setup, graph.options], [SETUP, { onMove: 7 }]);
    showBoard.click();
    deepEqual(state(), [...BOARD.slice(0, 2), [false, true], false]);
    deepEqual([graph.shown.length, Board.latest.shown.at(-1)], [1, view]);
  });

  test("the choice is remembered", async () => {
    create().showGraph.click();
    const again = create();
    await settle();
    deepEqual(again.state(), GRAPH);
    again.showBoard.click();
    deepEqual(create().state(), BOARD);
  });

  test("the board is used until the graph is loaded, unless it is chosen again before", async () => {
    const { board, showBoard, showGraph, state } = create();
    showGraph.click();
    const view = { moves: [], isInteractive: true };
    board.show(view);
    deepEqual(state(), [...BOARD.slice(0, 3), true]);
    deepEqual(Board.latest.shown, [view]);
    showGraph.click();
    showBoard.click();
    await settle();
    deepEqual(state(), [...BOARD.slice(0, 2), [false, true], false]);
    deepEqual([Board.latest.shown.at(-1), Picture.latest.shown], [view, []]);
  });

  test("a graph that fails is reported, and the board stays", async t => {
    const errors = t.mock.method(console, "error", () => {});
    const { showGraph, state } = create(Broken);
    showGraph.click();
    await settle();
    deepEqual(state(), BOARD);
    equal(errors.mock.calls[0].arguments[0], "The graph cannot be created:");
  });

  test("nobody need listen", () => {
    const board = new SwitchedBoard({ Board, loadGraph: async () => Picture, setup: SETUP });
    board.element.querySelectorAll("button")[1].click();
    equal(board.showsMatching, true);
  });
});
