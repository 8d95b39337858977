"""Names of nodes, and values as people read them."""

from collections.abc import Callable
from math import isinf
from typing import Self

from arena.teaching.events import Move
from arena.teaching.searched_tree import SearchedNode, SearchedTree
from arena.teaching.space import GameTree
from core.game import Position

SHORT = 10  # characters of a value that is shown with all its digits


class Names:
    """The names of the nodes of a searched tree.

    Args:
        root: The name of the root.
        move: Returns the name of a move.
        is_written: Whether the tree is a written one with names of its nodes. The node of a
            position is named by the moves that lead to it, such as 3-6-2.
    """

    def __init__(
        self,
        root: str = "Root",
        move: Callable[[int], str] = str,
        *,
        is_written: bool = False,
    ) -> None:
        self._root = root
        self._move = move
        self._is_written = is_written

    @classmethod
    def of(cls, start: Position | GameTree, move: Callable[[int], str] = str) -> Self:
        """Return the names in a search of a tree, or of a position with moves named by `move`."""
        if isinstance(start, GameTree):
            return cls(start.root.name, is_written=True)
        return cls(move=move)

    def move(self, move: Move) -> str:
        """Return the name of a move; in a written tree, the name of the node."""
        return self._move(move) if isinstance(move, int) else move

    def short(self, node: SearchedNode) -> str:
        """Return the name of a node beside its siblings: its move, or its own name."""
        return self._root if node.move is None else self.move(node.move)

    def full(self, tree: SearchedTree, node: SearchedNode) -> str:
        """Return the name of a node in the whole tree."""
        if self._is_written or node.parent is None:
            return self.short(node)
        moves = []
        while node.parent is not None:
            moves.append(self.short(node))
            node = tree.nodes[node.parent]
        return "-".join(reversed(moves))


def format_value(value: float) -> str:
    """Return a value, or a bound, as people write it: 3, 0.5, -infinity, 33.2143."""
    if isinf(value):
        return "infinity" if value > 0 else "-infinity"
    exact = repr(value + 0.0).removesuffix(".0")
    return exact if len(exact) <= SHORT else f"{value:.6g}"
