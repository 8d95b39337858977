"""Alpha-beta search in Python for any game: Figure 5.7 over Position and its evaluation.

It counts the same nodes as the compiled search, and is its specification. It keeps its own stack,
so that a game may be longer than Python's recursion limit.
"""

from collections.abc import Iterator
from math import inf
from time import monotonic

from core.game import Game, Position
from core.search.leaves import Leaves
from core.search.result import REPORT_SECONDS, Limits, Progress, Report, SearchResult


class _Ply:
    """A node on the way from the root: `move` led to it, `moves` are left to be searched."""

    __slots__ = ("alpha", "beta", "is_max", "move", "moves", "value")

    def __init__(self, move: int, position: Position, alpha: float, beta: float) -> None:
        self.move = move
        self.moves: Iterator[int] = iter(position.legal_moves())
        self.is_max = position.player_to_move == 1
        self.value = -inf if self.is_max else inf
        self.alpha = alpha
        self.beta = beta


class _Stopped(Exception):
    """A limit was reached; its argument is the limit's name."""


def search_position(
    game: Game,
    position: Position,
    limits: Limits,
    report: Report | None,
    player: int | None = None,
) -> SearchResult:
    """Search a position where the game is not over.

    Takes the arguments of `core.search.search`. Raises NoEvaluation.
    """
    player = player or position.player_to_move
    return _Search(game, position.copy(), limits, report, player).run()


class _Search:
    """One search, with its counts."""

    def __init__(
        self,
        game: Game,
        position: Position,
        limits: Limits,
        report: Report | None,
        player: int,
    ) -> None:
        self._position = position
        self._limits = limits
        self._report = report
        self._leaves = Leaves(game, player, limits.depth)
        self._started = monotonic()
        self._reported = self._started
        self._visited = 1
        self._evaluated = 0
        self._deepest = 0
        self._plies: list[_Ply] = []

    def run(self) -> SearchResult:
        """Search until the tree is done or a limit is reached."""
        root = _Ply(0, self._position, -inf, inf)
        self._best_move, self._best = self._position.legal_moves()[0], root.value
        self._plies.append(root)
        stopped = None
        try:
            while self._plies:
                self._step()
        except _Stopped as limit:
            stopped = str(limit)
        return SearchResult(
            self._best_move,
            self._best + 0.0,  # which takes the sign from a zero
            self._visited,
            self._evaluated,
            self._deepest,
            stopped,
        )

    def _step(self) -> None:
        """Visit the next child of the deepest node, or finish the node."""
        here = self._plies[-1]
        move = None if self._is_cut_off(here) else next(here.moves, None)
        if move is None:
            self._plies.pop()
            if self._plies:
                self._position.undo()
                self._update(self._plies[-1], here.move, here.value)
            return
        self._check_limits(move)
        self._visited += 1
        self._position.play(move)
        self._deepest = max(self._deepest, len(self._plies))
        evaluation = self._leaves.evaluation(self._position, len(self._plies))
        if evaluation is None:
            self._plies.append(_Ply(move, self._position, here.alpha, here.beta))
        else:
            self._evaluated += 1
            self._position.undo()
            self._update(here, move, evaluation.value)

    def _is_cut_off(self, ply: _Ply) -> bool:
        """Whether the value of a node is known to be irrelevant (Figure 5.7, both tests)."""
        if len(self._plies) == 1:
            return False  # the bounds of the root are infinite
        return ply.value >= ply.beta if ply.is_max else ply.value <= ply.alpha

    def _update(self, ply: _Ply, move: int, value: float) -> None:
        """Take the value of a child into account; the first child with the best value counts."""
        if value > ply.value if ply.is_max else value < ply.value:
            ply.value = value
            if len(self._plies) == 1:
                self._best_move, self._best = move, value
        if ply.is_max:
            ply.alpha = max(ply.alpha, ply.value)
        else:
            ply.beta = min(ply.beta, ply.value)

    def _check_limits(self, move: int) -> None:
        """Raise _Stopped at a limit, before another node is visited."""
        if self._limits.nodes is not None and self._visited >= self._limits.nodes:
            raise _Stopped("nodes")
        now = monotonic()
        if self._limits.seconds is not None and now >= self._started + self._limits.seconds:
            raise _Stopped("seconds")
        if self._report and now >= self._reported + REPORT_SECONDS:
            self._reported = now
            root_move = self._plies[1].move if len(self._plies) > 1 else move
            self._report(Progress(root_move, self._visited, now - self._started))
