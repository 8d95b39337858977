"""Tests of standings and head-to-head records."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import RatedResult, Tally, Termination
from arena.ratings import rate
from arena.ratings.bradley_terry import Ratings
from arena.tournament.standings import HeadToHeadRecord, Standing, head_to_head, standings
from tests.support.cases import loop_over
from tests.support.tournaments.rated_results import EqualVariances


def tally(results: str) -> Tally:
    """Return the tally of matches such as "Ab": players 1 and 2, the winner in upper case."""
    winners = {(True, False): 1, (False, True): 2, (False, False): None}
    return Tally(
        RatedResult(
            one.lower(),
            two.lower(),
            winners[one.isupper(), two.isupper()],
            Termination.NO_LEGAL_MOVE
            if (one + two) != (one + two).lower()
            else Termination.GAME_OVER,
        )
        for one, two in map(tuple, results.split())
    )


def rated(**elo: float) -> Ratings:
    return Ratings(elo, 0.0, EqualVariances(0), {})


def order(results: str, bots: str = "", **elo: float) -> str:
    return "".join(standing.bot for standing in standings(tally(results), rated(**elo), bots))


def test_wins_losses_and_draws_count_for_both_bots() -> None:
    assert standings(tally("Ab"), rated(a=1, b=0)) == [
        Standing("a", wins=1),
        Standing("b", losses=1),
    ]
    assert standings(tally("aB"), rated(a=0, b=1))[0] == Standing("b", wins=1)
    first = standings(tally("Ab Ab bA Ba"), rated(a=1, b=0))[0]
    assert (first.wins, first.losses, first.played) == (3, 1, 4)
    first, second = standings(tally("ab Ab"), rated(a=1, b=0))
    assert first == Standing("a", wins=1, draws=1)
    assert second == Standing("b", draws=1, losses=1)
    assert (first.points, second.points, first.played, second.played) == (1.5, 0.5, 2, 2)
    assert standings(Tally(), rated(), ["b", "a"]) == [Standing("a"), Standing("b")]
    assert order("Ab", "c", a=1, b=0) == "abc"


@loop_over(
    "results, elo, expected",
    ("Ab", {"a": 1.0, "b": 2.0}, "ba"),
    ("Ab", {"a": -1.0, "b": -2.0}, "ab"),
    ("Ab", {}, "ab"),  # then the wins
    ("aB", {"a": 1.0, "b": 1.0}, "ba"),
    ("bc Ca aB", {"a": 1.0, "b": 1.0, "c": 1.0}, "bca"),  # 1.5, 1.5 and 0 points
    ("aB", {"a": 1.0000001, "b": 1.0}, "ba"),
    ("Ab Ba Cd", {"d": -9.0, "a": 0.0, "b": 0.0, "c": 0.0}, "abcd"),  # then the name
    ("Ab", {"a": -5000.0, "b": -6000.0}, "abc"),  # bots without matches come last
)
def test_order_of_the_standings(results: str, elo: Mapping[str, float], expected: str) -> None:
    assert order(results, "".join(sorted(expected)), **elo) == expected


@given(st.permutations("abcd"))
def test_equal_bots_are_ordered_by_name(bots: list[str]) -> None:
    circle = zip(bots, [*bots[1:], bots[0]], strict=True)
    level = tally(" ".join(f"{one.upper()}{two} {two.upper()}{one}" for one, two in circle))
    assert [standing.bot for standing in standings(level, rate(level))] == [*"abcd"]


@loop_over("termination", Termination)
def test_forfeits_are_counted_for_the_loser(termination: Termination) -> None:
    results = Tally(
        {
            RatedResult("a", "b", 2, termination): 2,
            RatedResult("a", "b", 2, Termination.RESIGNATION): 1,
        }
    )
    first, last = standings(results, rated(a=0, b=1))
    assert (first.bot, first.forfeits) == ("b", {})
    assert last.forfeits == ({termination: 2} if termination.is_forfeit else {})


def test_head_to_head_records_of_both_bots() -> None:
    assert head_to_head(
        tally("Ab Ab Ab") + Tally({RatedResult("b", "a", 1, Termination.TIMEOUT): 2})
    ) == {
        ("a", "b"): HeadToHeadRecord((3, 0), (0, 2), 2),
        ("b", "a"): HeadToHeadRecord((2, 0), (0, 3), 2),
    }
