"""A searched tree: what the events so far say about each node."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple, Self

from arena.teaching.events import (
    Cutoff,
    Enter,
    Evaluate,
    Event,
    Generate,
    Move,
    Reuse,
    Stop,
    Update,
)


class SearchedNode:
    """A node of a searched tree.

    Attributes:
        number: The number of the node in the events.
        move: The move that leads to it, None at the root.
        parent: The number of its parent, None at the root.
        depth: Plies from the root.
        is_max: Whether Max moves.
        children: The numbers of its children; empty for a leaf, and before they are generated.
        is_visited: Whether it was entered. Most attributes are for visited nodes.
        is_finished: Whether it was left.
        value: The v so far; at the end the value that it returned. None before the first.
        alpha: The alpha so far, at the end the final one.
        beta: The beta so far, at the end the final one.
        words: The reason of a leaf's value; None for an inner node.
        bound: The bound at which it was cut off, None if it was not.
        same_as: The earlier node that it takes its value from, None if it was searched.
        minimax: The minimax value, None where it is not known; unvisited nodes have one, too.
    """

    __slots__ = (
        *("alpha", "beta", "bound", "children", "depth", "is_finished", "is_max", "is_visited"),
        *("minimax", "move", "number", "parent", "same_as", "value", "words"),
    )

    def __init__(self, number: int, move: Move | None, parent: "SearchedNode | None") -> None:
        self.number = number
        self.move = move
        self.parent = parent.number if parent else None
        self.depth: int = parent.depth + 1 if parent else 0
        self.is_max: bool = not parent.is_max if parent else True
        self.children: range = range(0)
        self.is_visited = self.is_finished = False
        self.value: float | None = None
        self.alpha: float = -inf
        self.beta: float = inf
        self.words: str | None = None
        self.bound: float | None = None
        self.same_as: int | None = None
        self.minimax: float | None = None


class Totals(NamedTuple):
    """The numbers of a search, as `core.search.SearchResult` has them.

    `move` and `value` are None before the first child of the root has returned.
    """

    move: Move | None
    value: float | None
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int

    @property
    def branching_factor(self) -> float:
        """The average number of visited successors of a node that was not evaluated."""
        inner = self.nodes_visited - self.nodes_evaluated
        return (self.nodes_visited - 1) / inner if inner else 0.0


class SearchedTree:
    """The tree of a search, as far as its events go.

    Attributes:
        nodes: The nodes by number; the root is the first.
        totals: The numbers of the search.
        limit: The number of events after which the trace was stopped, None if it was not.
    """

    def __init__(self) -> None:
        self.nodes = [SearchedNode(0, None, None)]
        self.totals = Totals(None, None, 0, 0, 0)
        self.limit: int | None = None

    @classmethod
    def after(cls, events: Iterable[Event]) -> Self:
        """Return the tree after these events."""
        tree = cls()
        for event in events:
            tree.apply(event)
        return tree

    def apply(self, event: Event) -> None:
        """Take the next event into account."""
        totals = self.totals
        if isinstance(event, Stop):
            self.limit = event.limit
            return
        node = self.nodes[event.node]
        match event:
            case Enter(depth=depth):
                node.is_visited, node.is_max = True, event.is_max
                node.alpha, node.beta = event.alpha, event.beta
                self.totals = totals._replace(
                    nodes_visited=totals.nodes_visited + 1,
                    max_depth=max(totals.max_depth, depth),
                )
            case Generate(moves=moves, first=first):
                assert first == len(self.nodes)
                self.add_children(node, moves)
            case Evaluate(value=value, words=words):
                node.value, node.words = value, words
                self.totals = totals._replace(nodes_evaluated=totals.nodes_evaluated + 1)
            case Reuse(same_as=same_as):
                node.same_as = same_as
            case Update(child=child, value=value):
                node.value, node.alpha, node.beta = value, event.alpha, event.beta
                if event.is_better and node.parent is None:
                    self.totals = totals._replace(move=self.nodes[child].move, value=value)
            case Cutoff(bound=bound):
                node.bound = bound
            case _:
                node.value, node.is_finished = event.value, True

    def add_children(self, node: SearchedNode, moves: Sequence[Move]) -> None:
        """Add the children of a node, with the next numbers."""
        first = len(self.nodes)
        node.children = range(first, first + len(moves))
        children = zip(node.children, moves, strict=True)
        self.nodes += [SearchedNode(number, move, node) for number, move in children]
