"""The limits of a search, its progress and its result."""

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

REPORT_SECONDS = 0.05  # between two reports of the progress


class Limits(NamedTuple):
    """Limits of a search: a depth in plies (0: none), a number of nodes, a time in seconds."""

    depth: int = 0
    nodes: int | None = None
    seconds: float | None = None

    def check(self) -> None:
        """Raise ValueError if a limit is out of range."""
        if self.depth < 0:
            raise ValueError(f"depth must be 0 or more plies, not {self.depth}")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"nodes must be at least 1, not {self.nodes}")
        if self.seconds is not None and not self.seconds >= 0:
            raise ValueError(f"seconds must be 0 or more, not {self.seconds}")


class Window(NamedTuple):
    """The window of a search, seen by the player to move."""

    alpha: float = -inf
    beta: float = inf


class SearchResult(NamedTuple):
    """The result of a search.

    `value` is the value for Max (player 1) of `move`; `stopped` is None for a finished search,
    else the limit that ended it, "nodes" or "seconds". A search that was stopped returns the best
    of the root moves that it had finished; if it had finished none, the first legal move with the
    value that Figure 5.7 starts from, minus infinity for Max and infinity for Min.
    """

    move: int
    value: float
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int
    stopped: str | None

    @property
    def branching_factor(self) -> float:
        """The average number of visited successors of a node that was not evaluated."""
        return (self.nodes_visited - 1) / (self.nodes_visited - self.nodes_evaluated)


class Progress(NamedTuple):
    """The progress of a search: its current root move, nodes visited, seconds since its start."""

    move: int
    nodes_visited: int
    seconds: float


Report = Callable[[Progress], object]
CompiledSearch = Callable[[Any, Limits, Report | None], SearchResult]
"""A search that was compiled for a game, called with a position of it that is not over."""


class StrongResult(NamedTuple):
    """The result of a strong search.

    `value` is the value for player 1 of `move`, `depth` the last depth that was finished, in plies,
    and `variation` the principal variation: the moves that the search expects, `move` first.
    `stopped` is None for a finished search, else the limit that ended it, "nodes" or "seconds". A
    search that was stopped returns the best move so far; if it had none, the first legal move with
    the value minus infinity for player 1 and infinity for player 2.
    """

    move: int
    value: float
    depth: int
    nodes_visited: int
    variation: list[int]
    stopped: str | None
