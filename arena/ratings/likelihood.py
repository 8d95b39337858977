"""Likelihood of ratings by the Bradley-Terry model, its maximum, and the information there.

Ratings are in logits. A vector has an element for each bot and, as the last one, for the advantage
of the first move. Arrays of pairs have an element for each two bots that have met: a matrix of all
bots is formed only where one is asked for.
"""

import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arena.ratings.crosstable import DRAWN, LOST, WON, Crosstable, Numbers

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
