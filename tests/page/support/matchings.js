// Matchings of Take-Stones as the arena sends them: of 8 stones, of which 3 is taken.

/** Return the pairs of a text such as "1-2 1-3". */
export const pairs = text => text.split(" ").map(pair => pair.split("-").map(Number));

const MEANINGS = {
  outer: "a matching may leave it out",
  inner: "it has an outer neighbour",
  other: "it has no outer neighbour",
  last: "it was taken last",
};

/** The position is lost: the last stone has no partner. */
export const LOST = {
  player: 2,
  nodes: [
    [1, "inner", 0, "1 is a factor of 3"],
    [2, "other", 1, null],
    [3, "last", 1, null],
    [5, "outer", 1, null],
    [7, "outer", 1, null],
    [4, "other", 2, null],
    [6, "other", 2, "6 is a multiple of 3"],
    [8, "other", 3, null],
  ],
  edges: pairs("1-2 1-3 1-4 1-5 1-6 1-7 1-8 2-4 2-6 2-8 3-6 4-8"),
  pairs: pairs("1-7 2-6 4-8"),
  kinds: MEANINGS,
  last: 3,
  winning_moves: [],
  answer: null,
  sentences: ["Player 1 wins: 3 has no partner.", "The rest is play."],
};

/** The position after 3 and 6, in which 2 wins by this matching, and 1 by another one. */
export const WON = {
  ...LOST,
  player: 1,
  nodes: [
    [1, "outer", 0, "1 is a factor of 6"],
    [2, "outer", 1, "2 is a factor of 6"],
    [6, "last", 2, null],
    [4, "other", 2, null],
  ],
  edges: pairs("1-2 1-6 2-6 1-4 2-4"),
  pairs: pairs("2-6 1-4"),
  last: 6,
  winning_moves: [1, 2],
  answer: 2,
};

/** Return a matching of many moves, of which each odd one is the partner of the next, up to `paired`. */
export function manyMoves(count, paired, more = {}) {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const nodes = numbers.map(move => [move, "outer", move % 3, move % 10 ? null : "legal"]);
  const pairs = numbers.filter(move => move % 2 && move < paired).map(move => [move + 1, move]);
  const facts = { kinds: { outer: "" }, winning_moves: [], last: null };
  return { nodes, pairs, edges: pairs, ...facts, ...more };
}
