import { deepEqual, equal } from "node:assert/strict";
import { describe } from "node:test";
import { SolverAnswers, SolverPanel, SpoilerSwitch } from "/match/solver_panel.js";
import { ARENA, connect, playedMatch, RESULT } from "../support/arena.js";
import { leaveView, pass, signal, test, testAfter } from "../support/browser.js";
import { all } from "../support/elements.js";

describe("solver_answers", () => {
  let arena, connection, answers, changes;
  const match = playedMatch([3, 6, 2]);
  const test = testAfter(() => {
    changes = 0;
    ({ connection, socket: arena } = connect({ ...ARENA, games: [] }));
    answers = new SolverAnswers("analyse", connection, signal(), () => changes++);
  });
  const asked = () => arena.questions("analyse").map(({ moves }) => moves.join());

  test("the solver is asked when nobody has stepped for a moment", async () => {
    equal(answers.find(match, 1), null);
    pass(249);
    equal(answers.find(match, 2), null);
    pass(249);
    deepEqual([asked(), answers.find(match, 2)], [[], null]);
    pass(1);
    deepEqual(asked(), ["3,6"]);
    const { game, setup } = arena.sent.at(-1);
    deepEqual([game, setup], ["take_stones", { stones: 7 }]);
    await arena.answer("analyse", { winner: 1 });
    deepEqual([answers.find(match, 2).winner, changes], [1, 1]);
    equal(answers.find(match, 3), null, "another position");
  });

  test("an answer that comes after another step is not used", async () => {
    answers.find(match, 1);
    pass(250);
    answers.find(match, 2);
    await arena.answer("analyse", { winner: 1 });
    deepEqual([answers.find(match, 2), changes], [null, 0]);
  });

  test("a question that fails is repeated with the next step", async () => {
    answers.find(match, 1);
    pass(250);
    await arena.fail("analyse", "busy");
    deepEqual([answers.find(match, 1), changes], [null, 0]);
    pass(250);
    deepEqual(asked(), ["3", "3"]);
    answers.find(match, 2);
    await arena.fail("analyse", "busy");
    pass(250);
    answers.find(match, 2);
    pass(250);
    deepEqual(asked(), ["3", "3", "3,6"], "a late failure changes nothing");
  });

  test("nothing is asked or used after the view was left", async () => {
    answers.find(match, 1);
    pass(250);
    answers.find(match, 2);
    leaveView();
    pass(250);
    await arena.answer("analyse", { winner: 1 });
    deepEqual([asked(), changes], [["3"], 0]);
  });
});

describe("solver_panel switch", () => {
  test("the winner is shown to spectators, not to players, until they choose", () => {
    for (const isPlaying of [false, true]) {
      let changes = 0;
      const create = () => new SpoilerSwitch(isPlaying, () => changes++);
      const spoilers = create();
      equal(spoilers.isOn, !isPlaying);
      document.body.append(spoilers.element);
      const box = spoilers.element.firstChild;
      deepEqual([box.checked, box.getAttribute("role")], [!isPlaying, "switch"]);
      equal(spoilers.element.textContent, "Show who is winning");
      for (const isOn of [isPlaying, !isPlaying]) {
        box.click();
        deepEqual(
          [spoilers.isOn, create().isOn, create().element.firstChild.checked],
          [isOn, isOn, isOn],
        );
      }
      equal(changes, 2);
      equal(
        localStorage.getItem(isPlaying ? "spoilers-playing" : "spoilers"),
        isPlaying ? "off" : "on",
      );
    }
  });
});

