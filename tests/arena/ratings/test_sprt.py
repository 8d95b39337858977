"""The sequential probability ratio test on pairs of matches."""

import math
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.sprt import Hypothesis, Model, SequentialTest, Sprt
from tests.support.cases import loop_over
from tests.support.tournaments.random_pairs import (
    distribution_with,
    pair_distribution,
    true_elo,
    true_nelo,
)

Measure = Callable[[Sequence[float]], float]

COARSE = Sprt(-200, 200)  # decided after about ten pairs

any_counts = st.sampled_from([3, 5]).flatmap(
    lambda size: st.lists(st.integers(0, 10**6), min_size=size, max_size=size)
)
any_elo = st.integers(-1000, 1000)
any_test = st.tuples(any_elo, any_elo).filter(lambda ends: ends[0] < ends[1])
any_nelo = st.integers(-500, 500)
any_normalised = st.tuples(any_nelo, any_nelo).filter(lambda ends: ends[0] < ends[1])


# Text


def test_words_and_texts_of_tests() -> None:
    assert Sprt.parse(["elo0=0", "elo1=20"]) == Sprt(0.0, 20.0, alpha=0.05, beta=0.05)
    words = ["beta=0.1", "elo1=2.5", "alpha=1e-3", "elo0=-.5"]
    assert Sprt.parse(words) == Sprt(-0.5, 2.5, alpha=0.001, beta=0.1)
    expected = Sprt(0, 5, alpha=0.1, model=Model.NORMALISED)
    assert Sprt.parse(["nelo1=5", "alpha=0.1", "nelo0=0"]) == expected
    text = "nelo0=-1.75 nelo1=0.25 alpha=0.05 beta=0.05"
    assert str(Sprt.parse(text.split())) == text
    assert str(Sprt.parse(["elo1=20.0", "elo0=0"])) == "elo0=0 elo1=20 alpha=0.05 beta=0.05"


any_chance = st.floats(0, 0.5, exclude_min=True, exclude_max=True)
any_sprt = st.builds(
    Sprt,
    st.floats(-500, 0),
    st.floats(0, 500, exclude_min=True),
    any_chance,
    any_chance,
    st.sampled_from(Model),
)


@given(any_sprt)
def test_sprt_survives_a_round_trip_and_has_opposite_bounds(sprt: Sprt) -> None:
    assert Sprt.parse(str(sprt).split()) == sprt
    lower, upper = sprt.bounds
    assert -math.inf < lower < 0 < upper < math.inf


@loop_over(
    "words, message",
    ("", "sprt: missing elo0=NUMBER (in Elo)"),
    ("elo0=0 alpha=0.1", "sprt: missing elo1=NUMBER (in Elo)"),
    (
        "elo0=0 elo2=5",
        "sprt: expected NAME=NUMBER (names: elo0, elo1, nelo0, nelo1, alpha, beta), got 'elo2=5'",
    ),
    ("20", "sprt: expected NAME=NUMBER (names: elo0, elo1, nelo0, nelo1, alpha, beta), got '20'"),
    ("elo0=0 elo0=0", "sprt: repeated elo0: 'elo0=0'"),
    ("elo0", "sprt elo0: expected a number, got ''"),
    ("elo0=-inf", "sprt elo0: expected a number, got '-inf'"),
    ("elo0=5 elo1=5", "sprt elo0=5 must be below elo1=5"),
    ("elo0=0 elo1=1001", "sprt elo1=1001 must be at most 1000 Elo from 0"),
    ("elo0=-1e9 elo1=0", "sprt elo0=-1000000000 must be at most 1000 Elo from 0"),
    ("nelo1=5", "sprt: missing nelo0=NUMBER (in normalised Elo)"),
    ("nelo0=5 nelo1=-2.5", "sprt nelo0=5 must be below nelo1=-2.5"),
    ("nelo0=0 nelo1=501", "sprt nelo1=501 must be at most 500 normalised Elo from 0"),
    (
        "elo0=0 nelo1=5",
        "sprt: elo0 and nelo1 cannot be combined (choose elo0 and elo1, or nelo0 and nelo1)",
    ),
    ("elo0=0 elo1=5 alpha=0", "sprt alpha=0 must be above 0 and below 0.5"),
    ("elo0=0 elo1=5 beta=0.5", "sprt beta=0.5 must be above 0 and below 0.5"),
)
def test_invalid_words_are_rejected(words: str, message: str) -> None:
    with pytest.raises(ValueError, match="sprt") as error:
        Sprt.parse(words.split())
    assert str(error.value) == message


def normalised(nelo0: float, nelo1: float) -> Sprt:
    """Return a test in normalised Elo."""
    return Sprt(nelo0, nelo1, model=Model.NORMALISED)


# Bounds


def test_bounds_depend_on_alpha_and_beta() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    lower, upper = Sprt(0, 5, alpha=0.01, beta=0.2).bounds
    assert (lower, upper) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


# Log-likelihood ratio


