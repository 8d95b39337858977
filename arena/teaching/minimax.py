"""Minimax: the value of each node without pruning, and how many nodes that visits."""

from collections.abc import Hashable, Iterator
from math import inf
from typing import NamedTuple

from arena.teaching.events import Move
from arena.teaching.space import Space

MAX_POSITIONS = 200_000  # different ones, which are kept in memory


class TooManyPositions(ValueError):
    """A tree with more different positions than are wanted."""


class Subtree(NamedTuple):
    """A node under minimax: its value, and the nodes visited and evaluated, itself included."""

    value: float
    visited: int
    evaluated: int


class Minimax:
    """Minimax values in the tree of a space; each position is searched once.

    Args:
        space: The tree.
        limit: The highest number of different positions; None is MAX_POSITIONS.
    """

    def __init__(self, space: Space, limit: int | None = None) -> None:
        self._space = space
        self._limit = MAX_POSITIONS if limit is None else limit
        self._found: dict[Hashable, Subtree] = {}

    def current(self) -> Subtree:
        """Return the subtree of the current node of the space.

        Raises TooManyPositions; the space then has another current node.
        """
        path: list[_Inner] = []
        done = self._visit(path)
        while path:
            move = next(path[-1].moves, None)
            if move is None:
                inner = path.pop()
                done = self._found[inner.key] = inner.subtree()
            else:
                self._space.play(move)
                done = self._visit(path)
            if done and path:
                self._space.undo()
                path[-1].add(done)
        assert done
        return done

    def _visit(self, path: "list[_Inner]") -> Subtree | None:
        """Return the subtree of the current node if it is known; else put the node on the path."""
        key = self._space.key()
        if found := self._found.get(key):
            return found
        if len(self._found) + len(path) >= self._limit:
            raise TooManyPositions(f"the tree has more than {self._limit:,} different positions")
        if evaluation := self._space.leaf():
            found = self._found[key] = Subtree(evaluation.value, 1, 1)
            return found
        path.append(_Inner(key, self._space))
        return None


class _Inner:
    """An inner node, while its children are being visited."""

    def __init__(self, key: Hashable, space: Space) -> None:
        self.key = key
        self.moves: Iterator[Move] = iter(space.moves())
        self._is_max = space.is_max
        self._value = -inf if space.is_max else inf
        self._visited, self._evaluated = 1, 0

    def add(self, child: Subtree) -> None:
        """Take a child into account."""
        self._value = (max if self._is_max else min)(self._value, child.value)
        self._visited += child.visited
        self._evaluated += child.evaluated

    def subtree(self) -> Subtree:
        """Return the finished node."""
        return Subtree(self._value, self._visited, self._evaluated)
