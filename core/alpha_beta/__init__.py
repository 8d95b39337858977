"""Alpha-beta, explained: its steps on the positions of any game and on trees that are written down.

`core.search` searches fast and gives six numbers; this package searches the same nodes and shows
how it got them.
"""

from core.alpha_beta.code_lines import Line, Pseudocode, pseudocode
from core.alpha_beta.compared_run import Run, run
from core.alpha_beta.minimax import Minimax, Subtree, TooManyPositions
from core.alpha_beta.names import Names, format_value
from core.alpha_beta.searched_tree import SearchedNode, SearchedTree, Totals
from core.alpha_beta.space import space_of
from core.alpha_beta.tracer import trace, trace_space
from core.alpha_beta.tree import GameTree, Node
from core.alpha_beta.variant import FIGURE_5_7, MINIMAX, VARIANTS, Variant
from core.alpha_beta.worded_steps import Step, steps

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
