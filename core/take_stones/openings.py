"""The opening statistics' command line, `python -m core.take_stones.openings`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.cli import UsageError, json_list, main, number, shown, split_options, write
from core.playout import PLAYERS, Playouts
from core.take_stones.board import Board
from core.take_stones.playout import playouts
from core.take_stones.solver import Solver

USAGE = (
    "python -m core.take_stones.openings <#stones> [--plies <k>] [--games <number>] "
    "[--players <player>,<player>] [--seed <number>] [--json]"
)

HELP = f"""\
Usage: {USAGE}

Take-Stones: play many games from each opening, and compare the results with perfect play.

  <#stones>                    how many stones the game has: 1, 2, ... n
  --plies <k>                  moves of an opening (default: 1, at most 20); a game that ends
                               earlier is an opening too
  --games <number>             games from each opening (default: 100000)
  --players <player>,<player>  player 1 and player 2, each {" or ".join(PLAYERS)} (default:
                               random,random)
  --seed <number>              seed of the random players (default: 1)
  --json                       print a JSON list with an object for each opening

A random player plays each legal move with the same probability. A greedy player plays the move that
leaves its opponent the fewest replies, the smallest of several: two greedy players play the same
game every time, for which --games 1 suffices.

Each row has an opening, its winner under perfect play (solver), the games that player 1 won with
their 95 % confidence interval, and the mean number of moves of a game with those of the opening.

Example: the first moves of 20 stones

  $ python -m core.take_stones.openings 20
  winner    player 1 wins  interval         moves  opening
  player 2        40.45 %  40.14 - 40.75 %   7.81  1
  player 1        49.64 %  49.33 - 49.95 %   8.38  3
  player 1        49.87 %  49.56 - 50.18 %   8.61  5
  player 1        52.63 %  52.32 - 52.94 %   9.50  7
  player 1        51.34 %  51.03 - 51.65 %   9.28  9

Exit status: 0 with an answer, 1 if there is no opening or the answer cannot be written, 2 for
arguments that make no sense, 130 after Ctrl-C.
"""

OPTIONS = {
    "--plies": "<k>",
    "--games": "<number>",
    "--players": "<player>,<player>",
    "--seed": "<number>",
    "--json": "",
}

LIMITS = {"plies": 20, "games": 10**12}

HEAD = "winner    player 1 wins  interval         moves  opening\n"


class Plan(NamedTuple):
    """The plies of an opening, and the games to play from each."""

    plies: int
    games: int
    players: tuple[str, str]
    seed: int


class Row(NamedTuple):
    """An opening, its winner under perfect play, and the games that were played from it."""

    opening: list[int]
    winner: int
    played: Playouts

    @property
    def mean_length(self) -> float:
        """The mean number of moves of a game, including its opening."""
        return len(self.opening) + self.played.mean_length


def openings(solver: Solver, board: Board, plies: int) -> Iterator[int]:
    """Play each opening of `plies` plies, or to the end of the game, and yield its winner."""
    if plies == 0 or board.is_over:
        player = board.player_to_move
        yield player if solver.winning_moves() else 3 - player
        return
    for move in board.legal_moves():
        solver.take(move)
        board.take(move)
        yield from openings(solver, board, plies - 1)
        board.undo()
        solver.undo()


def play(solver: Solver, plan: Plan) -> Iterator[Row]:
    """Yield a row for each opening."""
    board = solver.board
    for place, winner in enumerate(openings(solver, board, plan.plies)):
        # Each opening has random numbers of its own.
        seed = (plan.seed << 32) + place
        yield Row(board.taken, winner, playouts(board, plan.games, seed, plan.players))


def as_text(rows: Iterator[Row]) -> Iterator[str]:
    """The rows as a table, piece by piece."""
    yield HEAD
    for row in rows:
        low, high = (f"{100 * bound:.2f}" for bound in row.played.interval)
        yield (
            f"player {row.winner}  {100 * row.played.share:11.2f} %  {low:>5} - {high:>5} %"
            f" {row.mean_length:6.2f}  {' '.join(map(str, row.opening))}\n"
        )


def as_list(n: int, rows: Iterator[Row]) -> Iterator[str]:
    """The rows as a JSON list, piece by piece."""
    return json_list(as_object(n, row) for row in rows)


def as_object(n: int, row: Row) -> dict[str, object]:
    """A row as an object."""
    return {
        "n": n,
        "opening": row.opening,
        "winner": row.winner,
        "games": row.played.games,
        "wins": row.played.wins,
        "share": round(row.played.share, 6),
        "interval": [round(bound, 6) for bound in row.played.interval],
        "mean_length": round(row.mean_length, 6),
    }


def parse_players(text: str) -> tuple[str, str]:
    """The two players that an argument names."""
    names = text.split(",")
    for name in names:
        if name not in PLAYERS:
            raise UsageError(f"unknown player {shown(name)} (choose from {', '.join(PLAYERS)})")
    if len(names) != 2:
        raise UsageError(f"--players needs two players, not {len(names)}")
    return names[0], names[1]


def parse(options: dict[str, list[str]]) -> Plan:
    """The plan that the options describe. Raises UsageError."""

    def value(name: str, default: int, meaning: str) -> int:
        return number(options[name][0], meaning) if name in options else default

    plies = value("--plies", 1, "the number of plies")
    games = value("--games", 100_000, "the number of games")
    for count, unit in ((plies, "plies"), (games, "games")):
        if not 1 <= count <= LIMITS[unit]:
            raise UsageError(f"the number of {unit} must be from 1 to {LIMITS[unit]}, not {count}")
    players = parse_players(options.get("--players", ["random,random"])[0])
    return Plan(plies, games, players, value("--seed", 1, "the seed"))


def run(arguments: Sequence[str]) -> str:
    """Print the rows as they are computed, and return the remaining text. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    others, options = split_options(arguments, OPTIONS, USAGE)
    if len(others) != 1:
        raise UsageError(f"one #stones is needed, not {len(others)}; usage: {USAGE}")
    stones = number(others[0], "#stones", 1)
    plan = parse(options)
    try:
        solver = Solver(Board(stones))
        if solver.board.is_over:
            raise UsageError("there is no opening: player 1 (Max) cannot move and loses", 1)
        rows = play(solver, plan)
        for piece in as_list(stones, rows) if "--json" in options else as_text(rows):
            write(piece)
    except MemoryError:
        raise UsageError(
            f"#stones {shown(others[0])} is too large for this machine's memory"
        ) from None
    return ""


if __name__ == "__main__":
    main("take_stones.openings", run)
