"""Alpha-beta, explained: its steps on the positions of any game and on trees that are written down.

`core.search` searches fast and gives six numbers; this package searches the same nodes and shows
how it got them.
"""

from core.alpha_beta.minimax import Minimax, Subtree, TooLarge
from core.alpha_beta.run import Run, run
from core.alpha_beta.searched_tree import SearchedNode, SearchedTree, Totals
from core.alpha_beta.space import space_of
from core.alpha_beta.trace import trace, trace_space
from core.alpha_beta.tree import GameTree, Node
from core.alpha_beta.variant import FIGURE_5_7, MINIMAX, VARIANTS, Variant

__all__ = [
    "FIGURE_5_7",
    "MINIMAX",
    "VARIANTS",
    "GameTree",
    "Minimax",
    "Node",
    "Run",
    "SearchedNode",
    "SearchedTree",
    "Subtree",
    "TooLarge",
    "Totals",
    "Variant",
    "run",
    "space_of",
    "trace",
    "trace_space",
]
