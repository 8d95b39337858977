"""Covariance of ratings, computed when it is first needed. In logits.

It follows from the variance of the gradient of the log-likelihood, which is estimated from pairs of
matches. Clusters of pairs (see crosstable) are independent, matches are not: with strong bots an
opening decides both matches of a pair, so that ratings are known better than from as many
independent matches, and copies of games add no knowledge at all. The variance of the gradient is
therefore estimated by the products of the clusters' own contributions (Liang and Zeger,
"Longitudinal data analysis using generalized linear models", Biometrika 73, 1986). For two bots let

    r1, r2  the points of the first bot less the expected ones, as player 1 and as player 2
    s       r1 + r2, the contribution to the gradient of its rating
    f       r1 - r2, that to the gradient of the advantage of the first move
    V       the variance of s and of f if matches were independent, by the model

Two bots often have too few clusters for an estimate of their own. As in moderated variances (Smyth,
"Linear models and empirical Bayes methods", Stat. Appl. Genet. Mol. Biol. 3, 2004) it is joined
with PRIOR_CLUSTERS clusters whose s^2 and f^2 are V times the mean ratio over all bots. A share of
VIRTUAL_PAIRS pairs, half of them won twice and half lost twice, is added: even a hundred equal
results do not show that another one is impossible. With G clusters and k estimates the variance is
multiplied by (G + 1) / (G - k + 1), or 2 if that is less, since estimates lie too near their own
data.

Copies change nothing: the matches of two bots are weighted by their clusters for each pair. Matches
whose pair is not finished count as much as others.

`python -m bench.arena.intervals` simulates the coverage of the intervals.
"""

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from arena.model.results import MISSING
from arena.ratings.crosstable import Crosstable, Numbers, PairScores
from arena.ratings.likelihood import Array, Information, Likelihood, pair_sums

PRIOR_CLUSTERS = 5.0
VIRTUAL_PAIRS = 0.5
MAX_FACTOR = 2.0  # for few clusters
MATRIX_BOTS = 2000  # up to which one matrix is inverted: half a second and 200 MB for 2,000 bots
ACCURACY = 1e-10  # of each solution otherwise, relative to it


def cluster_weights(scores: PairScores, crosstable: Crosstable) -> Array:
    """Return the weight of a match of every two bots that have met: clusters for each pair."""
    size = crosstable.players.shape[1]
    pairs = np.bincount(scores.bots, scores.pairs, size)
    clusters = np.bincount(scores.bots, scores.clusters, size)
    weights: Array = np.divide(clusters, pairs, out=np.ones(size), where=pairs > 0)
    return weights


def gradient_variance(
    likelihood: Likelihood, theta: Array, scores: PairScores, weights: Array
) -> Information:
    """Return the variance of the gradient of the log-likelihood at its maximum.

    Without any pair, it is that of independent matches.

    Args:
        likelihood: The likelihood.
        theta: Its maximum.
        scores: The pairs of matches.
        weights: The weights that `cluster_weights` returned for the likelihood.
    """
    if not len(scores.pairs):
        return likelihood.information(theta)
    sums = _sums(likelihood, theta, scores, weights)
    size, clusters = len(sums.clusters), sums.clusters
    total = float(clusters.sum())
    played = likelihood.played * sums.variances
    independent, skew = played.sum(0), played[0] - played[1]  # by the model
    scale = np.divide(
        independent, sums.independent, out=np.ones(size), where=sums.independent > 0
    )  # up to the matches whose pair is not finished
    has_clusters = clusters > 0
    own = np.divide(clusters, clusters + PRIOR_CLUSTERS)
    prior = np.divide(PRIOR_CLUSTERS, clusters, out=np.ones(size), where=has_clusters)
    own[~has_clusters] = 1.0
    rating_ratio, move_ratio = (
        (float(squares.sum()) + 1) / (float(sums.independent.sum()) + 1)
        for squares in (sums.rating, sums.first_move)
    )
    model = np.where(has_clusters, sums.independent, independent)
    model_skew = np.where(has_clusters, sums.skew, skew)
    expected = 1 / (1 + np.exp(-np.subtract(*theta[likelihood.players])))
    share = VIRTUAL_PAIRS * clusters / total
    rating = own * (sums.rating + prior * rating_ratio * model)
    rating += 2 * share * (expected**2 + (1 - expected) ** 2)
    first_move = own * (sums.first_move + prior * move_ratio * model) + share
    both = own * (sums.both + prior * math.sqrt(rating_ratio * move_ratio) * model_skew)
    estimates = len(theta) - len(np.unique(likelihood.groups))
    factor = min(MAX_FACTOR, (total + 1) / (max(total - estimates, 0.0) + 1))
    row = np.zeros(len(theta))
    row[:-1] = pair_sums(likelihood.players, both * scale, -both * scale, len(theta) - 1)
    row[-1] = (first_move * scale).sum()
    return Information(likelihood.players, likelihood.groups, factor * rating * scale, factor * row)


