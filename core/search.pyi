from collections.abc import Callable
from typing import NamedTuple

from core.game import Position

class SearchResult(NamedTuple):
    move: int
    value: float
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int
    stopped: str | None

    @property
    def branching_factor(self) -> float: ...

class Progress(NamedTuple):
    move: int
    nodes_visited: int
    seconds: float

def search(
    board: Position,
    depth: int = 0,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    report: Callable[[Progress], object] | None = None,
) -> SearchResult: ...
def deepen(
    board: Position,
    depth: int = 0,
    *,
    seconds: float,
    report: Callable[[Progress], object] | None = None,
) -> SearchResult: ...
