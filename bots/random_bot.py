"""Random bot: plays random legal moves, reproducible by a seed."""

from bots.client import ClockReading
from core.game import Position
from core.seeded_choice import seeded_choice


class RandomBot:
    """Strategy that derives a random move from the seed and the position.

    It always makes the same move in the same position, also during other matches.
    """

    is_pure = True

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, position: Position, clock: ClockReading) -> int:  # noqa: ARG002
        """Return a random legal move."""
        return seeded_choice(self._seed, position.moves, position.legal_moves())
