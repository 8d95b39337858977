// Messages of an arena, for the modules that show them.
import { SpectatorConnection } from "../../../arena/web/spectator_connection.js";
import { FakeSocket } from "./simulated_browser.js";

const STONES = {
  name: "take_stones",
  title: "Take-Stones",
  parameters: {
    stones: { meaning: "number of stones", minimum: 1, maximum: null, usual: [7, 20] },
  },
  is_solved: true,
  has_board: false,
  has_matching: false,
};
const ISOLATION = {
  name: "isolation",
  title: "Isolation",
  parameters: { size: { meaning: "size of the board", minimum: 4, maximum: 8, usual: [8] } },
  is_solved: false,
  has_board: false,
  has_matching: false,
};

/** An open arena with two games. */
export const ARENA = {
  type: "about",
  run: "run 1",
  time: "5+0.05",
  games: [STONES, ISOLATION],
  is_open: true,
  offers: { random: ["take_stones"] },
  tournament: null,
};
export const TOURNAMENT = {
  game: "take_stones",
  format: "round-robin",
  bots: ["ann", "bob"],
  matches: 1200,
  may_end_early: false,
  seed: 7,
};
export const CONTROL = { text: "5+0", base_ms: 5000, increment_ms: 0, per_move: false };
export const UNTIMED = { text: "86400/move", base_ms: 86_400_000, increment_ms: 0, per_move: true };

/** Return a connection of a spectator with its socket, connected if there is an arena. */
export function connect(arena = ARENA) {
  const connection = new SpectatorConnection("ws://arena.test/watch");
  const socket = FakeSocket.latest;
  if (arena) socket.receive(arena);
  return { connection, socket };
}

/** Return the facts of a match of ann and bob. */
export const facts = (match, others = {}) => ({
  match,
  number: null,
  players: ["ann", "bob"],
  game: "take_stones",
  setup: { stones: 7 },
  opening: 0,
  control: CONTROL,
  casual: false,
  started_at: 1.7e9,
  control2: null,
  ...others,
});

/** Return a result: the second player wins. */
export const result = (match, others = {}) => ({
  match,
  winner: 2,
  termination: "no_legal_move",
  reason: "player 1 (ann) cannot move",
  finished_at: Date.now() / 1000 - 120,
  ...others,
});

/** Return a finished match. */
export const summary = (match, fields = {}, ending = {}, plies = 6) => ({
  facts: facts(match, fields),
  result: result(match, ending),
  plies,
});

export const moves = (match, ply, list, since = null) => ({
  match,
  ply,
  moves: list,
  charged_ms: list.map(() => 100),
  since_ms: since,
});

/** Return a row of a leaderboard. */
export const row = (bot, elo, others = {}) => ({
  bot,
  elo,
  margin: 20,
  wins: 3,
  draws: 0,
  losses: 1,
  pairs: [0, 0, 0],
  forfeits: 0,
  accuracy: null,
  ...others,
});

/** Return the standings of a game. */
export const table = (bots, others = {}) => ({
  game: "take_stones",
  finished: 4,
  judged: 0,
  first_move: "First move: +12 +-34 Elo",
  note: "",
  bots,
  meetings: [],
  blocks: [],
  omitted: 0,
  places: [],
  ...others,
});

/** A plot, and its size. */
export const PANEL = {
  title: "Ratings in Elo",
  description: "of 2 bots",
  x_label: "Elo",
  x_ticks: [
    [30, "50"],
    [60, "100"],
  ],
  y_ticks: [[40, "ann"]],
  shapes: [
    ["dot", "M1 1", "ann: +5"],
    ["line", "M2 2", ""],
  ],
  labels: [["name", 3, 4, "bob"]],
  left: 20,
  right: 100,
  note: "95 % intervals",
  has_rows: true,
};
export const SIZE = { width: 200, height: 100, top: 10, bottom: 80 };
