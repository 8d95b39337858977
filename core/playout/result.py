"""The players and the result of playouts."""

from math import sqrt
from typing import NamedTuple

PLAYERS = ("random", "greedy")

Z = 1.959964  # of a 95 % interval of the normal distribution


class Playouts(NamedTuple):
    """The result of playouts from one position.

    Attributes:
        games: The number of games, at least 1.
        wins: Of these the number that player 1 won; player 2 won the others.
        plies: The number of moves of all games, from the position on.
    """

    games: int
    wins: int
    plies: int

    @property
    def share(self) -> float:
        """The share of games that player 1 won."""
        return self.wins / self.games

    @property
    def mean_length(self) -> float:
        """The mean number of moves of a game, from the position on."""
        return self.plies / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % confidence interval of the share."""
        share, z2 = self.share, Z * Z / self.games
        middle = (share + z2 / 2) / (1 + z2)
        half = sqrt(z2 * (share * (1 - share) + z2 / 4)) / (1 + z2)
        return max(0.0, middle - half), min(1.0, middle + half)


def player_number(name: str) -> int:
    """Return the place of a player in PLAYERS. Raises ValueError."""
    if name not in PLAYERS:
        raise ValueError(f"unknown player {name!r} (choose from {', '.join(PLAYERS)})")
    return PLAYERS.index(name)