@loop_over(
    "elo0, elo1, counts, llr",
    (0.5, 2.5, [21184, 40708, 21404], -1.57),
    (0, 2, [57030, 106593, 57433], -2.59),
    (0.5, 2.5, [223, 9863, 20279 + 1000, 10037, 246], -3.07),
    (0, 2, [871, 26175, 55003 + 980, 26678, 821], -4.98),
)
def test_llr_agrees_with_fastchess(
    elo0: float, elo1: float, counts: Sequence[int], llr: float
) -> None:
    """The values are those of its tests: app/tests/sprt_test.cpp at 0cbac498."""
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(llr, abs=0.005)


@loop_over(
    "nelo0, nelo1, counts, llr",
    (0, 2, [365, 16618, 36029 + 200, 16974, 390], 2.25),
    (-1.75, 0.25, [127, 4883, 10311 + 401, 5150, 104], 3.01),
)
def test_normalised_llr_agrees_with_fastchess(
    nelo0: float, nelo1: float, counts: Sequence[int], llr: float
) -> None:
    """The values are those of its tests: app/tests/sprt_test.cpp at 0cbac498."""
    assert normalised(nelo0, nelo1).llr(counts) == pytest.approx(llr, abs=0.005)


def test_known_llrs() -> None:
    """The value is that of a test of its fork MontyTest, 69d3c8dc7c5b3724e29d2712."""
    assert normalised(0, 4).llr([13, 37, 50, 25, 3]) == pytest.approx(-0.54912, abs=2e-5)
    counts = [250, 500, 260]
    assert Sprt(0, 5).llr(counts) == pytest.approx(normalised(0, 5).llr(counts), rel=0.01)
    """The mean determines the distribution, so that it is Wald's test."""
    half, more = 0.5, 1 / (1 + 10**-0.25)
    plain = 40 * math.log((1 - more) / half) + 60 * math.log(more / half)
    assert Sprt(0, 100).llr([40, 60]) == pytest.approx(plain, abs=0.001)


@given(any_counts, any_normalised)
def test_normalised_llr_is_finite(counts: list[int], test: tuple[int, int]) -> None:
    assert math.isfinite(normalised(*test).llr(counts))


def test_llrs_without_pairs_and_at_a_bound() -> None:
    assert Sprt(0, 20).llr([0, 0, 0]) == pytest.approx(0, abs=0.001)
    pairs, matches = [10, 160, 30], [180, 220]
    assert Sprt(0, 50).llr(pairs) > 2 * Sprt(0, 50).llr(matches) > 0
    assert COARSE.llr([5, 0, 8, 0, 9]) == pytest.approx(COARSE.llr([5, 8, 9]), abs=1e-3)
    llr = COARSE.llr([0, 3, 1])
    reached = 1 / (1 + math.exp(llr))  # log((1 - beta) / alpha) = llr for alpha = beta
    assert Sprt(-200, 200, reached * 1.001, reached * 1.001).decide([0, 3, 1]) is Hypothesis.H1
    assert Sprt(-200, 200, reached * 0.999, reached * 0.999).decide([0, 3, 1]) is None


@given(any_counts, any_test)
def test_llr_is_finite_and_opposite_for_the_other(counts: list[int], test: tuple[int, int]) -> None:
    assert math.isfinite(Sprt(*test).llr(counts))
    other = Sprt(-test[1], -test[0]).llr(counts[::-1])
    assert Sprt(*test).llr(counts) == pytest.approx(-other, rel=1e-6, abs=1e-6)


@given(any_counts, any_test, st.integers(0, 1))
def test_llr_increases_with_wins(counts: list[int], test: tuple[int, int], wins: int) -> None:
    fewer, more = [*counts], [*counts]
    fewer[wins] += 1
    more[wins + 1] += 1
    rounding = 1e-9 * sum(counts)
    assert Sprt(*test).llr(more) > Sprt(*test).llr(fewer) - rounding


@given(st.lists(st.integers(0, 60), min_size=3, max_size=3), st.integers(0, 1))
def test_one_more_win_increases_the_llr(counts: list[int], wins: int) -> None:
    fewer, more = [*counts], [*counts]
    fewer[wins] += 1
    more[wins + 1] += 1
    assert Sprt(0, 20).llr(more) > Sprt(0, 20).llr(fewer)


@loop_over(
    "counts, accepted",
    [([5, 10, 5], None), ([0, 10, 40], Hypothesis.H1), ([40, 10, 0], Hypothesis.H0)],
)
def test_decision(counts: Sequence[int], accepted: Hypothesis | None) -> None:
    assert Sprt(-50, 50).decide(counts) == accepted


# Order of pairs


def running_test(sprt: Sprt, arrivals: Sequence[tuple[int, float]]) -> SequentialTest:
    """Return a test after pairs, given as numbers and points, were added in that order."""
    test = SequentialTest(sprt)
    for number, points in arrivals:
        test.add(number, points)
    return test


def test_a_new_test_has_no_pairs() -> None:
    test = SequentialTest(COARSE)
    assert (test.pairs, test.counts, test.accepted, test.decided_at) == (0, (0, 0, 0), None, None)
    assert SequentialTest(COARSE).decisive == 0


