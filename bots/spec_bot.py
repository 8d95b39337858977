"""Engine of the assignment: alpha-beta search to a fixed depth with the static evaluation."""

from math import isfinite

from bots.client import ClockReading
from core.game import Position
from core.search import deepen, search

RESERVE = 0.25  # seconds kept for later moves, because answering takes some time


class SpecBot:
    """Strategy that plays the move of the command line at the same depth.

    If the clock or the limit of nodes does not allow that, it plays the move of the deepest search
    that it completed.

    Attributes:
        depth: The depth in plies; 0 searches to the end of the game. Any other depth needs a game
            with an evaluation.
    """

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def __call__(self, position: Position, clock: ClockReading) -> int:
        """Return the best move found in the available time and nodes."""
        seconds = allowance(clock) if isfinite(clock.remaining) else None
        if seconds is None and clock.nodes is None:
            return search(position, self.depth).move
        return deepen(position, self.depth, seconds=seconds, nodes=clock.nodes).move


def allowance(clock: ClockReading) -> float:
    """Return the seconds to spend on one move.

    Time is always left for the next move; with a clock per move, only the reserve is kept.
    """
    spare = clock.remaining - RESERVE
    if clock.per_move:
        return max(spare, clock.remaining / 4)
    return spare / 3 if spare > 0 else clock.remaining / 50
