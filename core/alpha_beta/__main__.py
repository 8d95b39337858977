"""The command line for written trees, `python -m core.alpha_beta`."""

import os
from collections.abc import Sequence

from core.alpha_beta import command
from core.alpha_beta.notation import TreeError, parse_tree
from core.cli import UsageError, main, number, read, shown, split_options

USAGE = "python -m core.alpha_beta <tree> [<option>...]"

HELP = f"""\
Usage: {USAGE}

Alpha-beta, explained: search a tree as in Figure 5.7, and show v, the final alpha and beta of each
node, what was cut off, and whether minimax has the same result.

  <tree>                  the file of the tree, - for standard input
  --depth <plies>         how deep to search; 0 searches to the leaves, as without this option
{command.HELP}
A tree is written in nested brackets, in JSON, or as indented text with a line for each node:

  max ((3 12 8) (2 4 6))                children in brackets; Max is at the root
  min A(B(C=3 D=12)=4 E(F=2 G=4))       names, and a value of the inner node B
  [[3, 12, 8], [2, 4, 6]]               JSON; objects have "name", "value", "children"

Values are those for Max, who is at the root without another word. Nodes without a name are called
A, B, C ... level by level. In brackets and indented text, # begins a comment.

Example:

  $ echo "((3 12) (2 4))" | python -m core.alpha_beta -
  Tree from standard input

  Alpha-beta (Figure 5.7, fail-soft):

  node     player   v      alpha      beta  minimax
  A        Max      3          3  infinity        3
  +- B     Min      3  -infinity         3        3
  |  +- D  Max      3  -infinity  infinity        3  leaf
  |  +- E  Max     12  -infinity         3       12  leaf
  +- C     Min      2          3  infinity        2  cutoff: v <= alpha
     +- F  Max      2          3  infinity        2  leaf
     +x G  Max                                    4  pruned

                                  alpha-beta  minimax
  Move                                     B
  Value                                    3        3
  Number of nodes visited                  6        7
  Number of nodes evaluated                3        4
  Max depth reached                        2
  Avg effective branching factor         1.7

  Same as minimax? Yes: both give the root the value 3. 1 of 7 nodes were left out. Below
  a cutoff no value can change that of the root, as a player has a choice that is at least
  as good.

Exit status: 0 with an answer; 1 if the tree cannot be read or the result cannot be written; 2 for
arguments, or a tree, that make no sense; 130 after Ctrl-C.
"""

OPTIONS = {"--depth": "<plies>", **command.OPTIONS}
LONGEST = 4_000_000  # bytes of a tree


def run(arguments: Sequence[str]) -> str:
    """Return the output of the program for these arguments. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    others, options = split_options(arguments, OPTIONS, USAGE)
    if len(others) != 1:
        raise UsageError(f"one tree is needed, not {len(others)}; usage: {USAGE}")
    [file] = others
    [plies] = options.get("--depth", ["0"])
    wanted, depth = command.settings(options), number(plies, "--depth")
    text = read(None if file == "-" else file, "the tree", LONGEST)
    try:
        tree = parse_tree(text)
    except TreeError as error:
        where = "standard input" if file == "-" else shown(file)
        raise UsageError(f"{where}: {error}") from None
    title = "Tree from standard input" if file == "-" else shown(os.path.basename(file))[1:-1]
    return command.explain(tree, depth, wanted, title)


if __name__ == "__main__":
    main("alpha_beta", run)
