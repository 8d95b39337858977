"""Estimates from pairs of matches whose games are known.

All pairs of the same two games are one cluster, as in pair_scores.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arena.model.results import PairScore, pair_score
from arena.ratings.bradley_terry import Ratings
from arena.ratings.crosstable import Numbers, Result
from arena.ratings.likelihood import VIRTUAL_PAIRS
from arena.ratings.rater import Rater
from arena.ratings.regression import student_t_95

WINNERS: dict[float, int | None] = {1.0: 1, 0.5: None, 0.0: 2}  # by points of player 1


class PairResult(NamedTuple):
    """Two bots on one opening, with the sides swapped.

    Attributes:
        bots: The bots; the first one is player 1 in the first match and player 2 in the second.
        points: The points of the first bot in each match: 0, 1/2 or 1.
        games: The identity of each game: equal if setup, opening and moves are.
    """

    bots: tuple[str, str]
    points: tuple[float, float]
    games: tuple[Hashable, Hashable]

    @property
    def cluster(self) -> Hashable:
        """The identity of the two games, in any order."""
        return frozenset(self.games)

    @property
    def player_1_points(self) -> float:
        """The mean points of player 1 in the two matches."""
        return (self.points[0] + 1 - self.points[1]) / 2

    @property
    def score(self) -> tuple[str, str, int, int]:
        """The bots, sorted, and the half points of the first of them as players 1 and 2."""
        first, second = self.results
        return pair_score(first[:3], second[:3])

    @property
    def results(self) -> tuple[Result, Result]:
        """The results of the two matches."""
        (one, two), (first, second) = self.bots, self.points
        return (one, two, WINNERS[first], ""), (two, one, WINNERS[1 - second], "")


class Share(NamedTuple):
    """A mean from 0 to 1, and half the width of its 95 % interval."""

    value: float
    margin: float


def number_clusters(pairs: Iterable[PairResult]) -> Numbers:
    """Return the number of each pair's cluster; clusters are numbered from 0."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(pair.cluster, len(numbers)) for pair in pairs], np.int64)


def share_of_player_1(pairs: Sequence[PairResult]) -> Share:
    """Return the share of the points of at least one pair that player 1 has won.

    The margin is infinite if there is a single cluster, or the interval would hold every share.
    """
    numbers = number_clusters(pairs)
    points = np.array([pair.player_1_points for pair in pairs])
    sizes, mean = np.bincount(numbers), float(points.mean())
    if len(sizes) == 1:
        return Share(mean, math.inf)
    squares = float((np.bincount(numbers, points - mean) ** 2).sum())
    # As in dispersion: half a virtual cluster, half of it won and half lost by player 1.
    squares += VIRTUAL_PAIRS * float((sizes**2).mean()) * (mean**2 + (1 - mean) ** 2) / 2
    deviation = math.sqrt(squares * len(sizes) / (len(sizes) - 1)) / len(pairs)
    margin = student_t_95(len(sizes) - 1) * deviation
    return Share(mean, margin if margin < max(mean, 1 - mean) else math.inf)


def rate_pairs(pairs: Sequence[PairResult], anchor: tuple[str, float] | None = None) -> Ratings:
    """Return the ratings of all bots. Their margins are infinite if there are too few clusters.

    Args:
        pairs: The results.
        anchor: A bot and its rating, as in `arena.ratings.rate`.
    """
    rater = Rater(anchor)
    rater.add([result for pair in pairs for result in pair.results])
    rater.replace_pair_scores(count_scores(pairs))
    ratings = rater.rate()
    estimates = len(ratings.bots) + 1 - len(ratings.groups)
    if len({pair.cluster for pair in pairs}) > estimates:
        return ratings
    return replace(ratings, variances=_UnknownVariances())


class _UnknownVariances:
    def variance(self, factors: Mapping[int, float]) -> float:  # noqa: ARG002 (a protocol)
        return math.inf


def count_scores(pairs: Iterable[PairResult]) -> list[PairScore]:
    """Return the numbers of pairs by bots and score."""
    clusters = Counter((pair.score, pair.cluster) for pair in pairs)
    sizes: dict[tuple[str, str, int, int], list[int]] = {}
    for (score, _), size in clusters.items():
        sizes.setdefault(score, []).append(size)
    return [
        PairScore(*score, sum(of_score), len(of_score), sum(size**2 for size in of_score))
        for score, of_score in sizes.items()
    ]
