"""Plays perfectly, in games that can be solved."""

import threading
import time

from bots.client import Clock
from core import solver_of
from core.game import Position, Solver

SHARE = 0.02  # of the time left, to choose among moves that all lose
SHARE_PER_MOVE = 0.25  # the same where the clock starts anew with each move
MOST = 0.5  # of the time left, to solve the first position of a game
KEPT = 16  # games that are followed


class PerfectBot:
    """Never gives a won position away.

    In a lost one it moves where the smallest share of the opponent's replies win, as far as there
    is time to compare. It follows its games, so that only the first move of each takes long; a game
    that is too large for half of the clock, or for the memory, it cannot play better than anyone.
    """

    def __init__(self) -> None:
        self._following: dict[Position, Solver] = {}  # by the position after the bot's own move
        self._lock = threading.Lock()

    def __call__(self, position: Position, clock: Clock) -> int:
        """The smallest winning move; without any, the one that is hardest to answer."""
        try:
            solver = self._solver(position, MOST * clock.remaining)
        except (MemoryError, TimeoutError):
            return position.legal_moves()[0]
        winning = solver.winning_moves()
        share = SHARE_PER_MOVE if clock.per_move else SHARE
        deadline = time.monotonic() + share * clock.remaining
        move = winning[0] if winning else hardest(position, solver, deadline)
        position.take(move)
        solver.take(move)
        with self._lock:
            self._following[position] = solver
            if len(self._following) > KEPT:
                del self._following[next(iter(self._following))]
        return move

    def _solver(self, position: Position, seconds: float) -> Solver:
        """The one that has followed this game, or a new one. Raises MemoryError, TimeoutError."""
        if position.taken:
            before = position.copy()
            reply = before.undo()
            with self._lock:
                solver = self._following.pop(before, None)
            if solver:
                solver.take(reply)
                return solver
        solver = solver_of(position, seconds)
        assert solver, "it is asked only for moves in games with a solver"
        return solver


def hardest(position: Position, solver: Solver, deadline: float) -> int:
    """The move after which the smallest share of the replies win, of those tried in time."""
    moves = position.legal_moves()
    best, least = moves[0], 1.0
    for move in moves:
        position.take(move)
        solver.take(move)
        share = len(solver.winning_moves()) / len(position.legal_moves())
        solver.undo()
        position.undo()
        if share < least:
            best, least = move, share
        if time.monotonic() >= deadline:
            break
    return best
