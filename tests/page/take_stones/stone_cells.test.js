import { deepEqual, equal } from "node:assert/strict";
import { describe } from "node:test";
import { RelevantStones, StoneCells } from "/boards/take_stones/stone_cells.js";
import { test } from "../support/browser.js";
import { pairs } from "../support/matchings.js";

const SETUP = { stones: 12 };
const MARKS = new Map([
  [4, "winning"],
  [8, "hint"],
]);

describe("stone_cells", () => {
  /** Return how stones look and are read out. */
  const looks = ({ grid }, ...stones) =>
    stones.map(stone => {
      const { className, ariaLabel, dataset } = grid.cells[stone - 1];
      return [className, ariaLabel, dataset.ply].join("; ");
    });

  test("a new board has free stones with their numbers", () => {
    const { grid } = new StoneCells({ stones: 1001 }, "stones", undefined);
    deepEqual(looks({ grid }, 1), ["stone; stone 1, free; "]);
    deepEqual(
      [0, 1000].map(at => grid.cells[at].textContent),
      ["1", "1001"],
    );
    deepEqual(
      [998, 999].map(at => grid.cells[at].dataset.long),
      [undefined, ""],
    );
    const { ariaLabel, className } = grid.element;
    deepEqual([grid.element.getAttribute("aria-label"), className], ["stones", "stones"]);
    equal(ariaLabel, undefined);
  });

  test("stones are free, legal, taken or the last, with their marks", () => {
    const cells = new StoneCells(SETUP, "stones");
    cells.show({ moves: [3, 1, 2, 12], ply: 3, marks: MARKS, isInteractive: true });
    deepEqual(looks(cells, 1, 2, 3, 4, 5, 8, 10, 12), [
      "stone taken two; stone 1, taken by player 2 as move 2; 2",
      "stone taken one last; stone 2, taken by player 1 as move 3, the last; 3",
      "stone taken one; stone 3, taken by player 1 as move 1; 1",
      "stone legal multiple winning; stone 4, free, legal: multiple of 2, wins; ",
      "stone; stone 5, free; ",
      "stone legal multiple hint; stone 8, free, legal: multiple of 2, a hint; ",
      "stone legal multiple; stone 10, free, legal: multiple of 2; ",
      "stone legal multiple; stone 12, free, legal: multiple of 2; ",
    ]);
    deepEqual(
      [2, 4].map(stone => cells.isTaken(stone)),
      [true, false],
    );
    deepEqual(
      [cells.moves, cells.legal],
      [
        [3, 1, 2],
        [4, 6, 8, 10, 12],
      ],
    );
    equal(cells.isInteractive, true);
  });

  test("a matching names partners and the reply", () => {
    const cells = new StoneCells(SETUP, "stones");
    equal(cells.answer, null);
    const matching = { pairs: pairs("3-6 5-10"), answer: 6 };
    cells.show({ moves: [3], matching });
    deepEqual(looks(cells, 3, 6, 9, 10), [
      "stone taken one last; stone 3, taken by player 1 as move 1, the last, partner 6; 1",
      "stone legal multiple reply; stone 6, free, legal: multiple of 3, partner 3; ",
      "stone legal multiple; stone 9, free, legal: multiple of 3; ",
      "stone; stone 10, free, partner 5; ",
    ]);
    deepEqual([cells.answer, cells.partners.get(10)], [6, 5]);
    cells.show({ moves: [3] });
    deepEqual([looks(cells, 10), cells.answer], [["stone; stone 10, free; "], null]);
  });

  test("each position looks the same, whichever was shown before", () => {
    const all = SETUP.stones;
    const views = [
      { moves: [] },
      { moves: [3, 1, 2, 4, 8] },
      { moves: [3, 1, 2, 4, 8], ply: 1, marks: MARKS },
      { moves: [3, 1, 2, 4], marks: new Map([[8, "winning"]]) },
      { moves: [5, 1, 2, 4], matching: { pairs: [[8, 12]], answer: 8 } },
      { moves: [5, 1, 7], matching: { pairs: [[2, 8]], answer: null } },
      { moves: [1, 99] }, // an illegal one
    ];
    const numbers = Array.from({ length: all }, (_, at) => at + 1);
    const fresh = views.map(view => {
      const cells = new StoneCells(SETUP, "stones");
      cells.show(view);
      return looks(cells, ...numbers);
    });
    for (const one of views) {
      const cells = new StoneCells(SETUP, "stones");
      for (const [at, other] of views.entries()) {
        cells.show(one);
        cells.show(other);
        deepEqual(looks(cells, ...numbers), fresh[at], JSON.stringify([one, other]));
      }
    }
  });

  test("Tab leads a player to the first legal stone, a spectator to the last move", () => {
    const cells = new StoneCells(SETUP, "stones");
    const tabStop = () => cells.grid.cells.findIndex(({ tabIndex }) => tabIndex === 0) + 1;
    cells.show({ moves: [4] });
    equal(tabStop(), 4);
    cells.show({ moves: [3, 1, 2], isInteractive: true });
    equal(tabStop(), 4);
    cells.show({ moves: [3, 6], isInteractive: true });
    equal(tabStop(), 1);
  });

  test("only a player chooses a legal stone", () => {
    const chosen = [];
    const cells = new StoneCells(SETUP, "stones", stone => chosen.push(stone));
    cells.grid.layOut(6);
    cells.grid.cells[5].animate = () => {};
    for (const isInteractive of [false, true]) {
      cells.show({ moves: [3], isInteractive });
      for (const stone of [6, 9]) cells.grid.cells[stone - 1].click();
    }
    deepEqual(chosen, [6, 9]);
  });
});

