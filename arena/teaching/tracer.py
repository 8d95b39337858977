"""Alpha-beta, step by step: Figure 5.7 of Russell and Norvig as a sequence of events.

The variants of the search are data.
"""

from collections.abc import Generator, Hashable, Iterator, Sequence
from itertools import islice
from math import inf
from typing import Literal, NamedTuple

from arena.teaching.events import (
    Cutoff,
    Enter,
    Evaluate,
    Event,
    Generate,
    Move,
    Return,
    Reuse,
    Stop,
    Update,
)
from arena.teaching.minimax import Minimax
from arena.teaching.space import GameTree, Space, space_of
from core.game import Game, Position

Order = Literal["given", "best", "worst"]
_Steps = Generator[Event, None, Return | None]


class Variant(NamedTuple):
    """A variant of alpha-beta.

    Attributes:
        title: Its name for people.
        prunes: Whether alpha and beta are used; minimax does not.
        is_fail_hard: Whether v starts at alpha (Max) or beta (Min) and a cutoff returns the bound
            itself, so that no value leaves the interval from alpha to beta.
        order: The order of children: as the game gives them, or by their minimax values, best or
            worst first for the player to move. Best first usually prunes the most, worst first the
            least; neither is the extreme in every tree.
        has_transpositions: Whether a node takes the value of an earlier one with the same position
            and depth.
    """

    title: str
    prunes: bool = True
    is_fail_hard: bool = False
    order: Order = "given"
    has_transpositions: bool = False


FIGURE_5_7 = Variant("alpha-beta (Figure 5.7, fail-soft)")
MINIMAX = Variant("minimax", prunes=False)

VARIANTS = {
    "alpha-beta": FIGURE_5_7,
    "minimax": MINIMAX,
    "fail-hard": Variant("alpha-beta, fail-hard", is_fail_hard=True),
    "best-first": Variant("alpha-beta, best children first", order="best"),
    "worst-first": Variant("alpha-beta, worst children first", order="worst"),
    "transpositions": Variant("alpha-beta with transpositions", has_transpositions=True),
}
"""By the name in commands and messages."""


def trace(
    start: Position | GameTree,
    depth: int = 0,
    *,
    variant: Variant = FIGURE_5_7,
    limit: int | None = None,
    game: Game | None = None,
) -> Iterator[Event]:
    """Yield the steps of a search as it goes on.

    It enters and evaluates the nodes that `core.search.search` counts.

    Args:
        start: The position of a game, or a written tree.
        depth: The depth in plies, 0 for the end of the game.
        variant: What is searched with; Figure 5.7 by default.
        limit: The most events. A trace that would be longer ends with Stop after them.
        game: The game of a position with another evaluation, by default as registered.

    Raises:
        ValueError: If the game is over, the depth is negative, or a leaf of a tree has no value.
        NoEvaluation: If the game has no evaluation and the search is not to the end of the game.
        TooManyPositions: If children are ordered and minimax would search too many positions.
    """
    events = trace_space(space_of(start, depth, game), variant)
    return events if limit is None else _limited(events, limit)


def trace_space(space: Space, variant: Variant = FIGURE_5_7) -> Iterator[Event]:
    """Yield the steps of a search of a space, as `trace` does, with the errors of the space."""
    return _Tracer(space, variant).events()


def _limited(events: Iterator[Event], limit: int) -> Iterator[Event]:
    yield from islice(events, limit)
    if next(events, None):
        yield Stop(limit)


class _Open:
    """An inner node on the way from the root: its v, alpha and beta, and the children to visit."""

    __slots__ = ("alpha", "beta", "entered", "first", "key", "moves", "next", "value")

    def __init__(
        self, entered: Enter, key: Hashable, value: float, moves: Sequence[Move], first: int
    ) -> None:
        self.entered = entered
        self.key = key
        self.value = value
        self.alpha = entered.alpha
        self.beta = entered.beta
        self.moves = moves
        self.first = first  # number of the first child
        self.next = 0  # index of the next child

    @property
    def is_cut_off(self) -> bool:
        """Whether the value has met the bound of an ancestor."""
        return self.value >= self.beta if self.entered.is_max else self.value <= self.alpha


