"""Perfect bot: plays perfectly in games that have a solver."""

import threading
import time

from bots.client import ClockReading
from bots.resistance import hardest_move
from core import solver_of
from core.game import Position, Solver

TIME_SHARE = 0.02  # of the remaining time, to choose among moves if all of them lose
TIME_SHARE_PER_MOVE = 0.25  # the same with a clock per move
SOLVE_SHARE = 0.5  # of the remaining time, to solve the first position of a game
MAX_FOLLOWED = 16  # games whose solvers are kept


class PerfectBot:
    """Strategy that never loses a won position.

    In a lost position it makes the move after which the opponent is most likely to err, as far as
    it finds that in time (`bots.resistance`). It keeps the solvers of its games, so that only the
    first move of a game takes long. If a game cannot be solved in half of the time, or in memory,
    it plays the first legal move.
    """

    def __init__(self) -> None:
        self._solvers: dict[Position, Solver] = {}  # by the position after the bot's last move
        self._lock = threading.Lock()

    def __call__(self, position: Position, clock: ClockReading) -> int:
        """Return the smallest winning move, or the one that resists most if all lose."""
        try:
            solver = self._solver_for(position, SOLVE_SHARE * clock.remaining)
        except (MemoryError, TimeoutError):
            return position.legal_moves()[0]
        winning = solver.winning_moves()
        share = TIME_SHARE_PER_MOVE if clock.per_move else TIME_SHARE
        deadline = time.monotonic() + share * clock.remaining
        move = winning[0] if winning else hardest_move(position, solver, deadline)
        position.play(move)
        solver.play(move)
        with self._lock:
            self._solvers[position] = solver
            if len(self._solvers) > MAX_FOLLOWED:
                del self._solvers[next(iter(self._solvers))]
        return move

    def _solver_for(self, position: Position, seconds: float) -> Solver:
        """Return the kept solver of this game, or a new one; raise MemoryError or TimeoutError."""
        if position.moves:
            before = position.copy()
            reply = before.undo()
            with self._lock:
                solver = self._solvers.pop(before, None)
            if solver:
                solver.play(reply)
                return solver
        solver = solver_of(position, seconds)
        assert solver, "the game has no solver"
        return solver
