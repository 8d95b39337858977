"""Figure 5.7 and minimax on written trees, as they stand in the book, and trees that are drawn."""

from math import inf
from typing import NamedTuple

from hypothesis import strategies as st

from arena.teaching.space import GameTree, Node


class Visit(NamedTuple):
    """A visited node: its name, and the alpha and beta with which it was entered."""

    name: str
    alpha: float
    beta: float


class Book:
    """ALPHA-BETA-SEARCH; `visits` has the nodes in the order in which they are entered."""

    def __init__(self, depth: int = 0, *, is_fail_hard: bool = False) -> None:
        self.depth = depth
        self.is_fail_hard = is_fail_hard
        self.visits: list[Visit] = []
        self.values: dict[str, float] = {}
        self.evaluated = self.deepest = 0

    def search(self, tree: GameTree) -> float:
        return self.value(tree.root, tree.is_max, -inf, inf, 0)

    def value(self, node: Node, is_max: bool, alpha: float, beta: float, depth: int) -> float:
        self.visits.append(Visit(node.name, alpha, beta))
        self.deepest = max(self.deepest, depth)
        if not node.children or (depth and depth == self.depth):
            self.evaluated += 1
            assert node.value is not None
            found = node.value
        elif is_max:
            found = self.max_value(node, alpha, beta, depth)
        else:
            found = self.min_value(node, alpha, beta, depth)
        self.values[node.name] = found
        return found

    def max_value(self, node: Node, alpha: float, beta: float, depth: int) -> float:
        v = alpha if self.is_fail_hard else -inf
        for child in node.children:
            v = max(v, self.value(child, False, alpha, beta, depth + 1))
            if v >= beta:
                return beta if self.is_fail_hard else v
            alpha = max(alpha, v)
        return v

    def min_value(self, node: Node, alpha: float, beta: float, depth: int) -> float:
        v = beta if self.is_fail_hard else inf
        for child in node.children:
            v = min(v, self.value(child, True, alpha, beta, depth + 1))
            if v <= alpha:
                return alpha if self.is_fail_hard else v
            beta = min(beta, v)
        return v


class Plain:
    """Minimax; `visits` has the names of the nodes in the order in which they are entered."""

    def __init__(self, depth: int = 0) -> None:
        self.depth = depth
        self.visits: list[str] = []
        self.values: dict[str, float] = {}
        self.evaluated = 0

    def search(self, tree: GameTree) -> float:
        return self.value(tree.root, tree.is_max, 0)

    def value(self, node: Node, is_max: bool, depth: int) -> float:
        self.visits.append(node.name)
        if not node.children or (depth and depth == self.depth):
            self.evaluated += 1
            assert node.value is not None
            found = node.value
        else:
            values = [self.value(child, not is_max, depth + 1) for child in node.children]
            found = max(values) if is_max else min(values)
        self.values[node.name] = found
        return found


@st.composite
def trees(draw: st.DrawFn, max_leaves: int = 25) -> GameTree:
    """A tree of small values, which are often equal; all nodes have one, inner nodes too."""
    values = st.integers(-4, 4).map(float)
    shape = draw(
        st.recursive(
            values, lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=max_leaves
        ).filter(lambda found: isinstance(found, list))
    )
    count = 0

    def node(found: float | list) -> Node:  # type: ignore[type-arg]
        nonlocal count
        count += 1
        name = f"N{count}"
        if isinstance(found, list):
            return Node(name, draw(values), tuple(node(child) for child in found))
        return Node(name, found)

    return GameTree(node(shape), draw(st.booleans()))
