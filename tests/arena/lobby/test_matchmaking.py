"""The ladder: whom the bots that are here play."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.lobby.matchmaking import FIRST_REST, LAST_REST, Ladder, Leg
from arena.model.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination

NAMES = "abcdefgh"


def a_match(
    leg: Leg,
    winner: int | None = 1,
    how: Termination = Termination.NO_LEGAL_MOVE,
    plies: Iterable[int] = (),
) -> MatchRecord:
    """A match that has ended, after moves at these plies."""
    moves = tuple(PlayedMove(ply, 1, 0.0, 0.0, 0.0, 0.0) for ply in plies)
    pairing = Pairing(None, leg[:2], leg[2], {})
    return MatchRecord(1, pairing, "5", 0.0, 1.0, MatchResult(how, winner, ""), moves)


def free(names: str, games: Iterable[str] = ("go",)) -> dict[str, list[str]]:
    return {name: [*games] for name in names}


def played(ladder: Ladder, names: str, times: int, now: float = 0.0) -> list[Leg]:
    """So many matches, won by chance."""
    random, legs = Random(1), []
    for _ in range(times):
        leg = ladder.choose(free(names), now)
        assert leg
        ladder.begin(leg)
        ladder.end(a_match(leg, random.choice([1, 2])), now)
        legs.append(leg)
    return legs


@pytest.mark.parametrize("here", [{}, free("a"), {"a": ["go"], "b": ["chess"]}, free("ab", [])])
def test_nobody_to_pair(here: dict[str, list[str]]) -> None:
    assert Ladder().choose(here, 0.0) is None


def test_two_play_in_turn_on_both_sides() -> None:
    pairs = [leg[:2] for leg in played(Ladder(), "ab", 4)]
    assert pairs == [("a", "b"), ("b", "a")] * 2


@given(st.integers(2, 8), st.integers(1, 60))
def test_who_has_played_least_comes_first(bots: int, times: int) -> None:
    count = Counter(dict.fromkeys(NAMES[:bots], 0))
    for one, two, _ in played(Ladder(), NAMES[:bots], times):
        assert min(count[one], count[two]) == min(count.values())
        count.update([one, two])


@given(st.integers(2, 8), st.integers(1, 60))
def test_sides_are_even(bots: int, times: int) -> None:
    legs = Counter(played(Ladder(), NAMES[:bots], times))
    assert all(abs(legs[leg] - legs[leg[1], leg[0], leg[2]]) <= 1 for leg in legs)


def test_neighbours_in_rating_meet_more_often() -> None:
    ladder = Ladder()
    for _ in range(40):  # a and b are strong, c and d are weak
        for one, two in ("ac", "ad", "bc", "bd"):
            ladder.begin((one, two, "go"))
            ladder.end(a_match((one, two, "go")), 0.0)
    for one, two in ("ab", "cd"):  # but for meetings, all are alike
        ladder.legs[one, two, "go"] += 40
    near = [{*leg[:2]} in ({"a", "b"}, {"c", "d"}) for leg in played(ladder, "abcd", 8)]
    assert sum(near) > 4


def test_meetings_make_room_for_others() -> None:
    legs = played(Ladder(), "abcd", 30)
    assert len({frozenset(leg[:2]) for leg in legs}) == 6


def test_games_in_turn() -> None:
    ladder, games = Ladder(), []
    for _ in range(4):
        leg = ladder.choose(free("ab", ["chess", "go"]), 0.0)
        assert leg
        ladder.begin(leg)
        games.append(leg[2])
    assert games == ["chess", "go"] * 2


def test_it_goes_on_from_records() -> None:
    records = [a_match(("a", "b", "go")), a_match(("a", "b", "go"), None, Termination.ABORTED)]
    ladder = Ladder(records)
    assert ladder.legs == {("a", "b", "go"): 1}
    assert ladder.choose(free("ab"), 0.0) == ("b", "a", "go")


def test_an_aborted_match_does_not_count() -> None:
    ladder = Ladder()
    ladder.begin(("a", "b", "go"))
    ladder.end(a_match(("a", "b", "go"), None, Termination.ABORTED), 0.0)
    assert ladder.choose(free("ab"), 0.0) == ("a", "b", "go")


def test_a_casual_match_is_none_of_the_ladders() -> None:
    leg = ("a", "b", "go")
    casual = a_match(leg, 1, Termination.DISCONNECT)
    casual = replace(casual, pairing=replace(casual.pairing, casual=True))
    ladder = Ladder([casual])
    ladder.begin(leg)
    ladder.end(casual, 0.0)
    assert (ladder.legs, ladder.rests_until(0.0)) == ({leg: 1}, None)


# Rest


def forfeited(ladder: Ladder, now: float, plies: Iterable[int] = ()) -> None:
    """Player 2, b, forfeits."""
    ladder.begin(("a", "b", "go"))
    ladder.end(a_match(("a", "b", "go"), 1, Termination.DISCONNECT, plies), now)


def test_who_forfeits_at_once_rests() -> None:
    ladder = Ladder()
    forfeited(ladder, 10.0, plies=[0])
    assert ladder.rests_until(10.0) == 10.0 + FIRST_REST
    assert ladder.choose(free("ab"), 10.0) is None
    assert ladder.choose(free("ab"), 10.0 + FIRST_REST)
    assert ladder.rests_until(10.0 + FIRST_REST) is None


def test_others_go_on_meanwhile() -> None:
    ladder = Ladder()
    forfeited(ladder, 10.0)
    assert {leg[:2] for leg in played(ladder, "abc", 5, now=10.0)} == {("a", "c"), ("c", "a")}


def test_rests_grow() -> None:
    ladder = Ladder()
    rests = []
    for _ in range(30):
        forfeited(ladder, 0.0)
        rests.append(ladder.rests_until(0.0))
    assert (rests[:3], rests[-1]) == ([FIRST_REST, 2 * FIRST_REST, 4 * FIRST_REST], LAST_REST)


def test_who_has_moved_does_not_rest() -> None:
    ladder = Ladder()
    forfeited(ladder, 0.0, plies=[0, 1])
    assert ladder.rests_until(0.0) is None


def test_a_match_that_is_played_ends_the_failures() -> None:
    ladder = Ladder()
    forfeited(ladder, 0.0)
    ladder.end(a_match(("b", "a", "go"), plies=[0]), 0.0)
    assert ladder.rests_until(0.0) is None
    forfeited(ladder, 0.0)
    assert ladder.rests_until(0.0) == FIRST_REST


def test_nobody_rests_for_an_old_match() -> None:
    old = a_match(("a", "b", "go"), 1, Termination.DISCONNECT)
    assert Ladder([old]).rests_until(0.0) is None
