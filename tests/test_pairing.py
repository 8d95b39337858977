"""Who meets whom."""

from collections import Counter
from itertools import combinations, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pairing import least_played, round_robin

NAMES = [f"bot {letter}" for letter in "cabfedihgljk"]

fields = given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=12, unique=True))
counts = given(
    st.lists(st.sampled_from(NAMES[:5]), max_size=5, unique=True),
    st.dictionaries(st.sampled_from([*permutations(NAMES[:5], 2)]), st.integers(0, 3)),
)


def halves(bots: list[str]) -> list[list[tuple[str, str]]]:
    """The first and the second half of a round robin."""
    legs = [*round_robin(bots)]
    return [legs[: len(legs) // 2], legs[len(legs) // 2 :]]


@pytest.mark.parametrize(
    ("bots", "legs"),
    [
        ("", []),
        ("a", []),
        ("ab", ["ab", "ba"]),
        ("abc", ["bc", "ca", "ab", "cb", "ac", "ba"]),
        ("abcd", ["ad", "bc", "ca", "bd", "ab", "cd", "da", "cb", "ac", "db", "ba", "dc"]),
    ],
)
def test_round_robin(bots: str, legs: list[str]) -> None:
    assert ["".join(leg) for leg in round_robin(bots)] == legs


@fields
def test_every_ordered_pair_meets_once(bots: list[str]) -> None:
    assert sorted(round_robin(bots)) == sorted(permutations(bots, 2))


@fields
def test_in_each_half_every_pair_meets_once(bots: list[str]) -> None:
    pairs = Counter(map(frozenset, combinations(bots, 2)))
    assert [Counter(map(frozenset, half)) for half in halves(bots)] == [pairs, pairs]


@fields
def test_the_second_half_swaps_the_sides(bots: list[str]) -> None:
    first, second = halves(bots)
    assert second == [(two, one) for one, two in first]


@fields
def test_no_bot_plays_twice_in_a_round(bots: list[str]) -> None:
    legs = round_robin(bots)
    while names := [name for leg in islice(legs, len(bots) // 2) for name in leg]:
        assert len(names) == len({*names})


@fields
def test_every_bot_plays_both_sides_as_often(bots: list[str]) -> None:
    firsts = Counter(one for one, _ in round_robin(bots))
    assert firsts == dict.fromkeys(bots, len(bots) - 1)


@fields
def test_sides_are_nearly_balanced_in_the_first_half(bots: list[str]) -> None:
    first, _ = halves(bots)
    firsts, seconds = Counter(one for one, _ in first), Counter(two for _, two in first)
    assert all(abs(firsts[bot] - seconds[bot]) <= 4 for bot in bots)


@pytest.mark.parametrize(
    ("free", "played", "pair"),
    [
        ("ab", {}, "ab"),
        ("ba", {}, "ab"),
        ("ab", {"ab": 1}, "ba"),
        ("ab", {"ab": 1, "ba": 1}, "ab"),
        ("ab", {"ab": 2, "ba": 1}, "ba"),
        ("abc", {"ab": 1}, "ac"),
        ("abc", {"ba": 1}, "ac"),
        ("abc", {"ab": 1, "ac": 1, "bc": 1}, "ba"),
        ("abc", {"ab": 1, "ac": 1, "bc": 1, "ba": 2}, "ca"),
        ("bc", {"ab": 5}, "bc"),
    ],
)
def test_least_played(free: str, played: dict[str, int], pair: str) -> None:
    counted = {(leg[0], leg[1]): count for leg, count in played.items()}
    assert least_played(free, counted) == tuple(pair)


@pytest.mark.parametrize("free", [[], ["a"]])
def test_nobody_to_pair(free: list[str]) -> None:
    assert least_played(free, {}) is None


@counts
def test_nobody_plays_alone(free: list[str], played: dict[tuple[str, str], int]) -> None:
    pair = least_played(free, played)
    assert pair is None or len({*pair} & {*free}) == 2


@counts
def test_no_other_pair_has_met_less(free: list[str], played: dict[tuple[str, str], int]) -> None:
    pair = least_played(free, played)
    least = min((played.get(leg, 0) for leg in permutations(free, 2)), default=None)
    assert (played.get(pair, 0) if pair else None) == least


@counts
def test_the_order_of_bots_does_not_matter(
    free: list[str], played: dict[tuple[str, str], int]
) -> None:
    assert least_played(free, played) == least_played(reversed(free), played)


@given(st.integers(2, 6), st.integers(1, 3))
def test_going_on_like_this_is_a_round_robin(bots: int, times: int) -> None:
    played: Counter[tuple[str, str]] = Counter()
    for _ in range(times * bots * (bots - 1)):
        pair = least_played(NAMES[:bots], played)
        assert pair
        played[pair] += 1
    assert played == dict.fromkeys(permutations(NAMES[:bots], 2), times)
