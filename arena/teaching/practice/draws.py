"""Random numbers from a seed, the same on every machine and in every version of Python."""

from collections.abc import Sequence

from core.seeded_choice import seeded_choice


class Draws:
    """A sequence of random choices.

    Args:
        seed: Any integer.
        stream: The number of the sequence: those of one seed are independent.
    """

    def __init__(self, seed: int, stream: int) -> None:
        self._seed = seed
        self._stream = stream
        self._count = 0

    def one_of(self, options: Sequence[int]) -> int:
        """Return one of the options, each equally likely."""
        self._count += 1
        return seeded_choice(self._seed, [self._stream, self._count], options)
