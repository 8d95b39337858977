"""The result of playouts."""

import pytest

from core.playout import PLAYERS, Playouts
from core.playout.result import player_number
from tests.support.cases import loop_over


def test_shares_lengths_and_players() -> None:
    found = Playouts(games=8, wins=6, plies=20)
    assert (found.share, found.mean_length) == (0.75, 2.5)
    assert [player_number(name) for name in PLAYERS] == [0, 1]
    with pytest.raises(ValueError, match=r"unknown player 'spec' \(choose from random, greedy\)"):
        player_number("spec")


# From the closed form of Wilson (1927), computed by hand with 50 digits.
@loop_over(
    "wins, games, low, high",
    [(5, 10, 0.236593, 0.763407), (0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0)],
)
def test_interval(wins: int, games: int, low: float, high: float) -> None:
    assert Playouts(games, wins, 0).interval == pytest.approx((low, high), abs=1e-6)
