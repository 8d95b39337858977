// Messages of an arena, for the modules that show them, and connections to one.
import "./page.js";
import { MatchState } from "/match/match_state.js";
import { SpectatorConnection } from "/spectator_connection.js";
import { FakeSocket } from "./browser.js";

const number = (meaning, minimum, usual, maximum = null) => ({ meaning, minimum, maximum, usual });
const game = (name, title, parameters, facts = {}) => ({
  ...{ name, title, parameters, is_solved: false, has_board: false, has_matching: false },
  ...facts,
});

/** An open arena with two games. */
export const ARENA = {
  ...{ type: "about", run: "run 1", time: "5+0.05", is_open: true, tournament: null },
  games: [
    game(
      "take_stones",
      "Take-Stones",
      { stones: number("number of stones", 1, [7, 20]) },
      { is_solved: true },
    ),
    game("isolation", "Isolation", { size: number("size of the board", 4, [8], 8) }),
  ],
  offers: { random: ["take_stones"] },
};
/** Games with boards: one with a solver and matchings, one without, and one without a board. */
export const GAMES = [
  game(
    "take_stones",
    "Take-Stones",
    { stones: number("number of stones", 1, [20, 100]) },
    { is_solved: true, has_board: true, has_matching: true },
  ),
  game(
    "isolation",
    "Isolation",
    { size: number("size of the board", 3, [8], 8) },
    { has_board: true },
  ),
  game("nim", "Nim", {}),
];
export const TOURNAMENT = {
  ...{ game: "take_stones", format: "round-robin", bots: ["ann", "bob"], matches: 1200 },
  ...{ may_end_early: false, seed: 7, references: 0 },
};

/** Return a connection of a spectator with its socket, connected if there is an arena. */
export function connect(arena = ARENA) {
  const connection = new SpectatorConnection("ws://arena.test/watch");
  const socket = FakeSocket.latest;
  if (arena) socket.receive(arena);
  return { connection, socket };
}

/**
 * Return a connection to an arena that answers by itself, and the questions that it was asked.
 *
 * `answers` has a function by the type of each question. What it returns is sent as the answer; what
 * it throws as an error. With `isOpen` false the arena introduces itself when `open` is called.
 */
export function answeringArena(answers, { isOpen = true, ...about } = {}) {
  const asked = [];
  const { connection, socket } = connect(null);
  socket.send = async sent => {
    const { request, type, ...question } = JSON.parse(sent);
    asked.push({ type, ...question });
    try {
      socket.receive({ type, ...(await answers[type](question)), request });
    } catch ({ message }) {
      socket.receive({ type: "error", code: "bad", message, request });
    }
  };
  const open = () => socket.receive({ ...ARENA, games: GAMES, ...about });
  if (isOpen) open();
  return { connection, asked, open };
}

/** Return the latest socket of the person who plays. */
export const personSocket = () => FakeSocket.all.findLast(({ url }) => url.endsWith("/play"));

/** Return the messages of a type that the person has sent. */
export const sent = type =>
  personSocket()
    .questions(type)
    .map(({ type: _, ...message }) => message);

/** Submit the form of a person, whose name the arena accepts. */
export async function submit(socket, name = "Ann") {
  document.querySelector("form").requestSubmit();
  await socket.answer("check_name", { name, problem: null });
}

/** Admit the person, who is playing matches as player 1. */
export function admit(...matches) {
  const socket = personSocket();
  socket.open();
  socket.receive({ type: "welcome", session: "key" });
  for (const match of matches) socket.receive({ type: "started", match: String(match), you: 1 });
  return socket;
}

export const timeControl = (text, base_ms, increment_ms = 0, per_move = false) => ({
  ...{ text, base_ms, increment_ms, per_move },
});
export const CONTROL = timeControl("5+0", 5000);
export const UNTIMED = timeControl("86400/move", 86_400_000, 0, true);

/** Return the facts of a match of ann and bob. */
export const facts = (match, others = {}) => ({
  ...{ match, number: null, players: ["ann", "bob"], game: "take_stones", setup: { stones: 7 } },
  ...{ opening: 0, control: CONTROL, casual: false, started_at: 1.7e9, control2: null },
  ...others,
});

/** Return a result: the second player wins. */
export const result = (match, others = {}) => ({
  ...{ match, winner: 2, termination: "no_legal_move", reason: "player 1 (ann) cannot move" },
  ...{ finished_at: Date.now() / 1000 - 120 },
  ...others,
});

/** Return a finished match. */
export const summary = (match, fields = {}, ending = {}, plies = 6) => ({
  ...{ facts: facts(match, fields), result: result(match, ending), plies },
});

