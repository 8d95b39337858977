"""The assignment's engine: alpha-beta to a depth with the static board evaluation."""

from bots.client import Clock
from core.game import Position
from core.search import deepen

RESERVE = 0.25  # seconds that are kept for the moves to come, as answering alone takes some


class SpecBot:
    """Plays the move of the command line at its depth, in plies, 0 for the end of the game.

    Where the clock does not allow that, it plays the move of the deepest search it could finish.
    """

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def __call__(self, position: Position, clock: Clock) -> int:
        """The best move that the time allows to find."""
        return deepen(position, self._depth, seconds=allowance(clock)).move


def allowance(clock: Clock) -> float:
    """The seconds to spend on one move, so that there are always some left for the next.

    Where the clock starts anew with each move, all but the reserve is for this one.
    """
    spare = clock.remaining - RESERVE
    if clock.per_move:
        return max(spare, clock.remaining / 4)
    return spare / 3 if spare > 0 else clock.remaining / 50
