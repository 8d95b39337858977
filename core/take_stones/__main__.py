"""The assignment's command line, `python -m core.take_stones`."""

from collections.abc import Sequence

from core.cli import UsageError, main, progress_line, shown
from core.search import search
from core.take_stones.positions import TOO_LARGE, parse_position
from core.take_stones.six_lines import format_six_lines

USAGE = "python -m core.take_stones <#stones> <#taken> <taken...> <depth>"

HELP = f"""\
Usage: {USAGE}

Take-Stones: find the best move by alpha-beta search with the static board evaluation.

  <#stones>   how many stones the game has: 1, 2, ... n
  <#taken>    how many of them have been taken; even: Max (player 1) is to move, odd: Min
  <taken...>  the stones taken, from first to last, as many as <#taken> says
  <depth>     how many plies to search; 0 searches to the end of the game

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


def run(arguments: Sequence[str]) -> str:
    """Return the output of the program for these arguments. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    board, depth = parse_position(arguments, USAGE)
    line = progress_line()
    try:
        found = search(board, depth, report=line)
    except MemoryError:
        raise UsageError(TOO_LARGE.format(shown(arguments[0]))) from None
    finally:
        if line:
            line.wipe()
    nodes = found.nodes_visited, found.nodes_evaluated
    return format_six_lines(found.move, found.value, *nodes, found.max_depth)


if __name__ == "__main__":
    main("take_stones", run)
