"""Ratings from results."""

import math
from collections.abc import Iterator
from itertools import permutations
from random import Random

import evalica
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import Ratings, islands, rate
from arena.results import MatchRecord
from tests.records import a_pairing, a_record, an_aborted

Result = tuple[str, str, int]  # player 1, player 2, winner


def match(one: str, two: str, winner: int) -> MatchRecord:
    return a_record(a_pairing(players=(one, two)), winner)


def matches(results: list[Result]) -> list[MatchRecord]:
    return [match(*result) for result in results]


any_results = st.lists(
    st.tuples(st.permutations("abcdef"), st.integers(1, 2)).map(
        lambda drawn: (drawn[0][0], drawn[0][1], drawn[1])
    ),
    max_size=40,
)


def simulated(true: dict[str, float], first: float, games: int, seed: int) -> list[MatchRecord]:
    """So many games of each on each side, won by chance as the ratings say."""
    random = Random(seed)
    return [
        match(one, two, 1 if random.random() < chance(true[one] + first - true[two]) else 2)
        for one, two in permutations(true, 2)
        for _ in range(games)
    ]


def chance(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


TRUE = {"a": -150.0, "b": -50.0, "c": 0.0, "d": 80.0, "e": 120.0}


# Right


def test_it_agrees_with_a_library() -> None:
    records = simulated(TRUE, 0, 400, seed=1)
    ratings = rate(records)
    winners = [
        evalica.Winner.X if record.result.winner == 1 else evalica.Winner.Y for record in records
    ]
    first, second = zip(*(record.pairing.players for record in records), strict=True)
    scores = evalica.bradley_terry(first, second, winners).scores
    logs = {bot: 400 * math.log10(score) for bot, score in scores.items()}
    mean = sum(logs.values()) / len(logs)
    assert ratings.elo == pytest.approx({b: elo - mean for b, elo in logs.items()}, abs=0.5)


@pytest.fixture(scope="module")
def tournaments() -> list[Ratings]:
    """The ratings after many tournaments between the same bots."""
    return [rate(simulated(TRUE, 60, 10, seed)) for seed in range(200)]


def covered(hits: Iterator[bool]) -> float:
    found = [*hits]
    return sum(found) / len(found)


def test_intervals_cover_the_truth(tournaments: list[Ratings]) -> None:
    hits = (abs(r.elo[bot] - TRUE[bot]) <= r.margin(bot) for r in tournaments for bot in TRUE)
    assert 0.93 <= covered(hits) <= 0.97


def test_intervals_of_differences_cover_the_truth(tournaments: list[Ratings]) -> None:
    differences = ((r.difference(a, b), TRUE[a] - TRUE[b]) for r in tournaments for a, b in PAIRS)
    hits = (abs(found - true) <= margin for (found, margin), true in differences)
    assert 0.93 <= covered(hits) <= 0.97


PAIRS = [("a", "e"), ("b", "c"), ("c", "d")]


def test_the_interval_of_the_first_move_covers_the_truth(tournaments: list[Ratings]) -> None:
    hits = (abs(r.first_move - 60) <= r.first_move_margin for r in tournaments)
    assert 0.91 <= covered(hits) <= 0.99


def test_superiority_is_as_likely_as_it_says(tournaments: list[Ratings]) -> None:
    likely = [r.superiority("d", "c") for r in tournaments]
    assert sum(p > 0.95 for p in likely) > sum(p < 0.05 for p in likely)


# Sound


@given(any_results)
def test_every_number_is_finite(results: list[Result]) -> None:
    ratings = rate(matches(results))
    numbers = [*ratings.elo.values(), ratings.first_move, ratings.first_move_margin]
    numbers += [ratings.margin(bot) for bot in ratings.bots]
    assert all(math.isfinite(number) and abs(number) < 10_000 for number in numbers)


@given(any_results)
def test_the_order_does_not_matter(results: list[Result]) -> None:
    assert rate(matches(results)).elo == pytest.approx(rate(matches(results[::-1])).elo)


@given(any_results)
def test_the_mean_is_zero(results: list[Result]) -> None:
    assert sum(rate(matches(results)).elo.values()) == pytest.approx(0, abs=1e-6)


@given(any_results, st.permutations("abcdef"))
def test_names_do_not_matter(results: list[Result], names: list[str]) -> None:
    new = dict(zip("abcdef", names, strict=True))
    renamed = rate(matches([(new[one], new[two], winner) for one, two, winner in results]))
    expected = {new[bot]: elo for bot, elo in rate(matches(results)).elo.items()}
    assert renamed.elo == pytest.approx(expected)


def test_a_clean_sweep_is_finite() -> None:
    elo = rate(matches([("a", "b", 1), ("b", "a", 2)] * 20)).elo
    assert 300 < elo["a"] - elo["b"] < 2000


def test_the_first_move_may_decide_everything() -> None:
    ratings = rate(matches([("a", "b", 1), ("b", "a", 1)] * 20))
    assert ratings.elo["a"] == pytest.approx(0)
    assert 300 < ratings.first_move < 2000


@given(any_results)
def test_two_superiorities_make_one(results: list[Result]) -> None:
    ratings = rate(matches([*results, ("a", "b", 1)]))
    assert ratings.superiority("a", "b") + ratings.superiority("b", "a") == pytest.approx(1)


@given(any_results)
def test_differences_turn_their_sign(results: list[Result]) -> None:
    ratings = rate(matches([*results, ("a", "b", 1)]))
    there, back = ratings.difference("a", "b"), ratings.difference("b", "a")
    assert there == pytest.approx((-back[0], back[1]))


def test_more_games_narrow_the_interval() -> None:
    few, many = (rate(simulated(TRUE, 60, games, seed=1)).margin("a") for games in (5, 50))
    assert many < few / 2


def test_nobody() -> None:
    assert rate([an_aborted()]).bots == ()


def test_what_was_aborted_does_not_count() -> None:
    results = matches([("a", "b", 1), ("b", "a", 1), ("a", "b", 2)])
    assert rate([*results, an_aborted()]).elo == rate(results).elo


# Who can be compared


@pytest.mark.parametrize(
    ("pairs", "groups"),
    [
        ([], []),
        (["ab"], ["ab"]),
        (["ab", "cd"], ["ab", "cd"]),
        (["ab", "cd", "bc"], ["abcd"]),
        (["ef", "ab", "ba", "ce"], ["ab", "cef"]),
    ],
)
def test_islands(pairs: list[str], groups: list[str]) -> None:
    results = [(pair[0], pair[1], 1) for pair in pairs]
    assert islands(matches(results)) == [[*group] for group in groups]


def test_an_aborted_match_connects_nobody() -> None:
    assert islands([an_aborted()]) == []
