"""Plays any legal move."""

from random import Random

from bots.client import Clock
from core.game import Position


class RandomBot:
    """Draws its move from the seed and the position: the same game, however often it is played.

    That holds whatever else it plays at the same time and however often it is asked.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, position: Position, clock: Clock) -> int:  # noqa: ARG002
        """A legal move."""
        moves = position.legal_moves()
        return Random(f"{self._seed}/{position.taken}/{moves}").choice(moves)
