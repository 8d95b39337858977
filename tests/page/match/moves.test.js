import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { describe, mock } from "node:test";
import { MoveNames } from "/boards/create_board.js";
import { MoveList } from "/match/move_list.js";
import { MoveInfos, ProgramLog } from "/match/record_details.js";
import { playedMatch } from "../support/arena.js";
import { setSizes, settle, test, testAfter } from "../support/browser.js";
import { all, texts } from "../support/elements.js";

const NO_INFOS = new MoveInfos(null, null, null);

describe("move_list", () => {
  let list, selected;
  const test = testAfter(() => {
    selected = [];
    list = new MoveList({
      names: new MoveNames(move => `#${move}`),
      onSelect: ply => selected.push(ply),
      address: ply => `#/match/7/${ply}`,
    });
  });

  const update = (moves, ply = moves.length, blunders = [], options = {}) =>
    list.update(playedMatch(moves, options), ply, blunders, NO_INFOS);
  const links = () => all("a", list.element);
  const rounds = () => texts("li", list.element);
  const current = () => links().findIndex(link => link.getAttribute("aria-current") === "step");

  test("moves are in rounds of two, with their times", () => {
    update([3, 6, 2, 4, 1], 2, [], { times: [949, 1000, 62_040, 49, 50] });
    deepEqual(rounds(), ["1.#30.9 s#61.0 s", "2.#262.0 s#4", "3.#10.1 s"]);
    equal(
      links()[1].outerHTML,
      '<a href="#/match/7/2" data-ply="2" aria-current="step"><span class="name">#6</span><small>1.0 s</small></a>',
    );
    equal(list.element.querySelector("li").firstChild.className, "round");
    const { outerHTML } = list.element.cloneNode();
    equal(outerHTML, '<nav class="moves" aria-label="Moves"></nav>');
  });

  test("moves of the opening have no time", () => {
    update([3, 6, 2], 3, [], { facts: { opening: 2 } });
    deepEqual(rounds(), ["1.#3opening#6opening", "2.#20.1 s"]);
    deepEqual(
      links().map(link => [link.className, link.title].join()),
      ["opening,opening move", "opening,opening move", ","],
    );
  });

  test("new moves are added, others removed from the first that differs", () => {
    update([3, 6, 2]);
    const [first, second, third] = links();
    update([3, 6, 2, 4]);
    deepEqual([links().length, links()[2]], [4, third]);
    update([3, 1]);
    deepEqual([rounds(), links()[0]], [["1.#30.1 s#10.1 s"], first]);
    notEqual(links()[1], second);
    update([]);
    deepEqual([rounds(), current()], [[], -1]);
    update([5]);
    deepEqual(rounds(), ["1.#50.1 s"]);
  });

  test("the move of the position is the current one", () => {
    const moves = [3, 6, 2];
    const found = [3, 1, 0, 2].map(ply => {
      update(moves, ply);
      return [current(), list.element.querySelectorAll("[aria-current]").length].join();
    });
    deepEqual(found, ["2,1", "0,1", "-1,0", "1,1"]);
  });

  test("blunders are marked, and unmarked", () => {
    update([3, 6], 2, [1]);
    const blunder = "blunder: gave up a winning position";
    const [first, second] = links();
    deepEqual([first.className, second.className, second.title], ["", "blunder", blunder]);
    equal(
      second.children[1].outerHTML,
      `<span class="mark">??<span class="hidden-text"> ${blunder}</span></span>`,
    );
    update([3, 6], 2, [1]);
    equal(second.querySelectorAll(".mark").length, 1);
    update([3, 6], 2, [0]);
    deepEqual([first.className, second.className, second.title], ["blunder", "", ""]);
    equal(second.children.length, 2);
  });

  test("a click selects a move, with a key it opens a tab", () => {
    update([3, 6]);
    const isUsed = (target, properties) => {
      const init = { bubbles: true, cancelable: true, ...properties };
      return !target.dispatchEvent(new MouseEvent("click", init));
    };
    equal(isUsed(links()[1].firstChild), true);
    for (const key of ["ctrlKey", "metaKey", "shiftKey"]) {
      equal(isUsed(links()[0], { [key]: true }), false);
    }
    deepEqual([isUsed(list.element.firstChild), selected], [false, [2]]);
  });

  test("only the list is scrolled, to show the current move", () => {
    setSizes(list.element, { clientHeight: 200, scrollTop: 0 });
    const moves = [3, 6, 2, 4];
    update(moves, 0);
    const place = (at, offsetTop) => setSizes(links()[at], { offsetTop });
    for (const [at, top] of [0, 160, 161, 207].entries()) place(at, top);
    const scrolled = [1, 2, 3, 4, 3].map(ply => {
      update(moves, ply);
      return list.element.scrollTop;
    });
    // 0 is at the top, 160 + 40 fits, the others are lines below, 161 is visible then.
    deepEqual(scrolled, [-40, 0, 1, 47, 47]);
    list.element.scrollTop = 154;
    update(moves, 2);
    equal(list.element.scrollTop, 120, "too near to the top");
    list.element.scrollTop = 0;
    update(moves, 2);
    equal(list.element.scrollTop, 0, "the reader may scroll away");
    setSizes(list.element, { clientHeight: 100 });
    update(moves, 2);
    equal(list.element.scrollTop, 100, "a smaller box hides the move");
  });
});

