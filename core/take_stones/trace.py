"""The command line that explains a search, `python -m core.take_stones.trace`."""

from collections.abc import Sequence

from core.alpha_beta import command
from core.cli import main, split_options
from core.take_stones.positions import parse_position

USAGE = "python -m core.take_stones.trace <#stones> <#taken> <taken...> <depth> [<option>...]"

HELP = f"""\
Usage: {USAGE}

Take-Stones: show the search that python -m core.take_stones makes: v, the final alpha and beta of
each node, what was cut off, and whether minimax has the same result. Values are those for Max.

  <#stones> <#taken> <taken...> <depth>
                          a position and a depth, as for python -m core.take_stones
{command.HELP}
Example: 7 stones, of which 3 and 6 have been taken, searched to the end of the game

  $ python -m core.take_stones.trace 7 2 3 6 0
  Take-Stones, 7 stones after 3 6, depth 0

  Alpha-beta (Figure 5.7, fail-soft):

  node           player   v      alpha      beta  minimax
  Root           Max     -1         -1  infinity       -1
  +- 1           Min     -1  -infinity        -1       -1
  |  +- 2        Max      1          1  infinity        1
  |  |  +- 4     Min      1  -infinity  infinity        1  leaf
  |  +- 4        Max      1  -infinity         1        1  cutoff: v >= beta
  |  |  +- 2     Min      1  -infinity         1        1  leaf
  |  +- 5        Max     -1  -infinity         1       -1  leaf
  |  +- 7        Max     -1  -infinity        -1       -1  leaf
  +- 2           Min     -1         -1         1       -1  cutoff: v <= alpha
     +- 1        Max      1          1  infinity        1
     |  +- 4     Min      1         -1  infinity        1  leaf
     |  +- 5     Min      1          1  infinity        1  leaf
     |  +- 7     Min      1          1  infinity        1  leaf
     +- 4        Max     -1         -1         1       -1
        +- 1     Min     -1         -1         1       -1  cutoff: v <= alpha
           +- 5  Max     -1         -1         1       -1  leaf
           +x 7  Max                                   -1  pruned

                                  alpha-beta  minimax
  Move                                     1
  Value                                   -1       -1
  Number of nodes visited                 16       17
  Number of nodes evaluated                8        9
  Max depth reached                        4
  Avg effective branching factor         1.9

  Same as minimax? Yes: both give the root the value -1. 1 of 17 nodes were left out.
  Below a cutoff no value can change that of the root, as a player has a choice that is at
  least as good.

Exit status: 0 with an answer; 1 if the game is over or the result cannot be written; 2 for
arguments that make no sense; 130 after Ctrl-C.
"""


def run(arguments: Sequence[str]) -> str:
    """Return the output of the program for these arguments. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    others, options = split_options(arguments, command.OPTIONS, USAGE)
    wanted = command.settings(options)
    board, depth = parse_position(others, USAGE)
    taken = f" after {' '.join(map(str, board.taken))}" if board.taken else ""
    title = f"Take-Stones, {board.n} stones{taken}, depth {depth}"
    return command.explain(board, depth, wanted, title)


if __name__ == "__main__":
    main("take_stones.trace", run)