def test_only_pairs_without_a_gap_count() -> None:
    test = running_test(COARSE, [(1, 1), (3, 2), (4, 2)])
    assert (test.pairs, test.counts) == (1, (0, 1, 0))
    test = running_test(COARSE, [(1, 1), (3, 2), (4, 2), (2, 0)])
    assert (test.pairs, test.counts) == (4, (1, 1, 2))
    assert test.llr == COARSE.llr([1, 1, 2])
    assert running_test(COARSE, [(number, 2) for number in range(2, 50)]).accepted is None


def test_the_first_pair_that_reaches_a_bound_decides_for_good() -> None:
    test = running_test(COARSE, [(number, 2) for number in range(1, 50)])
    assert (test.accepted, test.decided_at) == (Hypothesis.H1, test.pairs)
    before = (0, 0, test.pairs - 1)
    assert COARSE.decide(before) is None
    assert COARSE.decide(test.counts) is Hypothesis.H1
    wins = [(number, 2) for number in range(1, 11)]
    test = running_test(COARSE, wins + [(number, 0) for number in range(11, 100)])
    short = running_test(COARSE, wins)
    assert (test.accepted, test.counts, test.llr) == (Hypothesis.H1, short.counts, short.llr)


any_results = st.lists(st.sampled_from([0, 0.5, 1, 1.5, 2]), max_size=20)
any_arrival = any_results.flatmap(lambda points: st.permutations(list(enumerate(points, 1))))


@given(any_arrival)
def test_order_of_arrival_does_not_matter(arrival: list[tuple[int, float]]) -> None:
    seen, expected = running_test(COARSE, arrival), running_test(COARSE, sorted(arrival))
    assert (seen.accepted, seen.decided_at) == (expected.accepted, expected.decided_at)
    assert (seen.counts, seen.llr) == (expected.counts, expected.llr)


@given(any_arrival, st.data())
def test_consecutive_pairs_count(arrival: list[tuple[int, float]], data: st.DataObject) -> None:
    some = arrival[: data.draw(st.integers(0, len(arrival)))]
    numbers = {number for number, _ in some}
    run = [pair for pair in sorted(some) if numbers >= set(range(1, pair[0]))]
    assert running_test(COARSE, some).counts == running_test(COARSE, run).counts


@loop_over("number", [0, 1, 3])
def test_adding_a_pair_twice_fails(number: int) -> None:
    test = running_test(COARSE, [(1, 1), (3, 1)])
    with pytest.raises(AssertionError, match=f"pair {number} was added before"):
        test.add(number, 2)


@loop_over("points", [-0.5, 2.5])
def test_points_out_of_range_fail(points: float) -> None:
    with pytest.raises(AssertionError, match="two matches"):
        SequentialTest(COARSE).add(1, points)


# Pairs by score


def test_pairs_are_counted_by_score() -> None:
    test = running_test(COARSE, [(1, 1), (2, 2), (3, 1), (4, 0)])
    assert (test.pair_scores, test.decisive) == ((1, 0, 2, 0, 1), 0.5)
    test = running_test(COARSE, [(1, 1), (2, 0.5), (3, 2), (4, 1.5), (5, 0)])
    assert test.counts == (1, 1, 1, 1, 1)
    assert test.llr == COARSE.llr([1, 1, 1, 1, 1])


# Error rates


def accepted_hypotheses(
    sprt: Sprt, chances: Sequence[float], runs: int = 150
) -> list[Hypothesis | None]:
    """Run tests on pairs of a distribution; return what they accept."""
    random = Random(1)
    tests = [SequentialTest(sprt) for _ in range(runs)]
    for test in tests:
        while not test.accepted:
            test.add(test.pairs + 1, random.choices(range(5), chances)[0] / 2)
    return [test.accepted for test in tests]


@pytest.mark.slow
@pytest.mark.unmeasured
@loop_over(("bias", "draws"), [(0, 0.0), (200, 0.7)])
@loop_over(("elo", "wrong"), [(0, Hypothesis.H1), (100, Hypothesis.H0)])
@loop_over(("model", "measure"), [(Model.LOGISTIC, true_elo), (Model.NORMALISED, true_nelo)])
def test_error_rates_are_about_alpha_and_beta(
    model: Model, measure: Measure, elo: float, wrong: Hypothesis, bias: float, draws: float
) -> None:
    chances = distribution_with(measure, elo, bias, draws)
    found = accepted_hypotheses(Sprt(0, 100, model=model), chances)
    assert 0.01 < found.count(wrong) / len(found) < 0.09


@pytest.mark.unmeasured
@loop_over(("elo", "right"), [(-60, Hypothesis.H0), (160, Hypothesis.H1)])
def test_differences_beyond_the_hypotheses_are_decided(elo: float, right: Hypothesis) -> None:
    found = accepted_hypotheses(Sprt(0, 100), pair_distribution(elo), runs=100)
    assert found.count(right) >= 99


@given(any_sprt, st.integers(0, 12))
def test_pairs_that_can_decide_a_test(sprt: Sprt, pairs: int) -> None:
    results = [
        (lost, pairs - lost - won, won)
        for lost in range(pairs + 1)
        for won in range(pairs + 1 - lost)
    ]
    assert sprt.can_decide(pairs) == any(map(sprt.decide, results))
