import { deepEqual, equal, match, throws } from "node:assert/strict";
import {
  commandLine,
  describeMove,
  explainIllegal,
  formatMove,
  isDrawable,
  legalMoves,
  parseMove,
} from "/boards/take_stones/rules.js";
import { test } from "../support/browser.js";

/** Return the legal moves by the words of the rules. */
function legalByTheRules(stones, moves) {
  const last = moves.at(-1);
  return Array.from({ length: stones }, (_, at) => at + 1).filter(stone => {
    if (moves.includes(stone)) return false;
    return last ? stone % last === 0 || last % stone === 0 : stone % 2 === 1 && stone < stones / 2;
  });
}

test("the legal moves follow the rules, in every game that takes the middle move", () => {
  for (const stones of [1, 2, 3, 6, 7, 8, 20, 100]) {
    const moves = [];
    for (let legal; ; moves.push(legal[legal.length >> 1])) {
      legal = legalMoves({ stones }, moves);
      deepEqual(legal, legalByTheRules(stones, moves), `${stones}: ${moves}`);
      if (!legal.length) break;
    }
  }
});

test("moves are written and read as the numbers of stones", () => {
  equal(formatMove(12), "12");
  deepEqual(["12", " 7 ", "999999999"].map(parseMove), [12, 7, 999999999]);
  for (const text of ["twelve", "1.5", "12x", "x12", " ", "1234567890", "-1"]) {
    const message = `A move is the number of a stone, such as 12, not “${text.trim()}”.`;
    throws(() => parseMove(text), { message });
  }
});

test("a legal move is a factor, a multiple or a first stone", () => {
  equal(describeMove({ stones: 31 }, [12], 3), "factor of 12");
  equal(describeMove({ stones: 31 }, [3, 12], 24), "multiple of 12");
  equal(describeMove({ stones: 31 }, [], 3), "odd and below 15.5");
});

test("the rule that forbids a move is named", () => {
  const explained = (moves, move) => explainIllegal({ stones: 20 }, moves, move);
  equal(explained([], 0), "There is no stone 0.");
  equal(explained([3], 21), "There is no stone 21.");
  equal(explained([3, 1], 3), "3 is already taken.");
  equal(explained([1, 3], 20), "20 is neither a factor nor a multiple of 3.");
  const first = move => `The first stone must be odd and below 10, which ${move} is not.`;
  deepEqual([explained([], 1 + 1), explained([], 11)], [first(2), first(11)]);
  match(explained([], 1), /^The first/);
});

test("the command line has the position, boards have at most 5000 stones", () => {
  equal(commandLine({ stones: 7 }, [3, 6], 4), "python -m core.take_stones 7 2 3 6 4");
  deepEqual(
    [5000, 5001].map(stones => isDrawable({ stones })),
    [true, false],
  );
});
