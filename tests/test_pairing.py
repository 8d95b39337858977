"""Who meets whom."""

from collections import Counter
from itertools import combinations, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pairing import least_played, round_robin

NAMES = [f"bot {letter}" for letter in "cabfedihgljk"]

fields = given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=12, unique=True))
GAMES = ["chess", "go"]
Leg = tuple[str, str, str]
Free = dict[str, set[str]]

counts = given(
    st.dictionaries(st.sampled_from(NAMES[:5]), st.sets(st.sampled_from(GAMES))),
    st.dictionaries(
        st.tuples(st.permutations(NAMES[:5]), st.sampled_from(GAMES)).map(
            lambda drawn: (drawn[0][0], drawn[0][1], drawn[1])
        ),
        st.integers(0, 3),
    ),
)


def possible(free: Free) -> list[Leg]:
    """All that the free bots can play."""
    pairs = permutations(free, 2)
    return [(one, two, game) for one, two in pairs for game in free[one] & free[two]]


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
    counted = {(leg[0], leg[1], "go"): count for leg, count in played.items()}
    assert least_played(dict.fromkeys(free, ("go",)), counted) == (*pair, "go")


@pytest.mark.parametrize(
    ("played", "game"),
    [
        ({}, "chess"),
        ({("a", "b", "chess"): 1}, "go"),
        ({("b", "a", "chess"): 1}, "go"),
        ({("a", "b", "go"): 1}, "chess"),
    ],
)
def test_the_game_that_has_been_played_least(played: dict[Leg, int], game: str) -> None:
    assert least_played({"a": GAMES, "b": GAMES}, played) == ("a", "b", game)


@pytest.mark.parametrize(
    "free", [{}, {"a": GAMES}, {"a": ["chess"], "b": ["go"]}, {"a": GAMES, "b": []}]
)
def test_nobody_to_pair(free: dict[str, list[str]]) -> None:
    assert least_played(free, {}) is None


@counts
def test_all_that_can_be_played_may_be_chosen(free: Free, played: dict[Leg, int]) -> None:
    leg = least_played(free, played)
    assert leg in possible(free) if possible(free) else leg is None


@counts
def test_nothing_else_has_been_played_less(free: Free, played: dict[Leg, int]) -> None:
    leg = least_played(free, played)
    least = min((played.get(other, 0) for other in possible(free)), default=None)
    assert (played.get(leg, 0) if leg else None) == least


@counts
def test_the_order_of_bots_does_not_matter(free: Free, played: dict[Leg, int]) -> None:
    assert least_played(free, played) == least_played(dict(reversed(free.items())), played)


@given(st.integers(2, 6), st.integers(1, 3))
def test_going_on_like_this_is_a_round_robin_of_every_game(bots: int, times: int) -> None:
    free = {name: {*GAMES} for name in NAMES[:bots]}
    played: Counter[Leg] = Counter()
    for _ in range(times * len(possible(free))):
        leg = least_played(free, played)
        assert leg
        played[leg] += 1
    assert played == dict.fromkeys(possible(free), times)
