"""A finished search beside minimax, as the formats show it."""

from collections.abc import Callable
from typing import NamedTuple

from arena.teaching.minimax import Minimax, Subtree, TooManyPositions
from arena.teaching.names import Names
from arena.teaching.searched_tree import SearchedTree
from arena.teaching.space import Space, space_of
from arena.teaching.tracer import trace
from arena.teaching.tree import GameTree
from arena.teaching.variant import FIGURE_5_7, Variant
from core.game import Game, Position

MAX_EVENTS = 1_000_000
MAX_COMPLETE = 1000  # nodes of a tree that has all nodes that were not visited, too


class Run(NamedTuple):
    """A search that was traced.

    Attributes:
        variant: What was searched with.
        tree: The tree, with minimax values where they are known.
        minimax: The root under minimax, None for a tree that is too large.
        names: The names of the nodes.
    """

    variant: Variant
    tree: SearchedTree
    minimax: Subtree | None
    names: Names

    @property
    def is_complete(self) -> bool:
        """Whether the tree has the nodes below unvisited ones, too; a large one has not."""
        return self.minimax is not None and self.minimax.visited <= MAX_COMPLETE


def run(
    start: Position | GameTree,
    depth: int = 0,
    *,
    variant: Variant = FIGURE_5_7,
    limit: int = MAX_EVENTS,
    move_name: Callable[[int], str] = str,
    game: Game | None = None,
) -> Run:
    """Search a position or a tree.

    Arguments and errors are those of `trace`; `move_name` names the moves of a position.
    """
    names = Names.of(start, move_name)
    tree = SearchedTree.after(trace(start, depth, variant=variant, limit=limit, game=game))
    space = space_of(start, depth, game)
    minimax = Minimax(space)
    try:
        root = minimax.current()
    except TooManyPositions:
        return Run(variant, tree, None, names)
    found = Run(variant, tree, root, names)
    _add_minimax(found, space, minimax)
    return found


def _add_minimax(found: Run, space: Space, minimax: Minimax) -> None:
    """Add the minimax value to each node, and the nodes that make the tree complete."""
    tree, is_complete = found.tree, found.is_complete
    path: list[int] = []
    waiting = [0]
    while waiting:
        node = tree.nodes[waiting.pop()]
        while len(path) > node.depth:
            path.pop()
            space.undo()
        if node.move is not None:
            space.play(node.move)
        path.append(node.number)
        node.minimax = minimax.current().value
        if is_complete and not node.children and not space.leaf():
            tree.add_children(node, space.moves())
        waiting += reversed(node.children)