/** Return an update with moves from a ply on, each of 100 milliseconds unless `times` are given. */
export const moves = (match, ply, list, since = null, times = list.map(() => 100)) => ({
  ...{ match, ply, moves: list, charged_ms: times, since_ms: since },
});

/** The moves of a whole match of Take-Stones with 7 stones, which bob wins. */
export const MOVES = [3, 6, 2, 4, 1, 5];
export const RESULT = result(7, { finished_at: 0 });

/** Return the facts of match 7, with clocks of 10 seconds. */
export const matchFacts = others =>
  facts(7, { control: timeControl("10+1", 10_000, 1000), ...others });

/** Return the state of match 7 after some moves. */
export function playedMatch(list, { facts, result = null, winners, times, since = 0 } = {}) {
  const match = new MatchState(matchFacts(facts));
  match.apply(moves(7, 0, list, since, times));
  if (winners) match.applyWinners({ ply: 0, winners });
  if (result) match.finish(result);
  return match;
}

/** Return a row of a leaderboard. */
export const row = (bot, elo, others = {}) => ({
  ...{ bot, elo, margin: 20, wins: 3, draws: 0, losses: 1, pairs: [0, 0, 0], forfeits: 0 },
  ...{ accuracy: null },
  ...others,
});

/** Return the standings of a game. */
export const table = (bots, others = {}) => ({
  ...{ game: "take_stones", finished: 4, judged: 0, first_move: "First move: +12 +-34 Elo" },
  ...{ note: "", bots, meetings: [], omitted: 0, places: [], rounds: [], points: [] },
  ...others,
});

/** Return an encounter of two bots. */
export const encounter = (one, two, points = [0, 0], winner = null, decided = null) => [
  ...[[one, two], points, winner, decided],
];

/** The bracket of a knockout of five bots, which dan has won in sudden death. */
export const BRACKET = [
  [
    encounter("ann", null, [0, 0], "ann", "bye"),
    encounter("dan", "eve", [2, 0], "dan", "played"),
    encounter("bob", null, [0, 0], "bob", "bye"),
    encounter("cid", null, [0, 0], "cid", "bye"),
  ],
  [
    encounter("ann", "dan", [0.5, 1.5], "dan", "played"),
    encounter("bob", "cid", [2, 2], "bob", "seed"),
  ],
  [encounter("dan", "bob", [3, 1], "dan", "sudden death")],
];
export const CUP = {
  ...ARENA,
  tournament: { ...TOURNAMENT, format: "knockout", bots: ["ann", "bob", "cid", "dan", "eve"] },
};

/** Return the standing of a bot in a game. */
export const standing = (others = {}) => ({
  ...{ game: "take_stones", elo: 12.3, margin: 34.5, rank: 2, is_shared: false, rated: 5 },
  ...{ matches: 4, forfeits: {}, accuracy: null, judged: 0, opponents: [], omitted: 0 },
  ...others,
});

/** Return what is known of the latest matches of ann. */
export const botMatches = (others = {}) => ({
  ...{ type: "bot_matches", bot: "ann", game: "take_stones", matches: 4, since: null, setups: [] },
  ...{ omitted: 0, latest: 4, times: null, judged: 0, lost_wins: [], reported: null },
  ...others,
});

/** Return a puzzle, in which 8 wins. */
export const puzzle = (others = {}) => ({
  ...{ type: "puzzle", match: 1, players: ["ann", "bob"], game: "take_stones" },
  ...{ setup: { stones: 20 }, moves: [3, 6, 2], player: 2, legal_moves: [4, 8, 10] },
  ...{ winning_moves: [8], played: 4, plies_left: 12, misleads: null, level: 1, day: null },
  ...others,
});

/** A plot, and its size. */
export const PANEL = {
  ...{ title: "Ratings in Elo", description: "of 2 bots", x_label: "Elo", y_ticks: [[40, "ann"]] },
  x_ticks: [
    [30, "50"],
    [60, "100"],
  ],
  shapes: [
    ["dot", "M1 1", "ann: +5"],
    ["line", "M2 2", ""],
  ],
  ...{ labels: [["name", 3, 4, "bob"]], left: 20, right: 100, note: "95 % intervals" },
  has_rows: true,
};
export const SIZE = { width: 200, height: 100, top: 10, bottom: 80 };

/** Return an update of match 7, with moves of 100 milliseconds from a ply on unless `times` are given. */
export const moveUpdate = (list, ply = 0, { times, since = 0 } = {}) =>
  moves(7, ply, list, since, times);
