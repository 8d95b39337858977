"""Game trees that are written down."""

from typing import NamedTuple


class Node(NamedTuple):
    """A node of a tree: a name that differs from those of its siblings, a value for Max, children.

    An inner node needs a value only where a search to a limited depth ends.
    """

    name: str
    value: float | None = None
    children: "tuple[Node, ...]" = ()


class GameTree(NamedTuple):
    """A tree and the player at its root; the players alternate from ply to ply."""

    root: Node
    is_max: bool = True
