"""Greedy bot: minimises the number of the opponent's replies."""

from bots.client import ClockReading
from core.game import Position


class GreedyBot:
    """Strategy that looks one ply ahead; of equally good moves it plays the smallest."""

    is_pure = True

    def __call__(self, position: Position, clock: ClockReading) -> int:  # noqa: ARG002
        """Return the move after which the opponent has the fewest legal moves."""
        return min(position.legal_moves(), key=lambda move: count_replies(position, move))


def count_replies(position: Position, move: int) -> int:
    """Return the number of legal moves after a move; the position is unchanged afterwards."""
    position.play(move)
    count = len(position.legal_moves())
    position.undo()
    return count
