"""Scores of a bot: their intervals hold the share of the points."""

import pytest

from arena.protocol.bots import Score
from arena.spectators.bot_scores import add_counts, bot_score


def test_counts_are_added_and_have_an_interval() -> None:
    assert add_counts([1, 2, 3], [10, 20, 30]) == [11, 22, 33]
    assert bot_score([0, 0, 0]) == Score(0, 0, 0, None, None)
    score = bot_score([9, 0, 1])
    assert (score.low, score.high) == pytest.approx((0.596, 0.982), abs=1e-3)
    drawn, decided = bot_score([3, 4, 3]), bot_score([5, 0, 5])
    assert (drawn.low, drawn.high) == (decided.low, decided.high)
    assert (drawn.won, drawn.drawn, drawn.lost) == (3, 4, 3)
