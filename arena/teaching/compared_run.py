"""A finished search beside minimax, as the formats show it, and whether both agree."""

from collections.abc import Callable
from typing import NamedTuple

from arena.teaching.minimax import Minimax, Subtree, TooManyPositions
from arena.teaching.names import Names, format_value
from arena.teaching.searched_tree import SearchedTree
from arena.teaching.space import GameTree, Space, space_of
from arena.teaching.tracer import FIGURE_5_7, Variant, trace
from core.game import Game, Position

MAX_EVENTS = 1_000_000
MAX_COMPLETE = 1000  # nodes of a tree that has all nodes that were not visited, too
SHOWN = 5  # nodes that are named, where there may be many


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

    Arguments and errors are as for `trace`; `move_name` names the moves of a position.
    """
    names = Names.of(start, move_name)
    tree = SearchedTree.after(trace(start, depth, variant=variant, limit=limit, game=game))
    space = space_of(start, depth, game)
    # A search that was ended early is not compared, and minimax of a large tree takes long.
    minimax = Minimax(space, None if tree.limit is None else MAX_COMPLETE)
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


class Answer(NamedTuple):
    """Whether a search has the value of minimax, None where that is not known, and why."""

    is_same: bool | None
    words: str


def same_as_minimax(run: Run) -> Answer:
    """Compare the value of the root with minimax."""
    if run.tree.limit is not None:
        return Answer(None, f"Unknown: the trace stops after {run.tree.limit:,} steps.")
    if not run.minimax:
        return Answer(None, "Not compared: the tree is too large for minimax.")
    root, value = run.tree.nodes[0], format_value(run.minimax.value)
    if root.value != run.minimax.value:
        return Answer(False, f"No: minimax gives the root the value {value}.")
    return Answer(True, f"Yes: both give the root the value {value}. {_reason(run)}{_bounds(run)}")


def _reason(run: Run) -> str:
    """Return why the value of the root has not changed."""
    assert run.minimax
    all_nodes = run.minimax.visited
    left_out = all_nodes - run.tree.totals.nodes_visited
    if not left_out:
        return "All nodes were visited."
    reasons = [f"{left_out:,} of {all_nodes:,} nodes were left out."]
    if any(node.bound is not None for node in run.tree.nodes):
        reasons.append(
            "Below a cutoff no value can change that of the root, as a player has a choice that is "
            "at least as good."
        )
    if any(node.same_as is not None for node in run.tree.nodes):
        reasons.append("Equal positions have equal values.")
    return " ".join(reasons)


def _bounds(run: Run) -> str:
    """Return which nodes below the root have another value than under minimax."""
    tree = run.tree
    others = [node for node in tree.nodes if node.is_visited and node.value != node.minimax]
    if not others:
        return ""
    names = ", ".join(run.names.full(tree, node) for node in others[:SHOWN])
    if len(others) > SHOWN:
        names += f" and {len(others) - SHOWN:,} more"
    return f" Where a search was cut off, v is only a bound on the minimax value: {names}."
