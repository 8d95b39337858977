"""Leaves the opponent as few replies as it can."""

from bots.client import Clock
from core.game import Position


class GreedyBot:
    """Looks one ply ahead; of equally good moves it takes the smallest."""

    def __call__(self, position: Position, clock: Clock) -> int:  # noqa: ARG002
        """The move after which the opponent has the fewest legal moves."""

        def replies(move: int) -> int:
            position.take(move)
            count = len(position.legal_moves())
            position.undo()
            return count

        return min(position.legal_moves(), key=replies)
