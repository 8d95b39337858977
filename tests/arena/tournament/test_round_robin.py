"""Tests of round robins and gauntlets."""

import tracemalloc
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, combinations, islice, pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.round_robin import (
    MatchPair,
    Size,
    check_bots,
    gauntlet,
    gauntlet_size,
    round_robin,
    round_robin_size,
)
from tests.support.cases import loop_over

NAMES = [f"bot {letter}" for letter in "cabfedihgljk"]

fields = given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=12, unique=True))
sides = given(
    st.lists(st.sampled_from(NAMES), min_size=2, unique=True).flatmap(
        lambda bots: st.integers(1, len(bots) - 1).map(lambda cut: (bots[:cut], bots[cut:]))
    )
)
sweeps = given(st.integers(2, 9), st.integers(1, 4), st.integers(1, 3))
SIZES = (st.integers(1, 6), st.integers(1, 6), st.integers(1, 4), st.integers(1, 3))
crossings = given(*SIZES)
MANY = 10**9


def players(match_pairs: Iterable[MatchPair]) -> list[str]:
    """Return the players of each pair as a string of letters."""
    return ["".join(match_pair.players) for match_pair in match_pairs]


def meetings(match_pairs: Iterable[MatchPair]) -> Counter[tuple[frozenset[str], int]]:
    """Count how often any two bots meet on each opening."""
    return Counter((frozenset(two), opening) for _, two, opening in match_pairs)


def lead(match_pairs: Iterable[MatchPair]) -> Counter[str]:
    """Return how much more often each bot is first than second."""
    balance: Counter[str] = Counter()
    for _, (first, second), _ in match_pairs:
        balance.update({first: 1, second: -1})
    return balance


def peak_memory(match_pairs: Iterator[MatchPair]) -> int:
    """Return the peak memory of the first ten pairs, in bytes."""
    tracemalloc.start()
    for _ in islice(match_pairs, 10):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@loop_over(
    "bots, expected",
    ("ab", ["ab", "ba"]),
    ("abc", ["bc", "ca", "ab", "cb", "ac", "ba"]),
    ("abcd", ["ad", "bc", "ca", "db", "ab", "cd", "da", "cb", "ac", "bd", "ba", "dc"]),
)
def test_order_of_a_round_robin(bots: str, expected: list[str]) -> None:
    assert players(round_robin(bots, 1, 2)) == expected


def test_fields_of_pairs_and_names_of_bots() -> None:
    assert [*round_robin("ab", 1, 1)] == [MatchPair(1, ("a", "b"), 0)]
    expected = ["ca", "db", "ea", "bc", "ad", "be", "ac", "bd", "ae", "cb", "da", "eb"]
    assert players(gauntlet("ab", "cde", 1, 2)) == expected
    with pytest.raises(ValueError, match="duplicate bot name 'a'"):
        round_robin("aa", 1, 1)


