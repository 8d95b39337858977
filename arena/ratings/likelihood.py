"""Likelihood of ratings by the Bradley-Terry model, its maximum, and the covariance there.

Ratings are in logits. A vector has an element for each bot and, as the last one, for the advantage
of the first move. Arrays of pairs have an element for each two bots that have met: a matrix of all
bots is formed only where one is asked for.

The covariance, computed when it is first needed, follows from the variance of the gradient of the
log-likelihood, which is estimated from pairs of matches. Clusters of pairs (see crosstable) are
independent, matches are not: with strong bots an opening decides both matches of a pair, so that
ratings are known better than from as many independent matches, and copies of games add no knowledge
at all. The variance of the gradient is therefore estimated by the products of the clusters' own
contributions (Liang and Zeger, "Longitudinal data analysis using generalized linear models",
Biometrika 73, 1986). For two bots let

    r1, r2  the points of the first bot less the expected ones, as player 1 and as player 2
    s       r1 + r2, the contribution to the gradient of its rating
    f       r1 - r2, that to the gradient of the advantage of the first move
    V       the variance of s and of f if matches were independent, by the model

Two bots often have too few clusters for an estimate of their own. As in moderated variances (Smyth,
"Linear models and empirical Bayes methods", Stat. Appl. Genet. Mol. Biol. 3, 2004) it is joined
with PRIOR_CLUSTERS clusters: their s^2 and f^2 are V times the mean ratio over all bots. A share of
VIRTUAL_PAIRS pairs, half of them won twice and half lost twice, is added: even a hundred equal
results do not show that another one is impossible. With G clusters and k estimates the variance is
multiplied by (G + 1) / (G - k + 1), or 2 if that is less, since estimates lie too near their own
data.

Copies change nothing: the matches of two bots are weighted by their clusters for each pair. Matches
of unfinished pairs count as much as others.

`python -m bench.arena.intervals` simulates the coverage of the intervals.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.model.results import MISSING
from arena.ratings.crosstable import DRAWN, LOST, WON, Crosstable, Numbers, PairScores

Array = NDArray[np.float64]

VIRTUAL_DRAWS = 0.5  # for each pair of bots that have met, and of the first and the second player
ERROR, DEVIATIONS = 1e-8, 3e-8  # of the maximum, in logits and in standard deviations
NEAR = 0.01  # change of logits up to which the information hardly changes
SLOW = 0.05  # length of a step, relative to the one before, from which the information is renewed
FAR, STEP_ACCURACY = 0.01, 1e-4  # a longer gradient is followed by a step of this accuracy
LAST_RESIDUAL = 1e-13  # of the other steps: there may be directions that depend on few matches
MAX_ITERATIONS = 20  # of a solution, for each unknown; 1 would do without rounding errors
DENSE = 8  # elements of the matrix for each pair, below which it is faster than the pairs
PART = 8192  # pairs that are computed at once
PRIOR_CLUSTERS = 5.0
VIRTUAL_PAIRS = 0.5
MAX_FACTOR = 2.0  # for few clusters
MATRIX_BOTS = 2000  # up to which one matrix is inverted: half a second and 200 MB for 2,000 bots
COVARIANCE_ACCURACY = 1e-10  # of each solution otherwise, relative to it


class Information:
    """Symmetric matrix of the shape of the Fisher information, kept by its pairs of bots."""

    def __init__(self, players: Numbers, groups: Numbers, pairs: Array, first_move: Array) -> None:
        """Store the matrix.

        Args:
            players: The two bots of each pair, shape (2, pairs).
            groups: The group of each bot; matches connect bots of the same group, and no others.
            pairs: The element of each pair, negated. The rows of the bots add up to 0.
            first_move: The last row.
        """
        self._players, self._groups, self._bots = players, groups, len(groups)
        self._pairs, self._first_move = pairs, first_move
        self._diagonal = np.append(pair_sums(players, pairs, pairs, self._bots), first_move[-1])

    def product(self, vector: Array) -> Array:
        """Return the product with a vector."""
        if self._bots**2 < DENSE * len(self._pairs):
            product: Array = self.matrix @ vector
            return product
        result: Array = self._diagonal * vector + self._first_move * vector[-1]
        result[-1] = self._first_move @ vector
        for part in parts(self._players):
            first, second = players = self._players[:, part]
            weights = self._pairs[part]
            sums = pair_sums(players, weights * vector[second], weights * vector[first], self._bots)
            result[:-1] -= sums
        return result

    def solve(self, vector: Array, residual: float) -> Array:
        """Return the solution of `product(solution) = vector` in which the mean of groups is 0.

        Conjugate gradients, preconditioned by the diagonal (Hestenes and Stiefel, "Methods of
        conjugate gradients for solving linear systems", J. Res. NBS 49, 1952).

        Args:
            vector: The right side; the mean of each group is ignored.
            residual: The `length` up to which the product may differ from the vector.
        """
        solution, rest = np.zeros(len(vector)), centred(vector, self._groups)
        scaled = direction = rest / self._diagonal
        left = rest @ scaled
        for _ in range(MAX_ITERATIONS * len(vector)):
            if not left > residual**2:
                break
            product = self.product(direction)
            size = left / (direction @ product)
            solution += size * direction
            rest -= size * product
            scaled = rest / self._diagonal
            before, left = left, rest @ scaled
            direction = scaled + (left / before) * direction
        return centred(solution, self._groups)

    def length(self, vector: Array) -> float:
        """Return the Euclidean length of a vector in the units of its elements' deviations."""
        return math.sqrt(vector @ (vector / self._diagonal))

    @cached_property
    def matrix(self) -> Array:
        """The elements as an array."""
        (first, second), size = self._players, self._bots + 1
        pairs = weighted_sums(first * size + second, -self._pairs, size**2)
        matrix = pairs.reshape(size, size)
        matrix += matrix.T
        matrix.flat[:: size + 1] += self._diagonal
        matrix[-1] = matrix[:, -1] = self._first_move
        return matrix


class Likelihood:
    """Log-likelihood of ratings, given the results that a crosstable has now.

    Attributes:
        groups: The group of each bot; matches connect bots of the same group, and no others.
        players: The two bots of each pair, shape (2, pairs).
        played: The weighted number of matches of each pair, shape (2, pairs): in row 0 those in
            which its first bot is player 1.
    """

    def __init__(self, crosstable: Crosstable, weights: Array | float = 1.0) -> None:
        """Copy the results.

        Args:
            crosstable: The results.
            weights: The weight of a match of each pair.
        """
        won, lost, drawn = (crosstable.counts[rows] for rows in (WON, LOST, DRAWN))
        self.players, self.groups = crosstable.players, crosstable.groups.copy()
        # Of the first bot of each pair: in row 0 as player 1, in row 1 as player 2.
        self.played = np.add(won, lost, dtype=np.float64)
        self._points = won.astype(np.float64)
        if drawn.any():
            self.played += drawn
            self._points += drawn / 2
        self.played *= weights
        self._points *= weights

    def maximum(
        self, theta: Array, information: Information | None = None
    ) -> tuple[Array, Information]:
        """Return the ratings with the highest likelihood; the mean of each group is 0.

        Newton's method, with steps damped after Sun and Tran-Dinh ("Generalized self-concordant
        functions", Mathematical Programming 178, 2019, nu = 2): a step that changes logits by at
        most d is scaled by ln(1 + d) / d and never passes the maximum, because the second
        derivative of the log-logistic function changes at most by a factor e^d. The information is
        kept as long as each step is much shorter than the one before.

        Args:
            theta: Ratings to start from.
            information: Information of fewer results between the same bots in the same groups.

        Returns:
            The ratings, and the last information that was used.
        """
        if information is None:
            information = self.information(theta)
        before = 1.0
        while True:
            gradient = self.gradient(theta)
            length = information.length(gradient)
            is_far = length > FAR
            step = information.solve(gradient, STEP_ACCURACY * length if is_far else LAST_RESIDUAL)
            ahead = np.abs(np.subtract(*step[self.players])).max(initial=0)
            moved = float(ahead + abs(step[-1]))  # upper bound of the change of a logit
            deviations = math.sqrt(abs(gradient @ step))
            rest = moved / before  # of the error, after this step
            if not (moved * rest > ERROR or deviations * rest > DEVIATIONS):
                return centred(theta + step, self.groups), information
            theta = theta + (step if moved <= NEAR else step * (math.log1p(moved) / moved))
            if moved > NEAR or rest > SLOW:
                information = self.information(theta)
            before = min(1.0, moved)

    def gradient(self, theta: Array) -> Array:
        """Return the gradient of the log-likelihood."""
        gradient = np.zeros(len(theta))
        gradient[-1] = -VIRTUAL_DRAWS * math.tanh(theta[-1] / 2) / 2
        for part in parts(self.players):
            as_first, as_second, virtual = self._scores(theta, part)
            played, points = self.played[:, part], self._points[:, part]
            surplus_first = points[0] - played[0] * as_first
            surplus_second = points[1] - played[1] * as_second
            pairs = surplus_first + surplus_second + VIRTUAL_DRAWS * (0.5 - virtual)
            gradient[:-1] += pair_sums(self.players[:, part], pairs, -pairs, len(self.groups))
            gradient[-1] += surplus_first.sum() - surplus_second.sum()
        return gradient

    def information(self, theta: Array) -> Information:
        """Return the Fisher information, the negated second derivative of the log-likelihood."""
        pairs, first_move = np.empty(self.players.shape[1]), np.zeros(len(theta))
        first_move[-1] = VIRTUAL_DRAWS / (2 * math.cosh(theta[-1] / 2)) ** 2
        for part in parts(self.players):
            as_first, as_second, virtual = (
                score * (1 - score) for score in self._scores(theta, part)
            )
            as_first *= self.played[0, part]
            as_second *= self.played[1, part]
            pairs[part] = as_first + as_second + VIRTUAL_DRAWS * virtual
            more = as_first - as_second
            first_move[:-1] += pair_sums(self.players[:, part], more, -more, len(self.groups))
            first_move[-1] += as_first.sum() + as_second.sum()
        return Information(self.players, self.groups, pairs, first_move)

    def expected_scores(self, theta: Array) -> Array:
        """Return the expected scores of the first bot of each pair, shape (2, pairs).

        They are those as player 1 in row 0, and as player 2 in row 1.
        """
        scores = np.empty(self.players.shape)
        for part in parts(self.players):
            scores[0, part], scores[1, part], _ = self._scores(theta, part)
        return scores

    def _scores(self, theta: Array, part: slice) -> tuple[Array, Array, Array]:
        """Return the expected scores of the first bot of each pair of a part.

        They are those as player 1, as player 2, and without an advantage of the first move.
        """
        first, second = self.players[:, part]
        with np.errstate(over="ignore"):  # an infinite exponential makes a score of 0
            behind, advantage = np.exp(theta[second] - theta[first]), math.exp(theta[-1])
            return 1 / (1 + behind / advantage), 1 / (1 + behind * advantage), 1 / (1 + behind)


def parts(players: Numbers) -> Iterator[slice]:
    """Yield slices of the pairs that fit into the processor's cache."""
    pairs = players.shape[1]
    return (slice(begin, begin + PART) for begin in range(0, pairs, PART))


def pair_sums(players: Numbers, to_first: Array, to_second: Array, bots: int) -> Array:
    """Return for each bot the sum over its pairs, as their first and as their second bot."""
    first, second = players
    return weighted_sums(first, to_first, bots) + weighted_sums(second, to_second, bots)


def weighted_sums(indices: Numbers, weights: Array, size: int) -> Array:
    """Return for each number below `size` the sum of the weights at its places."""
    return np.bincount(indices, weights, size).astype(np.float64, copy=False)  # if empty, integers


def centred(vector: Array, groups: Numbers) -> Array:
    """Return a copy in which the mean of each group is 0; it keeps elements beyond the bots."""
    result, bots = vector.copy(), len(groups)
    means = np.bincount(groups, vector[:bots]) / np.maximum(1, np.bincount(groups))
    result[:bots] -= means[groups]
    return result


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

    Without any pair, matches count as independent.

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
    )  # up to the matches of unfinished pairs
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
            factors: The factor of each estimate, by its index: a bot's, or FIRST_MOVE.
        """
        indices, values = [*factors], np.array([*factors.values()])
        if len(self._theta) <= MATRIX_BOTS + 1:
            return float(values @ self._matrix[np.ix_(indices, indices)] @ values)
        vector = np.zeros(len(self._theta))
        vector[indices] = values
        residual = COVARIANCE_ACCURACY * self._information.length(vector)
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
