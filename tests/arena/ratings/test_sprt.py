"""The sequential probability ratio test on pairs of matches."""

import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.sprt import SequentialTest, Sprt, Verdict, elo_of

COARSE = Sprt(-200, 200)  # some ten pairs decide it

any_counts = st.lists(st.integers(0, 10**6), min_size=3, max_size=3)
any_elo = st.integers(-1000, 1000)
any_test = st.tuples(any_elo, any_elo).filter(lambda ends: ends[0] < ends[1])


# Written and read


def test_what_is_left_out_is_usual() -> None:
    assert Sprt.parse(["elo0=0", "elo1=20"]) == Sprt(0.0, 20.0, alpha=0.05, beta=0.05)


def test_words_come_in_any_order() -> None:
    words = ["beta=0.1", "elo1=2.5", "alpha=1e-3", "elo0=-.5"]
    assert Sprt.parse(words) == Sprt(-0.5, 2.5, alpha=0.001, beta=0.1)


def test_it_is_written_without_needless_digits() -> None:
    assert str(Sprt.parse(["elo1=20.0", "elo0=0"])) == "elo0=0 elo1=20 alpha=0.05 beta=0.05"


any_chance = st.floats(0, 0.5, exclude_min=True, exclude_max=True)
any_sprt = st.builds(
    Sprt, st.floats(-1000, 0), st.floats(0, 1000, exclude_min=True), any_chance, any_chance
)


@given(any_sprt)
def test_what_is_written_can_be_read(sprt: Sprt) -> None:
    assert Sprt.parse(str(sprt).split()) == sprt


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "sprt needs elo0=NUMBER, in Elo"),
        ("elo0=0 alpha=0.1", "sprt needs elo1=NUMBER, in Elo"),
        ("elo0=0 elo2=5", "sprt 'elo2=5' is not NAME=NUMBER of one of elo0, elo1, alpha, beta"),
        ("20", "sprt '20' is not NAME=NUMBER of one of elo0, elo1, alpha, beta"),
        ("elo0=0 elo0=0", "sprt 'elo0=0' gives elo0 a second time"),
        ("elo0=zero", "sprt elo0: 'zero' is not a finite number"),
        ("elo0", "sprt elo0: '' is not a finite number"),
        ("elo0=-inf", "sprt elo0: '-inf' is not a finite number"),
        ("elo0=nan", "sprt elo0: 'nan' is not a finite number"),
        ("elo0=5 elo1=5", "sprt elo0=5 must be below elo1=5"),
        ("elo0=5 elo1=-2.5", "sprt elo0=5 must be below elo1=-2.5"),
        ("elo0=0 elo1=1001", "sprt elo1=1001 must be at most 1000 Elo from 0"),
        ("elo0=-1e9 elo1=0", "sprt elo0=-1000000000 must be at most 1000 Elo from 0"),
        ("elo0=0 elo1=5 alpha=0", "sprt alpha=0 must be above 0 and below 0.5"),
        ("elo0=0 elo1=5 beta=0.5", "sprt beta=0.5 must be above 0 and below 0.5"),
    ],
)
def test_bad_words_are_refused(words: str, message: str) -> None:
    with pytest.raises(ValueError, match="sprt") as error:
        Sprt.parse(words.split())
    assert str(error.value) == message


# The bounds


def test_the_usual_bounds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))


def test_the_bounds_follow_the_errors() -> None:
    lower, upper = Sprt(0, 5, alpha=0.01, beta=0.2).bounds
    assert (lower, upper) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


@given(any_sprt)
def test_the_bounds_are_finite_and_apart(sprt: Sprt) -> None:
    lower, upper = sprt.bounds
    assert -math.inf < lower < 0 < upper < math.inf


# The ratio


@pytest.mark.parametrize(
    ("elo0", "elo1", "counts", "llr"),
    [
        (0.5, 2.5, [21184, 40708, 21404], -1.57),
        (0, 2, [57030, 106593, 57433], -2.59),
        (0.5, 2.5, [223, 9863, 20279 + 1000, 10037, 246], -3.07),
        (0, 2, [871, 26175, 55003 + 980, 26678, 821], -4.98),
    ],
)
def test_it_agrees_with_fastchess(
    elo0: float, elo1: float, counts: Sequence[int], llr: float
) -> None:
    """Logistic values of its own tests: app/tests/sprt_test.cpp at 0cbac498."""
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(llr, abs=0.005)