class _Stored(NamedTuple):
    """The value of a position that was searched before."""

    node: int
    value: float
    bound: str

    def suffices(self, entered: Enter) -> bool:
        """Whether a node that is entered need not be searched."""
        if self.bound == "at least":
            return self.value >= entered.beta
        return self.bound == "exact" or self.value <= entered.alpha


class _Tracer:
    """One search."""

    def __init__(self, space: Space, variant: Variant) -> None:
        self._space = space
        self._variant = variant
        self._minimax = Minimax(space)
        self._path: list[_Open] = []
        self._nodes = 1  # numbered so far
        self._stored: dict[Hashable, _Stored] = {}

    def events(self) -> Iterator[Event]:
        """Yield the events of the search."""
        entered = Enter(0, None, 0, self._space.is_max, -inf, inf)
        while True:
            yield entered
            returned = yield from self._visit(entered)
            while returned:
                yield returned
                if not self._path:
                    return
                self._space.undo()
                returned = yield from self._take(returned)
            entered = self._next_child()

    def _visit(self, entered: Enter) -> _Steps:
        """Evaluate a leaf or open an inner node; return the Return of a node that is finished."""
        key = self._space.key() if self._variant.has_transpositions else None
        if (stored := self._stored.get(key)) and stored.suffices(entered):
            yield Reuse(entered.node, stored.node, stored.value, stored.bound)
            return Return(entered.node, stored.value, entered.alpha, entered.beta)
        if evaluation := self._space.leaf():
            value = evaluation.value + 0.0  # which takes the sign from a zero
            yield Evaluate(entered.node, value, evaluation.words)
            return self._finished(entered, key, value, entered.alpha, entered.beta)
        start = -inf if entered.is_max else inf
        if self._variant.is_fail_hard:
            start = entered.alpha if entered.is_max else entered.beta
        moves, first = self._ordered_moves(entered.is_max), self._nodes
        self._nodes += len(moves)
        self._path.append(_Open(entered, key, start, moves, first))
        yield Generate(entered.node, moves, first, start)
        return None

    def _next_child(self) -> Enter:
        """Go to the next child of the deepest open node."""
        parent = self._path[-1]
        move, node = parent.moves[parent.next], parent.first + parent.next
        parent.next += 1
        self._space.play(move)
        is_max = self._space.is_max
        return Enter(node, move, len(self._path), is_max, parent.alpha, parent.beta)

    def _take(self, child: Return) -> _Steps:
        """Take the value of a child into account; return the Return of a node that is finished."""
        node = self._path[-1]
        is_max, value = node.entered.is_max, child.value
        if is_better := value > node.value if is_max else value < node.value:
            node.value = value
        is_cut_off = self._variant.prunes and len(self._path) > 1 and node.is_cut_off
        if self._variant.prunes and not is_cut_off:
            if is_max:
                node.alpha = max(node.alpha, node.value)
            else:
                node.beta = min(node.beta, node.value)
        yield Update(node.entered.node, child.node, node.value, node.alpha, node.beta, is_better)
        unvisited = range(node.first + node.next, node.first + len(node.moves))
        if is_cut_off:
            bound = node.beta if is_max else node.alpha
            yield Cutoff(node.entered.node, node.value, bound, unvisited)
            if self._variant.is_fail_hard:
                node.value = bound
        elif unvisited:
            return None
        self._path.pop()
        return self._finished(node.entered, node.key, node.value, node.alpha, node.beta)

    def _finished(
        self, entered: Enter, key: Hashable, value: float, alpha: float, beta: float
    ) -> Return:
        """Store the value of a node with what it says about the position, and return it."""
        if self._variant.has_transpositions:
            bound = "exact"
            if value >= entered.beta:
                bound = "at least"
            elif value <= entered.alpha:
                bound = "at most"
            self._stored[key] = _Stored(entered.node, value, bound)
        return Return(entered.node, value, alpha, beta)

    def _ordered_moves(self, is_max: bool) -> Sequence[Move]:
        """Return the moves of the current node in the order of the variant."""
        moves, order = self._space.moves(), self._variant.order
        if order == "given":
            return moves
        return sorted(moves, key=self._minimax_value, reverse=is_max == (order == "best"))

    def _minimax_value(self, move: Move) -> float:
        """Return the minimax value of a child of the current node."""
        self._space.play(move)
        value = self._minimax.current().value
        self._space.undo()
        return value
