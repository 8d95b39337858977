// Take-Stones: its rules in sentences, and the board on which they are learnt.

/** @type {import("/types.js").Lesson} */
export const lesson = {
  setup: { stones: 12 },
  rules: [
    "The stones have the numbers from 1 on. Two players take them in turn.",
    "Player 1 begins with an odd stone below half of the number of stones.",
    "From then on each move takes a factor or a multiple of the stone taken last.",
    "A player who cannot move loses.",
  ],
};
