"""Scores of pairs of matches: the independent observations that intervals are based on.

The two matches of a pair have the same opening, so that they are not independent; pairs are, unless
they are copies: programs without randomness repeat their games on an opening that comes again. All
pairs of the same two games are therefore one *cluster*. A match without a partner counts as a pair
with one match.
"""

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np

from arena.model.results import MISSING, PairScore
from arena.ratings.crosstable import Crosstable, Numbers

_OUTCOMES = 4  # MISSING, 0, 1 or 2 half points


class PairScores:
    """Numbers of pairs by bots and score, in arrays; a new number replaces the former one.

    An element stands for two bots and a score. The first bot is the one with the lower index in a
    crosstable.
    """

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.int64)  # ascending
        self._numbers: Numbers = np.zeros((3, 0), np.int64)

    def copy(self) -> Self:
        """Return a copy, which later changes leave as it is."""
        return copy(self)  # its arrays are replaced, never changed

    def replace(self, crosstable: Crosstable, scores: Sequence[PairScore]) -> None:
        """Replace numbers of pairs.

        Args:
            crosstable: A crosstable with at least one match between the two bots of each score.
            scores: The new numbers, of different bots or scores.
        """
        if not scores:
            return
        ones, twos, *numbers = zip(*scores, strict=True)
        index = crosstable.index
        one = np.fromiter(map(index.__getitem__, ones), np.int64, len(scores))
        two = np.fromiter(map(index.__getitem__, twos), np.int64, len(scores))
        first, second = np.array(numbers[0], np.int64), np.array(numbers[1], np.int64)
        is_mirrored = one > two
        first, second = (
            np.where(is_mirrored, _opposite(second), first),
            np.where(is_mirrored, _opposite(first), second),
        )
        bots = crosstable.find_pairs(np.minimum(one, two), np.maximum(one, two))
        keys = (bots * _OUTCOMES + first - MISSING) * _OUTCOMES + second - MISSING
        kept = ~np.isin(self._keys, keys)
        all_keys = np.concatenate([self._keys[kept], keys])
        all_numbers = np.hstack([self._numbers[:, kept], np.array(numbers[2:], np.int64)])
        order = np.argsort(all_keys, kind="stable")
        self._keys, self._numbers = all_keys[order], all_numbers[:, order]

    @property
    def bots(self) -> Numbers:
        """The index of the two bots of each element."""
        return self._keys // _OUTCOMES**2

    @property
    def half_points(self) -> Numbers:
        """Half points of the first bot as player 1 and as player 2, or MISSING."""
        scores = self._keys % _OUTCOMES**2
        return np.stack([scores // _OUTCOMES, scores % _OUTCOMES]) + MISSING

    @property
    def pairs(self) -> Numbers:
        """The number of pairs of each element."""
        pairs: Numbers = self._numbers[0]
        return pairs

    @property
    def clusters(self) -> Numbers:
        """The number of clusters of each element."""
        clusters: Numbers = self._numbers[1]
        return clusters

    @property
    def squares(self) -> Numbers:
        """The sum over clusters of the square of their number of pairs."""
        squares: Numbers = self._numbers[2]
        return squares

    def results(self, crosstable: Crosstable) -> Numbers:
        """Return the numbers of pairs that each bot has won, tied and lost, shape (3, bots)."""
        players, half_points = crosstable.players[:, self.bots], self.half_points
        is_pair = (half_points != MISSING).all(0)
        outcome = 1 - np.sign(half_points.sum(0) - 2)  # 0: won, 1: tied, 2: lost
        results = np.zeros((3, len(crosstable.index)), np.int64)
        for bot, row in ((players[0], outcome), (players[1], 2 - outcome)):
            np.add.at(results, (row[is_pair], bot[is_pair]), self.pairs[is_pair])
        return results


def _opposite(half_points: Numbers) -> Numbers:
    """Return the half points of the opponent."""
    return np.where(half_points == MISSING, MISSING, 2 - half_points)