def test_of_two_scores_it_is_the_plain_test() -> None:
    """With nothing but the mean to know of them, it is Wald's own."""
    half, more = 0.5, 1 / (1 + 10**-0.25)
    plain = 40 * math.log((1 - more) / half) + 60 * math.log(more / half)
    assert Sprt(0, 100).llr([40, 60]) == pytest.approx(plain, abs=0.001)


def test_no_pairs_say_nothing() -> None:
    assert Sprt(0, 20).llr([0, 0, 0]) == pytest.approx(0, abs=0.001)


@given(any_counts, any_test)
def test_it_is_finite(counts: list[int], test: tuple[int, int]) -> None:
    assert math.isfinite(Sprt(*test).llr(counts))


@given(any_counts, any_test)
def test_the_other_bot_sees_the_opposite(counts: list[int], test: tuple[int, int]) -> None:
    other = Sprt(-test[1], -test[0]).llr(counts[::-1])
    assert Sprt(*test).llr(counts) == pytest.approx(-other, rel=1e-6, abs=1e-6)


@given(any_counts, any_test, st.integers(0, 1))
def test_it_grows_with_wins(counts: list[int], test: tuple[int, int], wins: int) -> None:
    fewer, more = [*counts], [*counts]
    fewer[wins] += 1
    more[wins + 1] += 1
    rounding = 1e-9 * sum(counts)
    assert Sprt(*test).llr(more) > Sprt(*test).llr(fewer) - rounding


@given(st.lists(st.integers(0, 60), min_size=3, max_size=3), st.integers(0, 1))
def test_one_more_win_is_never_nothing(counts: list[int], wins: int) -> None:
    fewer, more = [*counts], [*counts]
    fewer[wins] += 1
    more[wins + 1] += 1
    assert Sprt(0, 20).llr(more) > Sprt(0, 20).llr(fewer)


def test_pairs_say_more_than_their_matches_where_the_side_decides() -> None:
    pairs, matches = [10, 160, 30], [180, 220]
    assert Sprt(0, 50).llr(pairs) > 2 * Sprt(0, 50).llr(matches) > 0


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [([5, 10, 5], None), ([0, 10, 40], Verdict.H1), ([40, 10, 0], Verdict.H0)],
)
def test_the_verdict(counts: Sequence[int], verdict: Verdict | None) -> None:
    assert Sprt(-50, 50).verdict(counts) == verdict


def test_a_bound_that_is_reached_decides() -> None:
    llr = COARSE.llr([0, 3, 1])
    reached = 1 / (1 + math.exp(llr))  # log((1 - beta) / alpha) = llr for alpha = beta
    assert Sprt(-200, 200, reached * 1.001, reached * 1.001).verdict([0, 3, 1]) is Verdict.H1
    assert Sprt(-200, 200, reached * 0.999, reached * 0.999).verdict([0, 3, 1]) is None


# As they come in


def followed(sprt: Sprt, arrivals: Sequence[tuple[int, int]]) -> SequentialTest:
    """After pairs, each a number and its wins, have arrived in that order."""
    test = SequentialTest(sprt)
    for number, wins in arrivals:
        test.add(number, wins)
    return test


def test_nothing_has_come_in() -> None:
    test = SequentialTest(COARSE)
    assert (test.pairs, test.counts, test.verdict, test.decided_at) == (0, (0, 0, 0), None, None)


def test_a_gap_is_waited_for() -> None:
    test = followed(COARSE, [(1, 1), (3, 2), (4, 2)])
    assert (test.pairs, test.counts) == (1, (0, 1, 0))


def test_a_gap_is_filled() -> None:
    test = followed(COARSE, [(1, 1), (3, 2), (4, 2), (2, 0)])
    assert (test.pairs, test.counts) == (4, (1, 1, 2))
    assert test.llr == COARSE.llr([1, 1, 2])


def test_quick_wins_do_not_decide() -> None:
    assert followed(COARSE, [(number, 2) for number in range(2, 50)]).verdict is None


def test_it_decides_at_the_first_pair_that_reaches_a_bound() -> None:
    test = followed(COARSE, [(number, 2) for number in range(1, 50)])
    assert (test.verdict, test.decided_at) == (Verdict.H1, test.pairs)
    before = (0, 0, test.pairs - 1)
    assert COARSE.verdict(before) is None
    assert COARSE.verdict(test.counts) is Verdict.H1


def test_it_never_changes_its_mind() -> None:
    wins = [(number, 2) for number in range(1, 11)]
    test = followed(COARSE, wins + [(number, 0) for number in range(11, 100)])
    short = followed(COARSE, wins)
    assert (test.verdict, test.counts, test.llr) == (Verdict.H1, short.counts, short.llr)


