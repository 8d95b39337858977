"""The solver's command line, `python -m core.take_stones.solve`."""

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

from core.cli import UsageError, json_list, main, number, shown, split_options, write
from core.game import IllegalMove
from core.take_stones.board import Board
from core.take_stones.solver import Solution, WinningOpenings, solve

USAGE = (
    "python -m core.take_stones.solve <#stones> [--taken <stone>,<stone>...] [--json] | "
    "--range <first> <last> [--json] [--output <file>]"
)

HELP = f"""\
Usage: {USAGE}

Take-Stones: find the winner of a position under perfect play, and the winning moves.

  <#stones>               how many stones the game has: 1, 2, ... n
  --taken <stone>,...     the stones taken, from first to last; without it, none
  --range <first> <last>  list the winner and the winning first moves for each of these #stones,
                          as comma-separated values
  --output <file>         write what --range finds to a file that ends in .csv or .json; it gets
                          its name when it is complete
  --json                  print JSON: an object for a position, a list of objects for --range

The stones taken must be a game by the rules: each is a factor or a multiple of the one before,
and none is taken twice. Only the first may be any stone, as in the official test cases.

The answer comes from a maximum matching of the remaining stones, in which stones are paired if one
divides the other. Outer stones are those that some maximum matching leaves unmatched, inner stones
are neighbours of outer ones; a move wins if it takes an outer stone. If the game is over, the
answer names the loser; that is no error.

Example: 20 stones, of which 3 and 6 have been taken

  $ python -m core.take_stones.solve 20 --taken 3,6
  To move: player 1 (Max)
  Winner: player 1 (Max)
  Winning moves: 2 12
  Matched pairs: 7
  Unmatched stones: 4
  Outer stones: 14
  Inner stones: 4
  Other stones: 0
  Seconds: 0.000025

Exit status: 0 with an answer, 1 if it cannot be written, 2 for arguments that make no sense, 130
after Ctrl-C.
"""

OPTIONS = {
    "--taken": "<stone>,<stone>...",
    "--range": "<first> <last>",
    "--output": "<file>",
    "--json": "",
}

Row = tuple[int, list[int]]  # a number of stones, and the first moves that win


def position(stones: str, taken: Sequence[str]) -> Board:
    """The position that the arguments describe."""
    n = number(stones, "#stones", 1)
    moves = [number(argument, "a taken stone") for argument in taken]
    try:
        return Board(n, moves, any_first=True)
    except IllegalMove as error:
        raise UsageError(str(error)) from None


def player(number: int) -> str:
    """A player as the answer names it."""
    return f"player {number} ({'Max' if number == 1 else 'Min'})"


def as_lines(board: Board, solution: Solution, seconds: float) -> str:
    """The answer for a position, a line for each fact."""
    mover = player(board.player_to_move)
    moves = " ".join(map(str, solution.winning_moves)) or "none"
    return (
        (f"The game is over: {mover} cannot move and loses\n" if board.is_over else "")
        + f"To move: {mover}\n"
        f"Winner: {player(solution.winner)}\n"
        f"Winning moves: {moves}\n"
        f"Matched pairs: {solution.matched}\n"
        f"Unmatched stones: {solution.unmatched}\n"
        f"Outer stones: {solution.outer}\n"
        f"Inner stones: {solution.inner}\n"
        f"Other stones: {solution.others}\n"
        f"Seconds: {seconds:.6f}\n"
    )


def as_object(board: Board, solution: Solution, seconds: float) -> str:
    """The answer for a position, as a JSON object."""
    facts = {
        "n": board.n,
        "taken": board.taken,
        "player_to_move": board.player_to_move,
        "is_over": board.is_over,
        **solution._asdict(),
        "seconds": round(seconds, 6),
    }
    return json.dumps(facts) + "\n"


def answer(board: Board, wants_json: bool) -> str:
    """Return the output for a position."""
    start = time.perf_counter()
    solution = solve(board)
    seconds = time.perf_counter() - start
    return (as_object if wants_json else as_lines)(board, solution, seconds)