describe("relevant", () => {
  const chosen = [];
  const stones = new RelevantStones(SETUP, stone => chosen.push(stone));
  const [latest, legal] = stones.element.querySelectorAll("[role=group]");
  const view = { moves: [3, 1, 2], legal: [4, 6, 8, 10, 12], marks: MARKS, isInteractive: true };

  test("the latest moves are shown in order", () => {
    stones.show(view, 2);
    equal(
      latest.innerHTML,
      '<span class="stone taken two" role="img" aria-label="stone 1, move 2" data-ply="2">1</span>' +
        '<span class="stone taken one" role="img" aria-label="stone 2, move 3" data-ply="3">2</span>',
    );
    stones.show(view, 7);
    equal(latest.textContent, "312");
    const heads = [...stones.element.querySelectorAll("p.hint")].map(
      ({ textContent }) => textContent,
    );
    deepEqual(heads, ["Latest moves", "Legal stones"]);
    const labels = [latest, legal].map(group => group.getAttribute("aria-label"));
    deepEqual(labels, ["Latest stones", "Legal stones"]);
  });

  test("the legal stones are buttons, the marked ones first", () => {
    stones.show(view, 7);
    const buttons = [...legal.children];
    equal(buttons.map(({ textContent }) => textContent).join(), "4,8,6,10,12");
    equal(
      buttons[0].outerHTML,
      '<button type="button" class="stone legal multiple winning" ' +
        'aria-label="stone 4, multiple of 2, wins">4</button>',
    );
    const label = at => buttons[at].getAttribute("aria-label");
    deepEqual([label(1), label(2)], ["stone 8, multiple of 2, a hint", "stone 6, multiple of 2"]);
    equal(buttons[2].className, "stone legal multiple");
    buttons[2].click();
    deepEqual(chosen.splice(0), [6]);
  });

  test("a spectator chooses none", () => {
    stones.show({ ...view, isInteractive: false }, 7);
    equal(legal.firstChild.getAttribute("aria-disabled"), "true");
    legal.firstChild.click();
    deepEqual(chosen, []);
  });

  test("the focus stays among the legal stones", () => {
    document.body.append(stones.element);
    stones.show(view, 7);
    equal(document.activeElement, document.body);
    legal.children[3].focus();
    stones.show({ ...view, legal: [6, 12] }, 7);
    equal(document.activeElement, legal.firstChild);
    stones.show({ ...view, legal: [] }, 7);
    stones.element.remove();
  });
});
