"""Slopes of estimates by weighted regression."""

import math
from random import Random

import numpy as np
import pytest

from arena.ratings.regression import chi_squared_95, student_t_95, weighted_slope
from tests.support.cases import loop_over


def covariance(variances: list[float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the covariance of the differences from the first of independent estimates."""
    return np.diag(variances[1:]) + variances[0]


def test_slopes_are_least_squares() -> None:
    slope = weighted_slope([1, 2, 4], [10, 30, 70], covariance([1, 2, 3]))
    assert slope.value == pytest.approx(20)
    assert slope.is_straight
    x, y = [1, 2, 3, 4], [5.0, 1.0, 4.0, 9.0]
    slope = weighted_slope(x, y, covariance([16.0] * 4))
    assert slope.value == pytest.approx(np.polyfit(x, y, 1)[0])
    assert slope.margin == pytest.approx(1.959964 * math.sqrt(16 / 5))
    slope = weighted_slope([2, 4], [100, 160], np.array([[100.0]]))
    assert slope == pytest.approx((30, 1.959964 * 5, True))
    slope = weighted_slope([1, 2], [0, 100], np.array([[math.inf]]))
    assert math.isnan(slope.value)
    assert slope.margin == math.inf


def test_precision_and_scatter_count() -> None:
    vague_end = weighted_slope([0, 1, 2], [0, 10, 80], covariance([1, 1, 10_000]))
    assert vague_end.value == pytest.approx(10, abs=0.1)
    assert vague_end.is_straight
    straight = weighted_slope([0, 1, 2, 3], [0, 10, 20, 30], covariance([1] * 4))
    bent = weighted_slope([0, 1, 2, 3], [0, 30, 35, 30], covariance([1] * 4))
    assert not bent.is_straight
    assert bent.margin > 10 * straight.margin


def test_the_interval_holds_the_truth_in_95_percent() -> None:
    random, held, straight = Random(5), 0, 0
    for _ in range(2000):
        y = [50 * x + random.gauss(0, 10 * x) for x in (1, 2, 3, 4, 5)]
        slope = weighted_slope([1, 2, 3, 4, 5], y, covariance([100.0 * x * x for x in range(1, 6)]))
        held += abs(slope.value - 50) <= slope.margin
        straight += slope.is_straight
    assert 0.94 <= held / 2000 <= 0.97
    assert 0.93 <= straight / 2000 <= 0.97


@loop_over("freedom, quantile", [(1, 12.706), (9, 2.262), (10, 2.228), (30, 2.042), (1000, 1.962)])
def test_quantiles_of_student(freedom: int, quantile: float) -> None:
    assert student_t_95(freedom) == pytest.approx(quantile, abs=0.003)


@loop_over(("freedom", "quantile"), [(1, 3.841), (2, 5.991), (5, 11.070), (20, 31.410)])
def test_quantiles_of_chi_squared(freedom: int, quantile: float) -> None:
    assert chi_squared_95(freedom) == pytest.approx(quantile, rel=0.03)
