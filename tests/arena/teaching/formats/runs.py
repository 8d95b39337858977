"""Searches that the tests draw."""

from arena.teaching import FIGURE_5_7, VARIANTS, Run, Variant, run
from arena.teaching.names import Names
from arena.teaching.notation import parse_tree
from arena.teaching.searched_tree import SearchedTree
from arena.teaching.tracer import trace
from core.take_stones import Board

CLASSICAL = "max ((3 12 8) (2 4 6) (14 5 2))"


def written(text: str = CLASSICAL, variant: Variant = FIGURE_5_7) -> Run:
    """Return the search of a written tree."""
    return run(parse_tree(text), variant=variant)


def uncompared(count: int, *taken: int, depth: int) -> Run:
    """Return the search of a position as if the tree was too large for minimax."""
    found = trace(board := Board(count, taken), depth)
    return Run(FIGURE_5_7, SearchedTree.after(found), None, Names.of(board))


def stones(count: int, *taken: int, depth: int = 0, variant: Variant = FIGURE_5_7) -> Run:
    """Return the search of a position of Take-Stones."""
    return run(Board(count, taken), depth, variant=variant)


def merged() -> Run:
    """Return a search in which 4-2-8 uses the value of the equal node 2-4-8."""
    return stones(10, 3, 1, depth=4, variant=VARIANTS["transpositions"])