describe("move_infos", () => {
  const INFOS = {
    0: { evaluation: 0.126, depth: 6, nodes: 1234, pv: [3, 6] },
    1: { evaluation: -1, depth: 2 },
    2: { depth: 4 },
    3: { nodes: 5 },
    4: { evaluation: 0 },
  };
  const link = () => Object.assign(document.createElement("a"), { textContent: "3" });

  test("evaluations are in the list, all else in the title and the hidden text", async () => {
    let changes = 0;
    const infos = new MoveInfos(
      null,
      async () => ({ infos: INFOS }),
      () => changes++,
    );
    const early = link();
    infos.mark(0, early);
    equal(early.textContent, "3");
    await infos.request();
    const shown = [0, 1, 2, 3, 4, 5].map(at => {
      const marked = link();
      infos.mark(at, marked);
      infos.mark(at, marked); // once
      return [marked.textContent, marked.querySelector(".info")?.title].join("|");
    });
    const full = "evaluation +0.13, depth 6, 1234 nodes, variation 3 6";
    deepEqual(shown, [
      `3+0.13, the bot reported ${full}|${full}`,
      "3−1, the bot reported evaluation −1, depth 2|evaluation −1, depth 2",
      "3depth 4, the bot reported depth 4|depth 4",
      "3depth ?, the bot reported 5 nodes|5 nodes",
      "30, the bot reported evaluation 0|evaluation 0",
      "3|",
    ]);
    equal(changes, 1);
  });

  test("variations have the notation of the game", async () => {
    const infos = new MoveInfos(
      { formatMove: move => `<${move}>` },
      async () => ({ infos: INFOS }),
      () => {},
    );
    await infos.request();
    const marked = link();
    infos.mark(0, marked);
    match(marked.querySelector("small").title, /variation <3> <6>$/);
    equal(marked.querySelector(".hidden-text").textContent.slice(0, 2), ", ");
  });

  test("they are requested once, again only after a failure", async () => {
    const find = mock.fn(async () => ({ infos: {} }));
    find.mock.mockImplementationOnce(async () => Promise.reject(new Error("busy")));
    const infos = new MoveInfos(null, find, () => {});
    await infos.request();
    await Promise.all([infos.request(), infos.request()]);
    await infos.request();
    equal(find.mock.callCount(), 2);
  });
});

describe("program_log", () => {
  const create = find => {
    const log = new ProgramLog(mock.fn(find));
    return {
      log,
      state: () => [log.element.hidden, log.element.querySelector("pre").textContent],
    };
  };

  test("the output of a failed program can be unfolded", async () => {
    for (const termination of ["disconnect", "illegal_move", "malformed", "timeout"]) {
      const { log, state } = create(async () => ({ log: "java <crashed>" }));
      deepEqual(state(), [true, ""]);
      await log.show({ termination });
      deepEqual(state(), [false, "java <crashed>"]);
    }
    const title = "Output of the program";
    equal(
      create().log.element.outerHTML,
      `<details class="program-log" hidden=""><summary>${title}</summary>` +
        `<pre tabindex="0" role="region" aria-label="${title}"></pre></details>`,
    );
  });

  test("there is none after other endings, or without output", async () => {
    const find = mock.fn(async () => ({ log: "" }));
    const log = new ProgramLog(find);
    for (const termination of ["no_legal_move", "resignation", "aborted"])
      await log.show({ termination });
    equal(find.mock.callCount(), 0);
    await log.show({ termination: "timeout" });
    equal(log.element.hidden, true);
  });

  test("it is requested once, again only after a failure", async () => {
    const find = mock.fn(async () => ({ log: "text" }));
    find.mock.mockImplementationOnce(async () => Promise.reject(new Error("busy")));
    const log = new ProgramLog(find);
    const show = () => log.show({ termination: "timeout" });
    await show();
    equal(log.element.hidden, true);
    await Promise.all([show(), show()]);
    await settle();
    deepEqual([find.mock.callCount(), log.element.hidden], [2, false]);
  });
});
