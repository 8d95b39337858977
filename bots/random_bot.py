"""Random bot: plays random legal moves, reproducible by a seed."""

from random import Random

from bots.client import ClockReading
from core.game import Position


class RandomBot:
    """Strategy that derives a random move from the seed and the position.

    It always makes the same move in the same position, whatever else it plays meanwhile.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, position: Position, clock: ClockReading) -> int:  # noqa: ARG002
        """Return a random legal move."""
        moves = position.legal_moves()
        return Random(f"{self._seed}/{position.moves}/{moves}").choice(moves)
