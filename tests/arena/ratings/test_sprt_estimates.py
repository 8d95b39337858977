"""Likelihoods of the scores of pairs under a hypothesis, and estimates of a difference."""

import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.sprt import (
    NELO_PER_T,
    estimate_elo,
    estimate_nelo,
    mean_log_likelihood,
    pair_scores,
    t_value_log_likelihood,
)
from tests.support.cases import loop_over
from tests.support.tournaments.random_pairs import pair_distribution, true_elo, true_nelo
from tests.support.tournaments.t_value import normalised_llr

positive_counts = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(1, 10**4), min_size=size, max_size=size)
)
any_extreme_counts = st.sampled_from([2, 3, 5]).flatmap(
    lambda size: st.lists(st.sampled_from([1e-3, 1, 10, 1e6]), min_size=size, max_size=size)
)
any_counts = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(0, 10**6), min_size=size, max_size=size)
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


@given(positive_counts)
def test_the_observed_t_value_has_the_maximum_likelihood(counts: list[int]) -> None:
    assert t_value_log_likelihood(counts, t_value(counts)) == pytest.approx(0, abs=1e-6)
    expected = mean_log_likelihood(counts, 0.5)
    assert t_value_log_likelihood(counts, 0) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(max_examples=30)
@given(positive_counts, st.floats(-50, 50), st.floats(-50, 50))
def test_t_values_agree_with_the_reference(counts: list[int], nelo0: float, nelo1: float) -> None:
    found = [t_value_log_likelihood(counts, nelo / NELO_PER_T) for nelo in (nelo0, nelo1)]
    expected = normalised_llr(counts, nelo0, nelo1)
    assert found[1] - found[0] == pytest.approx(expected, rel=1e-5, abs=1e-5)


@given(any_extreme_counts, st.floats(-2.1, 2.1))
def test_likelihoods_of_extreme_counts_are_finite(counts: list[float], t: float) -> None:
    assert -math.inf < t_value_log_likelihood(counts, t) < 1e-6


@given(positive_counts, st.floats(-0.4, 0.4))
def test_likelihood_of_the_other_bot_is_the_same(counts: list[int], t: float) -> None:
    expected = t_value_log_likelihood(counts[::-1], -t)
    assert t_value_log_likelihood(counts, t) == pytest.approx(expected, rel=1e-6, abs=1e-6)


# Elo


def test_elo_and_its_margin() -> None:
    elo, _ = estimate_elo([100, 800, 600])
    assert elo == pytest.approx(400 * math.log10(2), abs=0.1)  # 2000 wins, 1000 losses
    _, margin = estimate_elo([500, 0, 500])  # 1.96 * 1/2 / sqrt(1000), times 1600 / log(10)
    assert margin == pytest.approx(21.53, abs=0.02)


def test_margins_of_extreme_results() -> None:
    elo, margin = estimate_elo([0, 1000, 0])
    assert elo == pytest.approx(0)
    assert 0 < margin < 1
    elo, margin = estimate_elo([0, 0, 10])
    assert 300 < elo < 1000
    assert margin > 300
    """Without a decisive pair, an interval covers a true share of decisive pairs of 3 %."""
    _, margin = estimate_elo([0, 50, 0])
    assert margin > 400 * math.log10(0.515 / 0.485)


@given(any_counts)
def test_estimates_are_finite_and_opposite_for_the_other_bot(counts: list[int]) -> None:
    elo, margin = estimate_elo(counts)
    assert math.isfinite(elo)
    assert 0 < margin < 1000
    elo, margin = estimate_elo(counts)
    assert estimate_elo(counts[::-1]) == pytest.approx((-elo, margin), rel=1e-6, abs=1e-6)
    nelo, margin = estimate_nelo(counts)
    assert math.isfinite(nelo)
    assert 0 < margin < math.inf
    nelo, margin = estimate_nelo(counts)
    assert estimate_nelo(counts[::-1]) == pytest.approx((-nelo, margin), rel=1e-6, abs=1e-6)


# Normalised Elo


@loop_over(
    "counts, nelo",
    ([34, 54, 31 + 32, 64, 75], 57.94),
    ([332, 433, 457 + 41, 333, 334], -9.17),
    ([7895, 8757, 5485 + 200, 568, 9999], -19.01),
)
def test_normalised_elo_agrees_with_fastchess(counts: list[int], nelo: float) -> None:
    """The values are those of its tests: app/tests/elo_test.cpp at 2f5e8881."""
    found, _ = estimate_nelo(counts)
    assert found == pytest.approx(nelo, rel=0.01)


def test_normalised_elo_and_its_margin() -> None:
    counts = [2500, 5000, 2600]  # as of independent matches without draws
    assert estimate_nelo(counts) == pytest.approx(estimate_elo(counts), rel=0.01)
    _, margin = estimate_nelo([500, 0, 500])  # 1.96 * 800 / log(10) / sqrt(2) / sqrt(1000)
    assert margin == pytest.approx(15.22, abs=0.02)
    _, margin = estimate_nelo([20, 80, 900])
    assert margin > 1.3 * 15.22


# Coverage


@pytest.mark.unmeasured
@loop_over("draws", [0.0, 0.7])
@loop_over(("elo", "bias"), [(0, 0), (300, 0), (100, 200), (200, 400)])
def test_margins_have_95_percent_coverage(elo: float, bias: float, draws: float) -> None:
    random = Random(1)
    chances = pair_distribution(elo, bias, draws)
    hits = nelo_hits = 0
    for _ in range(1000):
        places = random.choices(range(5), chances, k=50)
        counts = [places.count(place) for place in range(5)]
        found, margin = estimate_elo(counts)
        hits += abs(found - true_elo(chances)) <= margin
        found, margin = estimate_nelo(counts)
        nelo_hits += abs(found - true_nelo(chances)) <= margin
    assert 0.93 <= hits / 1000 <= 0.98
    assert 0.92 <= nelo_hits / 1000 <= 0.98