describe("solver_panel", () => {
  let panel, selected;
  const test = testAfter(() => {
    selected = [];
    panel = create();
  });

  const create = (isSolved = true) =>
    new SolverPanel({ module: null, isSolved, title: "Nim", onSelect: ply => selected.push(ply) });
  const [bar, note] = [() => panel.element.firstChild, () => panel.element.lastChild];
  const shown = () => [bar().className, bar().textContent];
  const paths = () =>
    all("path", panel.graph).map(path => `${path.getAttribute("class")} ${path.getAttribute("d")}`);

  test("the drawing is hidden from screen readers, which read the texts", () => {
    const svg = '<path class="one"></path><path class="two"></path>';
    equal(
      panel.graph.outerHTML,
      `<div class="graph"><svg preserveAspectRatio="none" aria-hidden="true">${svg}</svg>` +
        '<div class="ticks" aria-hidden="true"></div>' +
        '<div class="cursor" aria-hidden="true"></div></div>',
    );
    const texts = '<p class="bar"></p><p class="note"></p>';
    equal(panel.element.outerHTML, `<div class="solver">${texts}</div>`);
  });

  test("the bar names the winner of the position, or of the match", () => {
    const match = playedMatch([3, 6], { winners: [1, 2, 1], result: { ...RESULT, winner: 1 } });
    const texts = [0, 1, 2].map(ply => {
      panel.update(match, ply, []);
      return shown();
    });
    deepEqual(texts, [
      ["bar one", "ann wins with perfect play"],
      ["bar two", "bob wins with perfect play"],
      ["bar one", "ann has won"],
    ]);
    equal(bar().firstChild.className, "shape");
    equal(bar().querySelector("bdi").textContent, "ann");
  });

  test("a won position may be lost on time", () => {
    panel.update(playedMatch([3, 1], { winners: [1, 1, 1], result: RESULT }), 2, []);
    deepEqual(shown(), ["bar one", "ann wins with perfect play"]);
  });

  test("without a solver only the result is known", () => {
    panel = create(false);
    const match = playedMatch([3], { result: RESULT });
    panel.update(match, 0, []);
    deepEqual(shown(), ["bar unknown", "Nim has no solver: the winner is unknown."]);
    equal(note().hidden, true);
    panel.update(match, 1, []);
    deepEqual(shown(), ["bar two", "bob has won"]);
    panel = create();
    panel.update(match, 0, []);
    deepEqual(shown(), ["bar unknown", "The solver ran out of time: the winner is unknown."]);
    panel = create(false);
    panel.update(playedMatch([3], { winners: [1] }), 1, []);
    equal(shown()[0], "bar unknown", "it is not awaited");
  });

  test("the last verdict stays for a moment until the next one is known", () => {
    panel.update(playedMatch([3], { winners: [1, 2] }), 1, []);
    const match = playedMatch([3, 6], { winners: [1, 2] });
    panel.update(match, 2, []);
    pass(300);
    panel.update(match, 2, []);
    pass(199);
    deepEqual(shown(), ["bar two", "bob wins with perfect play"]);
    pass(1);
    deepEqual(shown(), ["bar unknown", "Working out who wins…"]);
    match.applyWinners({ ply: 2, winners: [1] });
    panel.update(match, 2, []);
    equal(shown()[0], "bar one");
    panel.update(playedMatch([3, 6, 2], { winners: [1, 2, 1] }), 3, []);
    pass(100);
    panel.update(match, 2, []);
    pass(1000);
    equal(shown()[0], "bar one", "a verdict ends the wait");
  });

  test("stars on the board are explained, where there is no blunder to be named", () => {
    const match = playedMatch([3, 6], { winners: [1, 2, 1] });
    const stars = new Map([[2, "winning"]]);
    for (const [ply, blunders, marks, text] of [
      [2, [], stars, "★ wins with perfect play."],
      [2, [], new Map([[2, "hint"]]), ""],
      [1, [0], stars, "?? ann gave up a winning position with 3."],
    ]) {
      panel.update(match, ply, blunders, marks);
      equal(note().textContent, text);
    }
  });

  test("a blunder is named after it", () => {
    const match = playedMatch([3, 6], { winners: [1, 2, 1] });
    panel.update(match, 1, [0, 1]);
    equal(note().textContent, "?? ann gave up a winning position with 3.");
    deepEqual([note().hidden, note().querySelector("b").textContent], [false, "?? "]);
    panel.update(match, 2, [0, 1]);
    equal(note().textContent, "?? bob gave up a winning position with 6.");
    panel.update(match, 0, [0, 1]);
    equal(note().textContent, "");
  });

  test("the graph has a lane for each player, a tick for each blunder and a cursor", () => {
    const match = playedMatch([3, 6, 2, 4], { winners: [1, 1, 2, 1, 1] });
    panel.update(match, 1, [1, 2]);
    deepEqual(paths(), ["one M0 0H2V1H0ZM3 0H5V1H3Z", "two M2 1H3V2H2Z"]);
    const [svg, ticks, cursor] = panel.graph.children;
    equal(svg.getAttribute("viewBox"), "0.5 0 4 2");
    equal(
      ticks.innerHTML,
      [
        [2, 50],
        [3, 75],
      ]
        .map(
          ([move, left]) =>
            `<span title="move ${move} gave up a winning position" style="left: ${left}%;"></span>`,
        )
        .join(""),
    );
    equal(cursor.style.left, "25%");
    const { firstChild } = ticks;
    panel.update(match, 2, [1, 2]);
    deepEqual([cursor.style.left, ticks.firstChild], ["50%", firstChild], "the rest stays");
    match.applyWinners({ ply: 4, winners: [2] });
    panel.update(match, 2, [1]);
    deepEqual([ticks.children.length, paths()[1]], [1, "two M2 1H3V2H2ZM4 1H5V2H4Z"]);
    panel.update(playedMatch([], { winners: [2] }), 0, []);
    deepEqual([svg.getAttribute("viewBox"), cursor.style.left], ["0.5 0 1 2", "0%"]);
    panel.update(playedMatch([3], { winners: [2, 1, 1] }), 1, []);
    equal(svg.getAttribute("viewBox"), "0.5 0 2 2", "verdicts may come before the moves");
  });

  test("a click on the graph selects the nearest position", () => {
    panel.update(playedMatch([3, 6, 2, 4], { winners: [1] }), 0, []);
    panel.graph.getBoundingClientRect = () => ({ left: 100, width: 400 });
    for (const clientX of [100, 149, 150, 500, 20, 600]) {
      panel.graph.dispatchEvent(new MouseEvent("click", { clientX }));
    }
    deepEqual(selected, [0, 0, 1, 4, 0, 4]);
  });
});
