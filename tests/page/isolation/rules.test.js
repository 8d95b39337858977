import { deepEqual, equal, ok, throws } from "node:assert/strict";
import {
  commandLine,
  coordinates,
  corners,
  describeMove,
  explainIllegal,
  formatMove,
  isDrawable,
  legalMoves,
  parseMove,
  positionAfter,
  sideOf,
  squareAt,
} from "/boards/isolation/rules.js";
import { test } from "../support/browser.js";

/** Return the legal moves by the words of the rules: along a line, all squares of which are free. */
function legalByTheRules(side, moves) {
  const last = 8 * (side - 1) + side - 1;
  const ways = [0, 1].map(player => [
    [0, last][player],
    ...moves.filter((_, at) => at % 2 === player),
  ]);
  const blocked = new Set(ways.flat());
  const own = ways[moves.length % 2].at(-1);
  const [row, column] = [Math.floor(own / 8), own % 8];
  const isReached = (toRow, toColumn) => {
    const [down, right] = [toRow - row, toColumn - column];
    const length = Math.max(Math.abs(down), Math.abs(right));
    if (!length || ![0, length].includes(Math.abs(down)) || ![0, length].includes(Math.abs(right)))
      return false;
    const steps = Array.from({ length }, (_, at) => (at + 1) / length);
    return steps.every(share => !blocked.has(8 * (row + share * down) + column + share * right));
  };
  const squares = Array.from({ length: 64 }, (_, square) => square);
  return squares.filter(square => {
    const [toRow, toColumn] = [Math.floor(square / 8), square % 8];
    return toRow < side && toColumn < side && isReached(toRow, toColumn);
  });
}

test("the legal moves follow the rules, in every game that takes the middle move", () => {
  for (const size of [2, 3, 5, 8]) {
    const moves = [];
    for (let legal; ; moves.push(legal[Math.floor(legal.length / 2)])) {
      legal = legalMoves({ size }, moves);
      deepEqual(legal, legalByTheRules(size, moves), `${size}: ${moves}`);
      if (!legal.length) break;
    }
    ok(moves.length > 1);
  }
  deepEqual(legalMoves({}, [9]), legalMoves({ size: 8 }, [9]));
});

test("the pieces begin in opposite corners, and fill the squares that they leave", () => {
  deepEqual(corners({}), [0, 63]);
  deepEqual([corners({ size: 3 }), sideOf({}), sideOf({ size: 3 })], [[0, 18], 8, 3]);
  const { pieces, filled, turn } = positionAfter({ size: 3 }, [1, 17, 9]);
  deepEqual([pieces, [...filled], turn], [[9, 17], [0, 18, 1], 1]);
  equal(positionAfter({ size: 3 }, [1, 17]).turn, 0);
  deepEqual([coordinates(20), squareAt(2, 4), isDrawable()], [[2, 4], 20, true]);
});

test("squares are written with parentheses, and read without, too", () => {
  deepEqual([0, 20, 63].map(formatMove), ["(1 1)", "(3 5)", "(8 8)"]);
  const texts = ["3 5", " (3 5) ", "3,5", "(3, 5)", "( 3 5 )"];
  deepEqual(
    texts.map(parseMove),
    texts.map(() => 20),
  );
  deepEqual(["1 1", "8 8"].map(parseMove), [0, 63]);
  for (const text of ["3 9", "0 1", "35", "", " 3 ", "3 5 1", "x3 5"]) {
    const message = `A move is a row and a column from 1 to 8, such as 3 5, not “${text.trim()}”.`;
    throws(() => parseMove(text), { message });
  }
});

for (const [moves, move, line] of [
  [[], 5, "row"],
  [[], 16, "column"],
  [[], 27, "diagonal"],
  [[1], 60, "row"],
  [[1, 60, 17], 20, "column"],
  [[1, 60, 17], 39, "diagonal"],
]) {
  test(`${formatMove(move)} is along the ${line} after ${moves.length} moves`, () => {
    equal(describeMove({}, moves, move), `along the ${line}`);
  });
}

for (const [moves, move, words] of [
  [[], 0, "There is a piece on (1 1)."],
  [[], 63, "There is a piece on (8 8)."],
  [[], 17, "(3 2) is on no row, column or diagonal of (1 1)."],
  [[1, 60], 0, "(1 1) is filled: a piece has left it."],
  [[2, 60, 1, 59], 3, "The way from (1 2) to (1 4) is not free."],
  [[16, 60, 8, 59], 24, "The way from (2 1) to (4 1) is not free."],
  [[18, 60, 9, 59], 27, "The way from (2 2) to (4 4) is not free."],
  [[9], 40, "(6 1) is on no row, column or diagonal of (8 8)."],
]) {
  test(words, () => equal(explainIllegal({}, moves, move), words));
}

test("the command has the board as its input", () => {
  const command = turn => `python -m core.isolation answer ${turn} 60 4 <<END\n`;
  equal(commandLine({ size: 3 }, [1, 17], 4), `${command("x")}* x -\n- - -\n- o *\nEND`);
  equal(commandLine({ size: 2 }, [1], 4), `${command("o")}* x\n- o\nEND`);
});
