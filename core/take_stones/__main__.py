"""The assignment's command line, `python -m core.take_stones`."""

from collections.abc import Mapping, Sequence

from core.cli import ProgressLine, UsageError, main, number, progress_line, shown, split_options
from core.search import SearchResult, search
from core.take_stones.board import Board
from core.take_stones.counts import check, count, processors
from core.take_stones.positions import TOO_LARGE, parse_position
from core.take_stones.six_lines import format_six_lines

USAGE = "python -m core.take_stones <#stones> <#taken> <taken...> <depth> [<option>...]"

COUNTED = range(40, 65)  # numbers of stones that are counted faster than searched to the end
MEBIBYTE = 1 << 20

HELP = f"""\
Usage: {USAGE}

Take-Stones: find the best move by alpha-beta search with the static board evaluation.

  <#stones>   how many stones the game has: 1, 2, ... n
  <#taken>    how many of them have been taken; even: Max (player 1) is to move, odd: Min
  <taken...>  the stones taken, from first to last, as many as <#taken> says
  <depth>     how many plies to search; 0 searches to the end of the game

  --memory <MiB>  the most memory for counts, which replace the search of {COUNTED[0]} to
                  {COUNTED[-1]} stones to the end; by default 1024
  --threads <n>   the threads that search or count; by default one for each processor

The stones taken must be a game by the rules: each is a factor or a multiple of the one before,
and none is taken twice. Only the first may be any stone, as in the official test cases.

Example: 7 stones, of which 1, 4 and 2 have been taken, searched to depth 3

  $ python -m core.take_stones 7 3 1 4 2 3
  Move: 6
  Value: 1.0
  Number of Nodes Visited: 3
  Number of Nodes Evaluated: 1
  Max Depth Reached: 2
  Avg Effective Branching Factor: 1.0

Exit status: 0 with a move, 1 if the game is over or the result cannot be written, 2 for arguments
that make no sense, 130 after Ctrl-C.
"""


OPTIONS = {"--memory": "<MiB>", "--threads": "<n>"}


def limits(options: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the limits that the options set, as arguments of `count`. Raises UsageError."""
    found = {name.removeprefix("--"): number(value, name, 1) for name, [value] in options.items()}
    if "memory" in found:
        found["memory"] *= MEBIBYTE
    try:
        check(**found)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    return found


def find(
    board: Board, depth: int, limits: Mapping[str, int], line: ProgressLine | None
) -> SearchResult:
    """Search a position, or count the search where that is faster."""
    if not depth and board.n in COUNTED:
        return count(board, report=line, **limits)
    return search(board, depth, report=line, threads=limits.get("threads", processors()))


def run(arguments: Sequence[str]) -> str:
    """Return the output of the program for these arguments. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    others, options = split_options(arguments, OPTIONS, USAGE)
    wanted = limits(options)
    board, depth = parse_position(others, USAGE)
    line = progress_line()
    try:
        found = find(board, depth, wanted, line)
    except MemoryError as error:
        reason = f": {error}" if error.args else ""
        raise UsageError(TOO_LARGE.format(shown(others[0])) + reason) from None
    finally:
        if line:
            line.wipe()
    nodes = found.nodes_visited, found.nodes_evaluated
    return format_six_lines(found.move, found.value, *nodes, found.max_depth)


def start() -> None:
    """Run the program, as the installed command take-stones does too."""
    main("take_stones", run)


if __name__ == "__main__":
    start()
