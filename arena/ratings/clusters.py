"""Estimates from pairs of matches, with intervals that do not count a game twice.

The two matches of a pair have the same opening, so that they are not independent. Pairs are, unless
they repeat the same two games, as programs without randomness do on an opening that comes again.
The unit of all intervals is therefore the cluster: all pairs with the same two games. The
covariance of the ratings is

    C = F^-1 J F^-1 G / (G - k),  J = sum over clusters of s s^T

where F is the Fisher information, s the sum of a cluster's contributions to the gradient of the
log-likelihood, G the number of clusters and k that of the estimates (Liang and Zeger, "Longitudinal
data analysis using generalized linear models", Biometrika 73, 1986). J also has half a virtual pair
for every two bots that have met, half won twice and half lost twice: even a hundred equal results
do not show that another one is impossible.

Copies change neither ratings nor intervals: a pair of two bots is weighted by the share of
different pairs among all pairs of these bots.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from arena.ratings.bradley_terry import Ratings
from arena.ratings.covariance import inverse_of
from arena.ratings.crosstable import Crosstable, Numbers, Result
from arena.ratings.likelihood import Array, Likelihood
from arena.ratings.rater import ratings_at
from arena.ratings.regression import student_t_95

VIRTUAL_PAIRS = 0.5  # for every two bots that have met
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
    # As in J above: half a virtual cluster, half of it won and half lost by player 1.
    squares += VIRTUAL_PAIRS * float((sizes**2).mean()) * (mean**2 + (1 - mean) ** 2) / 2
    deviation = math.sqrt(squares * len(sizes) / (len(sizes) - 1)) / len(pairs)
    margin = student_t_95(len(sizes) - 1) * deviation
    return Share(mean, margin if margin < max(mean, 1 - mean) else math.inf)


def rate_pairs(pairs: Sequence[PairResult], anchor: tuple[str, float] | None = None) -> Ratings:
    """Return the ratings of all bots. Their margins are infinite if there are too few clusters.

    Args:
        pairs: The results.
        anchor: A bot and its rating, as in `bradley_terry.rate`.
    """
    crosstable = Crosstable()
    crosstable.add([result for pair in pairs for result in pair.results])
    index, players = crosstable.index, crosstable.players
    one, two = (np.array([index[pair.bots[side]] for pair in pairs], np.int64) for side in (0, 1))
    met, clusters = crosstable.find_pairs(one, two), number_clusters(pairs)
    weights = _shares_of_different(met, clusters)
    likelihood = Likelihood(crosstable, weights)
    theta, _ = likelihood.maximum(np.zeros(len(index) + 1))
    surplus = _surplus(pairs, theta[one] - theta[two], theta[-1]) * weights[met]
    variance = _cluster_variance(surplus, one, two, clusters, len(theta))
    variance += _virtual_variance(players, theta)
    covariance = ClusterCovariance(likelihood, theta, variance, int(clusters.max(initial=-1)) + 1)
    return ratings_at(theta, index, likelihood.groups, covariance, anchor)


class ClusterCovariance:
    """Covariance C of estimates (see above), in logits."""

    def __init__(
        self, likelihood: Likelihood, theta: Array, variance: Array, clusters: int
    ) -> None:
        """Compute it.

        Args:
            likelihood: The likelihood.
            theta: Its maximum.
            variance: J, the variance of its gradient.
            clusters: G, the number of clusters.
        """
        inverse = inverse_of(likelihood.information(theta), likelihood.groups)
        estimates = len(theta) - len(np.unique(likelihood.groups))
        self._is_known = clusters > estimates
        factor = clusters / (clusters - estimates) if self._is_known else 1.0
        self._matrix = factor * (inverse @ variance @ inverse)

    def variance(self, factors: Mapping[int, float]) -> float:
        """Return the variance of a sum of estimates, given their factors by index."""
        if not self._is_known:
            return math.inf
        indices, values = [*factors], np.array([*factors.values()])
        return float(values @ self._matrix[np.ix_(indices, indices)] @ values)


def _shares_of_different(met: Numbers, clusters: Numbers) -> Array:
    """Return for every two bots that have met the share of different pairs among their pairs."""
    different = np.unique(np.stack([met, clusters]), axis=1)[0]
    shares: Array = np.bincount(different) / np.bincount(met)
    return shares


def _surplus(pairs: Sequence[PairResult], ahead: Array, first_move: float) -> Array:
    """Return the points of each pair's first bot above the expected ones, shape (2, pairs)."""
    points = np.array([pair.points for pair in pairs]).reshape(-1, 2).T
    surplus: Array = points - [_expected(ahead + first_move), _expected(ahead - first_move)]
    return surplus


def _cluster_variance(
    surplus: Array, one: Numbers, two: Numbers, clusters: Numbers, size: int
) -> Array:
    """Return the sum over clusters of s s^T."""
    sums = np.zeros((int(clusters.max(initial=-1)) + 1, size))
    np.add.at(sums, (clusters, one), surplus.sum(0))
    np.add.at(sums, (clusters, two), -surplus.sum(0))
    np.add.at(sums[:, -1], clusters, surplus[0] - surplus[1])
    variance: Array = sums.T @ sums
    return variance


def _virtual_variance(players: Numbers, theta: Array) -> Array:
    """Return the contribution of virtual pairs to J."""
    variance = np.zeros((len(theta), len(theta)))
    for one, two in players.T.tolist():
        expected = float(_expected(theta[one] - theta[two]))
        square = 2 * VIRTUAL_PAIRS * (expected**2 + (1 - expected) ** 2)
        variance[[one, two], [one, two]] += square
        variance[[one, two], [two, one]] -= square
        variance[-1, -1] += VIRTUAL_PAIRS  # here, half of it is won and half lost by player 1
    return variance


def _expected(ahead: Array) -> Array:
    """Return the expected points of bots that are ahead by so many logits."""
    expected: Array = 1 / (1 + np.exp(-ahead))
    return expected
