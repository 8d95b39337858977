"""Alpha-beta, explained: its steps on the positions of any game and on trees that are written down.

`core.search` searches fast and gives six numbers; this package searches the same nodes and shows
how it got them.
"""

from arena.teaching.compared_run import Run, run
from arena.teaching.minimax import Minimax, Subtree, TooManyPositions
from arena.teaching.names import Names, format_value
from arena.teaching.searched_tree import SearchedNode, SearchedTree, Totals
from arena.teaching.space import GameTree, Node, space_of
from arena.teaching.tracer import FIGURE_5_7, MINIMAX, VARIANTS, Variant, trace, trace_space
from arena.teaching.wording import Line, Pseudocode, Step, pseudocode, steps

__all__ = [
    "FIGURE_5_7",
    "MINIMAX",
    "VARIANTS",
    "GameTree",
    "Line",
    "Minimax",
    "Names",
    "Node",
    "Pseudocode",
    "Run",
    "SearchedNode",
    "SearchedTree",
    "Step",
    "Subtree",
    "TooManyPositions",
    "Totals",
    "Variant",
    "format_value",
    "pseudocode",
    "run",
    "space_of",
    "steps",
    "trace",
    "trace_space",
]
