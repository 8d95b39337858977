"""Slope of estimates over a number, by weighted regression.

The estimates y have the covariance C. Generalised least squares (Aitken, "On least squares and
linear combinations of observations", Proc. R. Soc. Edinburgh 55, 1935) on the differences from the
first one, whose common level is arbitrary for ratings, with x and y less the first, and D their
covariance:

    slope = x^T D^-1 y / x^T D^-1 x,  variance = 1 / x^T D^-1 x
    misfit = (y - slope x)^T D^-1 (y - slope x)

If the points are on a line, the misfit has a chi-squared distribution with f = points - 2 degrees
of freedom. Above its 95 % quantile they are not: then the scatter around the line, rather than the
covariance, determines the margin of the slope, and

    margin = t[f] sqrt(variance misfit / f)  instead of  1.96 sqrt(variance)

(Birge, "The calculation of errors by the method of least squares", Physical Review 40, 1932).
"""

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.ratings.bradley_terry import Z_95, Ratings
from arena.ratings.likelihood import Array

# 97.5 % quantiles of Student's t distribution with 1 to 9 degrees of freedom.
STUDENT_T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
ALMOST_ALL = NormalDist().inv_cdf(0.95)


class Slope(NamedTuple):
    """A slope with half the width of its 95 % interval.

    Attributes:
        value: The slope.
        margin: Half the width of its interval; infinite if it is unknown.
        is_straight: Whether the points may be on a line.
    """

    value: float
    margin: float
    is_straight: bool


def weighted_slope(x: Sequence[float], y: Sequence[float], covariance: Array) -> Slope:
    """Return the slope of a line through points.

    Args:
        x: At least two different numbers.
        y: The estimate at each of them.
        covariance: The covariance of the differences of the other estimates from the first one.
            The slope is unknown if any element is infinite.
    """
    ahead, above = np.subtract(x[1:], x[0]), np.subtract(y[1:], y[0])
    if not np.isfinite(covariance).all():
        return Slope(math.nan, math.inf, True)
    weighted = np.linalg.solve(covariance, ahead)
    variance = 1 / float(weighted @ ahead)
    slope = variance * float(weighted @ above)
    rest, freedom = above - slope * ahead, len(x) - 2
    misfit = float(rest @ np.linalg.solve(covariance, rest))
    if freedom and misfit > chi_squared_95(freedom):
        scatter = math.sqrt(variance * misfit / freedom)
        return Slope(slope, student_t_95(freedom) * scatter, False)
    return Slope(slope, Z_95 * math.sqrt(variance), True)


def slope_of_ratings(ratings: Ratings, numbers: Mapping[str, float]) -> Slope:
    """Return the slope of ratings in Elo over a number.

    Args:
        ratings: The ratings.
        numbers: The number of each bot, at least two different ones.
    """
    bots = [*numbers]
    first, others = bots[0], bots[1:]
    variances = {
        (one, two): (ratings.difference(one, two)[1] / Z_95) ** 2 for one in bots for two in bots
    }
    covariance = [
        [
            (variances[one, first] + variances[two, first] - variances[one, two]) / 2
            for two in others
        ]
        for one in others
    ]
    elo = [ratings.elo[bot] for bot in bots]
    return weighted_slope([*numbers.values()], elo, np.array(covariance))


def student_t_95(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t distribution, to 0.002."""
    if freedom <= len(STUDENT_T_95):
        return STUDENT_T_95[freedom - 1]
    # The first terms of the expansion of Cornish and Fisher.
    return (
        Z_95
        + (Z_95**3 + Z_95) / (4 * freedom)
        + (5 * Z_95**5 + 16 * Z_95**3 + 3 * Z_95) / (96 * freedom**2)
    )


def chi_squared_95(freedom: int) -> float:
    """Return the 95 % quantile of the chi-squared distribution, to 2 %.

    By a cube root (Wilson and Hilferty, "The distribution of chi-square", PNAS 17, 1931).
    """
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + ALMOST_ALL * math.sqrt(spread)) ** 3
