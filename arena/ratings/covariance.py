"""Covariance of ratings, computed when it is first needed. In logits."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from arena.ratings.crosstable import Numbers
from arena.ratings.likelihood import Array, Information, Likelihood

MATRIX_BOTS = 2000  # up to which one matrix is inverted: half a second and 200 MB for 2,000 bots
ACCURACY = 1e-10  # of each solution otherwise, relative to it


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
