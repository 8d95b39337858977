import { deepEqual, equal, match, ok } from "node:assert/strict";
import { describe } from "node:test";
import { Board, drawThumbnail, lesson } from "/boards/isolation/board.js";
import { resize, setSizes, test, testAfter } from "../support/browser.js";
import { picture, recordCanvases, setColours } from "../support/canvases.js";
import { all } from "../support/elements.js";

describe("isolation board", () => {
  const chosen = [];
  const create = (size = 3) => new Board({ size }, { onMove: square => chosen.push(square) });
  const cells = board => all("[role=gridcell]", board.element);
  const look = ({ className, ariaLabel, textContent }) =>
    [className, ariaLabel, textContent].join("; ");
  const line = board => board.element.querySelector("path");

  test("squares are free, filled or have a piece, and legal ones say so", () => {
    const board = create();
    board.show({
      moves: [1, 17, 9],
      ply: 2,
      marks: new Map([
        [2, "winning"],
        [8, "hint"],
      ]),
    });
    deepEqual(cells(board).map(look), [
      "square filled; row 1 column 1, filled; ",
      "square piece one turn; row 1 column 2, player 1, x; x",
      "square legal winning; row 1 column 3, free, legal: along the row, wins; ",
      "square legal hint; row 2 column 1, free, legal: along the diagonal, a hint; ",
      "square legal; row 2 column 2, free, legal: along the column; ",
      "square legal; row 2 column 3, free, legal: along the diagonal; ",
      "square; row 3 column 1, free; ",
      "square piece two last; row 3 column 2, player 2, o, the last move; o",
      "square filled; row 3 column 3, filled; ",
    ]);
    board.show({ moves: [1, 17, 9] });
    const [, , , , middle, , , second] = cells(board).map(look);
    equal(middle, "square piece one last; row 2 column 2, player 1, x, the last move; x");
    equal(second, "square piece two turn; row 3 column 2, player 2, o; o");
  });

  test("the board is labelled, with numbers at its rims", () => {
    const board = create();
    equal(board.element.querySelector("[role=grid]").getAttribute("aria-label"), "3 by 3 squares");
    const rims = all(".rim", board.element);
    deepEqual(
      rims.map(rim => `${rim.className} ${rim.textContent}`),
      ["rim columns 123", "rim rows 123"],
    );
    equal(board.element.querySelectorAll("[role=row]").length, 3);
    equal(board.element.style.getPropertyValue("--side"), "3");
    equal(board.element.className, "board");
    equal(board.element.firstChild.className, "board-frame with-rim");
    const hidden = [...rims, board.element.querySelector(".chain")];
    for (const part of hidden) equal(part.getAttribute("aria-hidden"), "true");
    equal(board.element.querySelector("svg").getAttribute("viewBox"), "0 0 3 3");
  });

  test("a player chooses legal squares, with the focus at the own piece first", () => {
    const board = create();
    const tabStop = () => cells(board).findIndex(({ tabIndex }) => tabIndex === 0);
    board.show({ moves: [1, 17] });
    equal(tabStop(), 1);
    for (const cell of cells(board)) cell.click();
    board.show({ moves: [1], isInteractive: true });
    for (const cell of cells(board)) cell.animate = () => {};
    for (const cell of cells(board)) cell.click();
    deepEqual([chosen.splice(0), tabStop()], [[2, 9, 10, 16, 17], 8]);
  });

  test("a line leads to the last move", () => {
    const board = create(5);
    const drawn = moves => {
      board.show({ moves });
      return `${line(board).getAttribute("class")} ${line(board).getAttribute("d")}`;
    };
    deepEqual([drawn([]), drawn([2])], ["two ", "one M0.5 0.5L2.04 0.5"]);
    equal(drawn([2, 28]), "two M4.5 4.5L4.5 3.96");
    equal(drawn([2, 28, 26]), "one M2.5 0.5L2.5 3.04");
    const [, x, y] = /L(\S+) (\S+)/.exec(drawn([18]));
    ok(Math.abs(Math.hypot(x - 2.5, y - 2.5) - 0.46) < 1e-9, "ends at the edge of the piece");
  });

  test("the squares fill the window or the width, up to a limit", () => {
    const square = board => board.element.style.getPropertyValue("--square");
    const board = create(8);
    equal(square(board), "46px"); // (400 - 28) / 8, before it is placed
    resize(board.element, { clientWidth: 366 });
    equal(square(board), "42px");
    happyDOM.setViewport({ width: 2000, height: 2000 });
    resize(board.element, { clientWidth: 1500 });
    equal(square(board), "90px");
    happyDOM.setViewport({ width: 500, height: 2000 });
    equal(square(create(8)), "56px");
    happyDOM.setViewport({ width: 1280, height: 800 });
  });

  test("the lesson can be played on a small board", () => {
    deepEqual([lesson.setup, lesson.rules.length], [{ size: 5 }, 4]);
    for (const rule of lesson.rules) match(rule, /^[A-Z].*\.$/);
    match(lesson.rules[0], /opposite corners/);
    match(lesson.rules[1], /as a queen in chess/);
    match(lesson.rules[2], /^The square that it leaves is filled/);
    match(lesson.rules[3], /cannot move loses/);
  });
});

describe("isolation thumbnail", () => {
  const test = testAfter(() => {
    recordCanvases();
    return setColours();
  });
  test("free and filled squares and both pieces are drawn", () => {
    const canvas = document.createElement("canvas");
    setSizes(canvas, { clientWidth: 40, clientHeight: 20 });
    drawThumbnail(canvas, { size: 2 }, [1]);
    const square = (x, y, colour = "shade") => [`fillStyle ${colour}`, `fillRect ${x} ${y} 9 9`];
    deepEqual(picture(canvas), [
      "scale 1 1",
      "clearRect 0 0 40 20",
      ...[square(10, 0, "pit"), square(20, 0), square(10, 10), square(20, 10)].flat(),
      ...["fillStyle one", "beginPath", "arc 24.5 4.5 3.8 0 7", "fill"],
      ...["fillStyle two", "beginPath", "roundRect 20.9 10.9 7.2 7.2 1.8", "fill"],
    ]);
  });

  test("the board is in the middle of a high canvas, too", () => {
    const canvas = document.createElement("canvas");
    setSizes(canvas, { clientWidth: 20, clientHeight: 60 });
    drawThumbnail(canvas, { size: 2 }, []);
    equal(picture(canvas)[3], "fillRect 0 20 9 9");
  });
});