@fields
def test_pairs_of_a_round_robin(bots: list[str]) -> None:
    expected = product(map(frozenset, combinations(bots, 2)), range(6))
    assert meetings(round_robin(bots, 3, 2)) == Counter(expected)
    openings = [match_pair.opening for match_pair in round_robin(bots, 3, 2)]
    assert openings == sorted(openings)
    for number, match_pair in enumerate(round_robin(bots, 2, 2), 1):
        assert match_pair.number == number
    match_pairs = round_robin(bots, 2, 1)
    while turn := [*islice(match_pairs, len(bots) // 2)]:
        assert len({*chain.from_iterable(pair for _, pair, _ in turn)}) == 2 * len(turn)


@given(st.tuples(*SIZES), st.integers(0, 3), st.integers(0, 2), st.integers(1, 200))
def test_a_later_first_pair_leaves_out_those_before(
    sizes: tuple[int, int, int, int], added: int, former_rounds: int, first: int
) -> None:
    seeds, opponents, rounds, openings = sizes
    bots = [f"bot {number}" for number in range(seeds + opponents + added)]
    former = [Size(seeds + opponents, min(former_rounds, rounds))] if former_rounds else []
    for pairs in (
        partial(gauntlet, bots[:seeds], bots[seeds:], rounds, openings, former),
        partial(round_robin, bots, rounds, openings, former),
    ):
        assert [*pairs(first)] == [*pairs()][first - 1 :]


@fields
def test_sides_of_a_round_robin_are_balanced(bots: list[str]) -> None:
    first, second = (
        [pair for _, pair, opening in round_robin(bots, 1, 2) if opening == place]
        for place in (0, 1)
    )
    assert second == [(two, one) for one, two in first]
    most = 1 - len(bots) % 2
    assert all(abs(more) == most for more in lead(round_robin(bots, 1, 1)).values())
    firsts = Counter(pair for _, pair, _ in round_robin(bots, 2, 3))
    assert firsts == dict.fromkeys(permutations(bots, 2), 3)


@sweeps
def test_the_size_of_a_round_robin(bots: int, rounds: int, openings: int) -> None:
    match_pairs = [*round_robin(NAMES[:bots], rounds, openings)]
    assert len(match_pairs) == round_robin_size(bots, rounds, openings)


def test_long_schedules_start_and_continue_at_once() -> None:
    assert peak_memory(round_robin(NAMES, MANY, MANY)) < 20_000
    assert peak_memory(gauntlet(NAMES[:4], NAMES[4:], MANY, MANY)) < 20_000
    last = next(islice(round_robin("abcd", MANY, 1), 10**5 - 1, None))
    assert (last.number, last.opening) == (10**5, (10**5 - 1) // 6)
    assert next(round_robin("ab", MANY, 1, first=10**6)).number == 10**6


@sides
def test_pairs_of_a_gauntlet(sides: tuple[list[str], list[str]]) -> None:
    expected = product(map(frozenset, product(*sides)), range(6))
    assert meetings(gauntlet(*sides, 2, 3)) == Counter(expected)
    match_pairs = [*gauntlet(*sides, 2, 2)]
    assert [match_pair.number for match_pair in match_pairs] == [*range(1, len(match_pairs) + 1)]
    assert match_pairs == sorted(match_pairs, key=lambda match_pair: match_pair.opening)
    assert all(abs(more) <= 1 for more in lead(gauntlet(*sides, 1, 1)).values())
    assert not any(lead(gauntlet(*sides, 1, 2)).values())


@crossings
def test_size_order_of_gauntlet(seeds: int, opponents: int, rounds: int, openings: int) -> None:
    bots = NAMES[: seeds + opponents]
    pairs = [pair for _, pair, _ in gauntlet(bots[:seeds], bots[seeds:], rounds, openings)]
    avoidable = min(seeds, opponents) > 1 and (seeds, opponents) != (2, 2)
    assert not (avoidable and any({*one} & {*two} for one, two in pairwise(pairs)))
    match_pairs = [*gauntlet(NAMES[:seeds], NAMES[seeds : seeds + opponents], rounds, openings)]
    assert len(match_pairs) == gauntlet_size(seeds, opponents, rounds, openings)


@loop_over("sweeps", range(1, 5))
def test_two_against_two_have_the_fewest_pairs_in_a_row(sweeps: int) -> None:
    pairs = players(gauntlet("ab", "cd", 1, sweeps))
    assert sum(bool({*one} & {*two}) for one, two in pairwise(pairs)) == sweeps


@loop_over(
    "bots, message",
    ("", "expected at least 2 bots, got 0"),
    ("a", "expected at least 2 bots, got 1"),
    ("abcb", "duplicate bot name 'b'"),
)
def test_invalid_bots(bots: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_bots(bots)


@loop_over(
    "seeds, opponents, message",
    ("", "abc", "at least 1 seed and at least 1 opponent in a gauntlet, got 0 and 3"),
    ("ab", "", "at least 1 seed and at least 1 opponent in a gauntlet, got 2 and 0"),
    ("ab", "cb", "duplicate bot name 'b'"),
)
def test_a_gauntlet_checks_its_bots_at_once(seeds: str, opponents: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gauntlet(seeds, opponents, 1, 1)
