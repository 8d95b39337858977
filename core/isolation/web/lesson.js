// Isolation: its rules in sentences, and the board on which they are learnt.

/** @type {import("/types.js").Lesson} */
export const lesson = {
  setup: { size: 5 },
  match: { size: 6 },
  summary:
    "Move your piece as a queen in chess: the square that it leaves is filled, and who cannot move loses.",
  rules: [
    "The pieces x and o begin in opposite corners.",
    "A piece moves as a queen in chess: along a row, a column or a diagonal, any number of squares.",
    "The square that it leaves is filled. No piece moves through a filled square or the other piece.",
    "A player whose piece cannot move loses.",
  ],
};