class _Sums(NamedTuple):
    """Sums over the clusters of every two bots, weighted as their matches.

    Attributes:
        clusters: The number of clusters.
        variances: The variance of one match by the model, as player 1 and as player 2.
        independent: The sum of V.
        skew: The sum of the product of s and f, if matches were independent.
        rating: The sum of s^2.
        first_move: The sum of f^2.
        both: The sum of s f.
    """

    clusters: Array
    variances: Array
    independent: Array
    skew: Array
    rating: Array
    first_move: Array
    both: Array


def _sums(likelihood: Likelihood, theta: Array, scores: PairScores, weights: Array) -> _Sums:
    expected = likelihood.expected_scores(theta)
    variances = expected * (1 - expected)
    bots, half_points = scores.bots, scores.half_points
    was_played = half_points != MISSING
    surplus = np.where(was_played, half_points / 2 - expected[:, bots], 0.0)
    rating, first_move = surplus[0] + surplus[1], surplus[0] - surplus[1]
    models = np.where(was_played, variances[:, bots], 0.0) * scores.pairs * weights[bots]
    squares = scores.squares * weights[bots] ** 2

    def total(of_elements: Array) -> Array:
        return np.bincount(bots, of_elements, len(weights)).astype(np.float64, copy=False)

    return _Sums(
        total(scores.clusters.astype(np.float64)),
        variances,
        total(models.sum(0)),
        total(models[0] - models[1]),
        total(squares * rating**2),
        total(squares * first_move**2),
        total(squares * rating * first_move),
    )


class Covariance:
    """Covariance of the estimates at the maximum of a likelihood.

    With up to MATRIX_BOTS bots the first variance takes as long as all of them, as a matrix is
    inverted, in time cubic in their number. With more bots each variance is a solution of its own.
    """

    def __init__(
        self, likelihood: Likelihood, theta: Array, gradient_variance: Callable[[], Information]
    ) -> None:
        """Refer to an estimate; nothing is computed yet.

        Args:
            likelihood: The likelihood.
            theta: Its maximum.
            gradient_variance: Returns the variance of the gradient there.
        """
        self._likelihood = likelihood
        self._theta = theta
        self._compute_gradient_variance = gradient_variance

    def variance(self, factors: Mapping[int, float]) -> float:
        """Return the variance of a sum of estimates.

        Args:
            factors: The factor of each estimate, by its index: that of a bot, or FIRST_MOVE.
        """
        indices, values = [*factors], np.array([*factors.values()])
        if len(self._theta) <= MATRIX_BOTS + 1:
            return float(values @ self._matrix[np.ix_(indices, indices)] @ values)
        vector = np.zeros(len(self._theta))
        vector[indices] = values
        residual = ACCURACY * self._information.length(vector)
        solution = self._information.solve(vector, residual)
        return float(solution @ self._gradient_variance.product(solution))

    @cached_property
    def _information(self) -> Information:
        return self._likelihood.information(self._theta)

    @cached_property
    def _gradient_variance(self) -> Information:
        return self._compute_gradient_variance()

    @cached_property
    def _matrix(self) -> Array:
        """The covariance of all estimates, with the mean of each group fixed."""
        inverse = _inverse(self._information, self._likelihood.groups)
        covariance: Array = inverse @ self._gradient_variance.matrix @ inverse
        return covariance


def _inverse(information: Information, groups: Numbers) -> Array:
    """Return the inverse of the Fisher information with the mean of each group fixed.

    Args:
        information: The information.
        groups: The group of each bot, as in Likelihood.
    """
    matrix = information.matrix
    weight, sizes = matrix.max(), np.bincount(groups)[groups]
    projection = np.zeros_like(matrix)  # on the undetermined means of the groups
    projection[:-1, :-1] = (groups[:, None] == groups) / sizes
    inverse: Array = np.linalg.inv(matrix + weight * projection) - projection / weight
    return inverse
