"""Sizes of batches, and limits of matches in flight near the end of a test."""

from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bulk.batch_size import MAX_MATCHES, TARGET_SECONDS, BatchSize, in_flight_limit
from arena.ratings.sprt import SequentialTest, Sprt


def test_batches_grow_from_one_match_not_faster_than_twofold() -> None:
    size = BatchSize()
    sizes = []
    for _ in range(5):
        sizes.append(size.matches)
        size.add(size.matches, 1e-5)
    assert sizes == [1, 2, 4, 8, 16]


@pytest.mark.parametrize(
    ("seconds", "matches"),
    [(1e-6, MAX_MATCHES), (0.001, 200), (0.004, 50), (0.11, 1), (0.2, 1), (30.0, 1)],
)
def test_a_batch_takes_the_target(seconds: float, matches: int) -> None:
    size = BatchSize()
    for _ in range(50):
        size.add(size.matches, seconds * size.matches)
    assert size.matches == pytest.approx(matches, abs=1)
    assert size.matches * seconds <= max(TARGET_SECONDS, seconds)


def test_the_latest_batch_counts_for_three_tenths() -> None:
    size = BatchSize()
    size.add(100, 0.1)
    size.add(100, 0.2)
    assert size.matches == int(TARGET_SECONDS / (0.7 * 0.001 + 0.3 * 0.002))


@given(st.lists(st.tuples(st.integers(1, 1000), st.floats(0, 100)), max_size=20))
def test_the_size_is_always_possible(batches: list[tuple[int, float]]) -> None:
    size = BatchSize()
    for matches, seconds in batches:
        size.add(matches, seconds)
        assert 1 <= size.matches <= MAX_MATCHES


def pair_points(share: float, seed: int = 1) -> Iterator[tuple[int, float]]:
    """Yield pairs in whose matches the first bot wins this share: their numbers and its points."""
    random = Random(seed)
    for pair in count(1):
        yield pair, float((random.random() < share) + (random.random() < share))


def make_test(words: str) -> SequentialTest:
    return SequentialTest(Sprt.parse(words.split()))


def test_many_matches_may_be_in_flight_far_from_the_bounds() -> None:
    test = make_test("elo0=-2 elo1=2")
    for pair, points in islice(pair_points(0.5), 300):
        test.add(pair, points)
    assert in_flight_limit(test) > 1000


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_few_matches_are_in_flight_near_a_bound(share: float) -> None:
    test, limits = make_test("elo0=0 elo1=40"), [0]
    pairs = pair_points(share)
    while test.accepted is None:
        limits.append(in_flight_limit(test))
        test.add(*next(pairs))
    assert limits[-1] == 2
    assert max(limits) > 20
    assert in_flight_limit(test) == 2


@pytest.mark.unmeasured
@pytest.mark.parametrize("share", [0.4, 0.5, 0.6])
def test_the_overplay_is_small(share: float) -> None:
    played = overplay = 0
    for seed in range(20):
        test, pairs = make_test("elo0=0 elo1=40"), pair_points(share, seed)
        while test.accepted is None:
            for _ in range(in_flight_limit(test) // 2):  # all are started, then all are finished
                number, points = next(pairs)
                test.add(number, points)
        assert test.decided_at
        played += number
        overplay += number - test.decided_at
    assert overplay / played < 0.1
