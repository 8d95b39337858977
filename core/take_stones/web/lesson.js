// Take-Stones: its rules in sentences, and the board on which they are learnt.

/** @type {import("/types.js").Lesson} */
export const lesson = {
  setup: { stones: 12 },
  match: { stones: 40 },
  summary:
    "Take stones in turn: each must be a factor or a multiple of the one before, and who cannot move loses.",
  rules: [
    "The stones have the numbers from 1 on. Two players take them in turn.",
    "Player 1 begins with an odd stone below half of the number of stones.",
    "From then on each move takes a factor or a multiple of the stone taken last.",
    "A player who cannot move loses.",
  ],
};
