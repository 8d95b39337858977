"""Likelihoods of the scores of pairs under a hypothesis."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.pair_estimates import NELO_PER_T
from arena.ratings.pair_likelihood import mean_log_likelihood, pair_scores, t_value_log_likelihood
from tests.support.tournaments.t_value import normalised_llr

any_counts = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(1, 10**4), min_size=size, max_size=size)
)
any_extreme_counts = st.sampled_from([2, 3, 5]).flatmap(
    lambda size: st.lists(st.sampled_from([1e-3, 1, 10, 1e6]), min_size=size, max_size=size)
)


def t_value(counts: Sequence[float]) -> float:
    """Return (mean - 1/2) / standard deviation of the scores."""
    total, scores = sum(counts), pair_scores(len(counts))
    mean = sum(n * a for n, a in zip(counts, scores, strict=True)) / total
    squares = sum(n * (a - mean) ** 2 for n, a in zip(counts, scores, strict=True))
    return (mean - 0.5) / math.sqrt(squares / total)


def test_likelihoods_are_those_of_means_and_shares() -> None:
    assert pair_scores(5) == [0, 0.25, 0.5, 0.75, 1]
    assert mean_log_likelihood([1, 2, 1], 0.5) == pytest.approx(0)
    assert mean_log_likelihood([1, 2, 1], 0.6) < -0.01
    """With a t-value of 0.5, the share p has (p - 1/2) / sqrt(p (1 - p)) = 0.5."""
    share = 0.5 + 0.25 / math.sqrt(1.25)
    expected = 40 * math.log((1 - share) / 0.4) + 60 * math.log(share / 0.6)
    assert t_value_log_likelihood([40, 60], 0.5) == pytest.approx(expected)


@given(any_counts)
def test_the_observed_t_value_has_the_maximum_likelihood(counts: list[int]) -> None:
    assert t_value_log_likelihood(counts, t_value(counts)) == pytest.approx(0, abs=1e-6)
    expected = mean_log_likelihood(counts, 0.5)
    assert t_value_log_likelihood(counts, 0) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(max_examples=30)
@given(any_counts, st.floats(-50, 50), st.floats(-50, 50))
def test_t_values_agree_with_the_reference(counts: list[int], nelo0: float, nelo1: float) -> None:
    found = [t_value_log_likelihood(counts, nelo / NELO_PER_T) for nelo in (nelo0, nelo1)]
    expected = normalised_llr(counts, nelo0, nelo1)
    assert found[1] - found[0] == pytest.approx(expected, rel=1e-5, abs=1e-5)


@given(any_extreme_counts, st.floats(-2.1, 2.1))
def test_likelihoods_of_extreme_counts_are_finite(counts: list[float], t: float) -> None:
    assert -math.inf < t_value_log_likelihood(counts, t) < 1e-6


@given(any_counts, st.floats(-0.4, 0.4))
def test_likelihood_of_the_other_bot_is_the_same(counts: list[int], t: float) -> None:
    expected = t_value_log_likelihood(counts[::-1], -t)
    assert t_value_log_likelihood(counts, t) == pytest.approx(expected, rel=1e-6, abs=1e-6)
