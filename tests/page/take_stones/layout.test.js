import { deepEqual, equal, ok } from "node:assert/strict";
import { primeFactorRows } from "/boards/take_stones/graph.js";
import { arrange, commonLength } from "/boards/take_stones/stone_cells.js";
import { test } from "../support/browser.js";

const STONES = [1, 7, 9, 14, 20, 26, 30, 31, 50, 90, 100, 160, 200, 350, 500, 1000, 3000];

for (const [size, columns, pitches] of [
  [
    "366 × 500",
    "1 4 3 4 4 4 6 5 5 10 10 10 15 20 20 20 20",
    "104 92 104 92 92 71 61 71 50 37 37 31 24 18 18 18 18",
  ],
  [
    "800 × 655",
    "1 7 3 7 5 7 6 5 10 10 10 15 15 20 25 40 60",
    "104 104 104 104 104 104 104 94 80 73 66 53 47 36 32 20 13",
  ],
  [
    "700 × 500",
    "1 7 3 7 5 7 6 10 10 10 10 15 20 25 25 40 60",
    "104 100 104 100 104 100 100 70 70 56 50 45 35 28 25 18 12",
  ],
  [
    "1200 × 500",
    "1 7 9 7 10 9 10 10 10 15 15 20 25 30 40 50 60",
    "104 104 104 104 104 104 104 104 100 80 71 60 48 40 30 24 18",
  ],
  [
    "300 × 900",
    "1 1 3 2 3 3 3 5 5 5 5 10 10 10 15 15 15",
    "104 104 100 104 100 100 90 60 60 50 45 30 30 26 20 18 18",
  ],
  [
    "1800 × 300",
    "1 7 9 14 10 13 15 20 20 25 25 40 40 50 50 60 60",
    "104 104 104 104 104 104 104 90 90 72 72 45 45 36 30 18 18",
  ],
]) {
  test(`the columns of boards in ${size} pixels`, () => {
    const [width, height] = size.split(" × ").map(Number);
    const boards = STONES.map(stones => arrange(stones, width, height));
    equal(boards.map(board => board.columns).join(" "), columns);
    equal(boards.map(board => Math.round(board.pitch)).join(" "), pitches);
  });
}

test("the sizes of stones have limits", () => {
  equal(arrange(12, 4000, 4000).pitch, 104);
  equal(arrange(12, 4000, 4000, { largest: 50 }).pitch, 50);
  equal(arrange(1000, 366, 100, { smallest: 0 }).pitch < 18, true);
});

test("many stones are in rows that begin at round numbers", () => {
  for (let stones = 31; stones < 2000; stones += 13) {
    const { columns } = arrange(stones, 1900, 900);
    equal(columns % (columns > 30 ? 10 : 5), 0);
    ok(columns <= 60);
  }
});

test("the common beginning of moves is measured", () => {
  const lengths = [
    [[], [1]],
    [
      [1, 2, 3],
      [1, 2, 4],
    ],
    [
      [1, 2],
      [1, 2, 4],
    ],
    [[1, 2, 3], [1]],
    [
      [2, 2],
      [1, 2],
    ],
  ].map(([one, other]) => commonLength(one, other));
  deepEqual(lengths, [0, 2, 2, 1, 0]);
});

test("stones are in rows by their number of prime factors", () => {
  /** Count prime factors by trial division. */
  const factors = (number, least = 2) => {
    if (number === 1) return 0;
    return number % least ? factors(number, least + 1) : 1 + factors(number / least, least);
  };
  for (const stones of [1, 2, 16, 100]) {
    const rows = primeFactorRows(stones);
    const found = rows.flatMap((row, count) => row.map(stone => [stone, count]));
    const expected = Array.from({ length: stones }, (_, at) => [at + 1, factors(at + 1)]);
    deepEqual(
      found.sort(([one], [other]) => one - other),
      expected,
    );
    for (const row of rows)
      deepEqual(
        row,
        [...row].sort((one, other) => one - other),
      );
  }
});
