"""Estimates of the difference between two bots."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.pair_estimates import estimate_elo, estimate_nelo
from tests.support.cases import loop_over
from tests.support.tournaments.random_pairs import pair_distribution, true_elo, true_nelo

any_counts = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(0, 10**6), min_size=size, max_size=size)
)


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
