"""Scores of a bot with their intervals. Pure."""

from collections.abc import Sequence

from arena.protocol.bots import Score
from arena.reports.plots.games import share_interval

DIGITS = 4  # decimal places of a share

Counts = list[int]
"""Numbers of matches that a bot has won, drawn and lost."""


def add_counts(one: Sequence[int], other: Sequence[int]) -> Counts:
    """Return the sums of two numbers of won, drawn and lost matches."""
    return [first + second for first, second in zip(one, other, strict=True)]


def bot_score(counts: Sequence[int]) -> Score:
    """Return the score for numbers of won, drawn and lost matches."""
    won, drawn, lost = counts
    if not (played := won + drawn + lost):
        return Score(0, 0, 0, None, None)
    low, high = share_interval(won + drawn / 2, played)
    return Score(won, drawn, lost, round(low, DIGITS), round(high, DIGITS))