any_results = st.lists(st.integers(0, 2), max_size=20)
any_arrival = any_results.flatmap(lambda wins: st.permutations(list(enumerate(wins, 1))))


@given(any_arrival)
def test_the_order_of_arrival_does_not_matter(arrival: list[tuple[int, int]]) -> None:
    seen, expected = followed(COARSE, arrival), followed(COARSE, sorted(arrival))
    assert (seen.verdict, seen.decided_at) == (expected.verdict, expected.decided_at)
    assert (seen.counts, seen.llr) == (expected.counts, expected.llr)


@given(any_arrival, st.data())
def test_only_the_unbroken_run_counts(arrival: list[tuple[int, int]], data: st.DataObject) -> None:
    some = arrival[: data.draw(st.integers(0, len(arrival)))]
    numbers = {number for number, _ in some}
    run = [pair for pair in sorted(some) if numbers >= set(range(1, pair[0]))]
    assert followed(COARSE, some).counts == followed(COARSE, run).counts


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_pair_finishes_once(number: int) -> None:
    test = followed(COARSE, [(1, 1), (3, 1)])
    with pytest.raises(AssertionError, match=f"pair {number} has finished before"):
        test.add(number, 2)


@pytest.mark.parametrize("wins", [-1, 3])
def test_a_pair_has_two_matches(wins: int) -> None:
    with pytest.raises(AssertionError, match="two matches"):
        SequentialTest(COARSE).add(1, wins)


# As often right as it says


def a_pair(random: Random, elo: float, side: float = 0.3) -> int:
    """The wins of a bot so much stronger, where the side gives or takes much of the chance."""
    score = 1 / (1 + 10 ** (-elo / 400))
    return (random.random() < score + side) + (random.random() < score - side)


def verdicts(elo: float, runs: int = 300) -> list[Verdict | None]:
    """Of many tests of 100 against 0 Elo, where the truth is `elo`."""
    random = Random(1)
    tests = [SequentialTest(Sprt(0, 100)) for _ in range(runs)]
    for test in tests:
        while not test.verdict:
            test.add(test.pairs + 1, a_pair(random, elo))
    return [test.verdict for test in tests]


@pytest.mark.parametrize(("elo", "wrong"), [(0, Verdict.H1), (100, Verdict.H0)])
def test_the_errors_are_as_rare_as_asked(elo: float, wrong: Verdict) -> None:
    found = verdicts(elo)
    assert 0.01 < found.count(wrong) / len(found) < 0.08


@pytest.mark.parametrize(("elo", "right"), [(-60, Verdict.H0), (160, Verdict.H1)])
def test_what_is_beyond_the_hypotheses_is_clear(elo: float, right: Verdict) -> None:
    found = verdicts(elo, runs=100)
    assert found.count(right) >= 99


# What the results show


def test_a_score_in_elo() -> None:
    elo, _ = elo_of([100, 800, 600])
    assert elo == pytest.approx(400 * math.log10(2), abs=0.1)  # 2000 wins, 1000 losses


def test_a_margin_in_elo() -> None:
    _, margin = elo_of([500, 0, 500])  # 1.96 * 1/2 / sqrt(1000), times 1600 / log(10)
    assert margin == pytest.approx(21.53, abs=0.02)


def test_pairs_that_the_side_decides_are_certain_that_bots_are_equal() -> None:
    elo, margin = elo_of([0, 1000, 0])
    assert elo == pytest.approx(0)
    assert 0 < margin < 1


@given(any_counts)
def test_elo_is_finite(counts: list[int]) -> None:
    elo, margin = elo_of(counts)
    assert math.isfinite(elo)
    assert 0 < margin < 1000


@given(any_counts)
def test_the_other_bot_has_the_opposite_elo(counts: list[int]) -> None:
    elo, margin = elo_of(counts)
    assert elo_of(counts[::-1]) == pytest.approx((-elo, margin), rel=1e-6, abs=1e-6)


def test_a_clean_sweep_has_an_elo() -> None:
    elo, margin = elo_of([0, 0, 10])
    assert 300 < elo < 1000
    assert margin > 300


@pytest.mark.parametrize("elo", [0, 100])
def test_margins_cover_the_truth(elo: float) -> None:
    random = Random(1)
    hits = 0
    for _ in range(1000):
        wins = [a_pair(random, elo) for _ in range(50)]
        found, margin = elo_of([wins.count(number) for number in range(3)])
        hits += abs(found - elo) <= margin
    assert 0.93 <= hits / 1000 <= 0.97
