"""Steps of an alpha-beta search, as events.

A node has a number. The root is 0; when a node generates its children, they get the next numbers,
in the order in which they will be visited, so that a child that is never visited has one, too.
"""

from collections.abc import Sequence
from typing import NamedTuple

Move = int | str
"""A move of a game, or the name of a node in a written tree."""


class Enter(NamedTuple):
    """A node is visited, with the alpha and beta that its parent passes.

    `move` leads to it (None at the root); `depth` counts plies from the root; `is_max` says which
    player moves.
    """

    node: int
    move: Move | None
    depth: int
    is_max: bool
    alpha: float
    beta: float


class Generate(NamedTuple):
    """A node has children: `moves` leads to the nodes `first`, `first + 1` ...

    `value` is what its v starts at.
    """

    node: int
    moves: Sequence[Move]
    first: int
    value: float


class Evaluate(NamedTuple):
    """A node is a leaf of the search, with a value for Max and its reason in words."""

    node: int
    value: float
    words: str


class Reuse(NamedTuple):
    """A node has the position of an earlier node `same_as`, and takes its value.

    `bound` is "exact", "at least" or "at most", as the value of a node that was cut off is only a
    bound.
    """

    node: int
    same_as: int
    value: float
    bound: str


class Update(NamedTuple):
    """A node takes the value of a child into account; these are its v, alpha and beta after it.

    `is_better` says whether v has changed. Before a cutoff alpha and beta stay as they were, as
    Figure 5.7 returns first.
    """

    node: int
    child: int
    value: float
    alpha: float
    beta: float
    is_better: bool


class Cutoff(NamedTuple):
    """The value of a node has met the bound of an ancestor: its other children are not visited.

    `value` is at least `bound` (beta) at a node of Max, at most `bound` (alpha) at one of Min.
    `unvisited` has the numbers of the other children; it is empty after the last child.
    """

    node: int
    value: float
    bound: float
    unvisited: range


class Return(NamedTuple):
    """A node is left: it returns `value`; alpha and beta are its final ones."""

    node: int
    value: float
    alpha: float
    beta: float


class Stop(NamedTuple):
    """The limit on the number of events, `limit`, ends the trace early."""

    limit: int


Event = Enter | Generate | Evaluate | Reuse | Update | Cutoff | Return | Stop