def as_csv(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as comma-separated values, piece by piece."""
    yield "n,winner,winning_openings\n"
    for n, moves in rows:
        yield f"{n},{1 if moves else 2},{' '.join(map(str, moves))}\n"


def as_list(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as a JSON list, piece by piece."""
    return json_list(
        {"n": n, "winner": 1 if moves else 2, "winning_openings": moves} for n, moves in rows
    )


@contextmanager
def bar(rows: Iterable[Row], count: int) -> Iterator[Iterable[Row]]:
    """The same rows; on a terminal a bar shows how many there have been."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield rows
        return
    from rich.console import Console  # heavy, and only for a terminal
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    progress = Progress(
        MofNCompleteColumn(),
        BarColumn(),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr),
        transient=True,
        redirect_stdout=False,  # it would lead to standard error
    )
    with progress:
        yield progress.track(rows, total=count)


@contextmanager
def complete(file: str) -> Iterator[TextIO]:
    """A file that is written beside its place, and has its name only when it is complete."""
    target = os.path.realpath(file)
    beside = f"{target}.{os.getpid()}"
    try:
        with open(beside, "w") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, target)
    except OSError as error:
        raise UsageError(f"cannot write {shown(file)}: {error.strerror}", 1) from None
    finally:
        with suppress(OSError):  # it may be missing
            os.unlink(beside)


def list_range(first: int, last: int, wants_json: bool, file: str | None) -> str:
    """Write the rows of a range. Returns the remaining text to print."""
    with bar(WinningOpenings(first, last), last - first + 1) as rows:
        pieces = as_list(rows) if wants_json else as_csv(rows)
        if file is not None:
            with complete(file) as out:
                out.writelines(pieces)
        elif sys.stdout and sys.stdout.isatty():
            return "".join(pieces)  # on one terminal they would run into the bar
        else:
            for piece in pieces:
                write(piece)
    return ""


def ends_of(values: Sequence[str]) -> tuple[int, int]:
    """The first and the last number of stones of a range."""
    first = number(values[0], "the first #stones", 1)
    last = number(values[1], "the last #stones")
    if first > last:
        raise UsageError(
            f"the range must go upwards, not from {shown(values[0])} to {shown(values[1])}"
        )
    return first, last


def is_json(options: dict[str, list[str]]) -> bool:
    """Whether JSON is wanted: by its option, or by the ending of the file."""
    if "--output" not in options:
        return "--json" in options
    [file] = options["--output"]
    if not file.endswith((".csv", ".json")):
        raise UsageError(f"the file must end in .csv or .json, not be {shown(file)}")
    if file.endswith(".csv") and "--json" in options:
        raise UsageError(f"--json does not go with {shown(file)}, which ends in .csv")
    return file.endswith(".json")


def run(arguments: Sequence[str]) -> str:
    """Return the output at the end of the program for these arguments. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    others, options = split_options(arguments, OPTIONS, USAGE)
    is_range = "--range" in options
    if is_range and (others or "--taken" in options):
        raise UsageError(f"--range goes with neither #stones nor --taken; usage: {USAGE}")
    if not is_range and len(others) != 1:
        raise UsageError(f"one #stones is needed, not {len(others)}; usage: {USAGE}")
    if not is_range and "--output" in options:
        raise UsageError(f"--output goes with --range only; usage: {USAGE}")
    wants_json = is_json(options)
    try:
        if is_range:
            [file] = options.get("--output", [None])
            return list_range(*ends_of(options["--range"]), wants_json, file)
        taken = [stone for value in options.get("--taken", []) for stone in value.split(",")]
        return answer(position(others[0], taken), wants_json)
    except MemoryError:
        largest = shown(options["--range"][1] if is_range else others[0])
        raise UsageError(f"#stones {largest} is too large for this machine's memory") from None


def start() -> None:
    """Run the program, as the installed command take-stones-solve does too."""
    main("take_stones.solve", run)


if __name__ == "__main__":
    start()
