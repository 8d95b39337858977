"""Matchmaking: order, opponents, sides and back-offs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.lobby.matchmaking import MAX_BACKOFF, MIN_BACKOFF, Leg, Matchmaker
from arena.model.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination

NAMES = "abcdefgh"


def finished_match(
    leg: Leg,
    winner: int | None = 1,
    termination: Termination = Termination.NO_LEGAL_MOVE,
    plies: Iterable[int] = (),
) -> MatchRecord:
    """Return the record of a finished match with moves at these plies."""
    moves = tuple(PlayedMove(ply, 1, 0.0, 0.0, 0.0, 0.0) for ply in plies)
    pairing = Pairing(None, leg[:2], leg[2], {})
    return MatchRecord(1, pairing, "5", 0.0, 1.0, MatchResult(termination, winner, ""), moves)


def free(names: str, games: Iterable[str] = ("go",)) -> dict[str, list[str]]:
    return {name: [*games] for name in names}


def play(matchmaker: Matchmaker, names: str, matches: int, now: float = 0.0) -> list[Leg]:
    """Play matches with random winners and return their legs."""
    random, legs = Random(1), []
    for _ in range(matches):
        leg = matchmaker.choose(free(names), now)
        assert leg
        matchmaker.start(leg)
        matchmaker.finish(finished_match(leg, random.choice([1, 2])), now)
        legs.append(leg)
    return legs


@pytest.mark.parametrize("bots", [{}, free("a"), {"a": ["go"], "b": ["chess"]}, free("ab", [])])
def test_no_leg_without_two_bots_of_one_game(bots: dict[str, list[str]]) -> None:
    assert Matchmaker().choose(bots, 0.0) is None


def test_two_bots_alternate_sides() -> None:
    pairs = [leg[:2] for leg in play(Matchmaker(), "ab", 4)]
    assert pairs == [("a", "b"), ("b", "a")] * 2


@given(st.integers(2, 8), st.integers(1, 60))
def test_bot_with_fewest_matches_is_paired_first(bots: int, matches: int) -> None:
    count = Counter(dict.fromkeys(NAMES[:bots], 0))
    for one, two, _ in play(Matchmaker(), NAMES[:bots], matches):
        assert min(count[one], count[two]) == min(count.values())
        count.update([one, two])


@given(st.integers(2, 8), st.integers(1, 60))
def test_sides_are_balanced(bots: int, matches: int) -> None:
    legs = Counter(play(Matchmaker(), NAMES[:bots], matches))
    assert all(abs(legs[leg] - legs[leg[1], leg[0], leg[2]]) <= 1 for leg in legs)


def test_bots_of_similar_rating_meet_more_often() -> None:
    matchmaker = Matchmaker()
    for _ in range(40):  # a and b are strong, c and d are weak
        for one, two in ("ac", "ad", "bc", "bd"):
            matchmaker.start((one, two, "go"))
            matchmaker.finish(finished_match((one, two, "go")), 0.0)
    for one, two in ("ab", "cd"):  # which evens out the penalties for repeats
        matchmaker.legs[one, two, "go"] += 40
    near = [{*leg[:2]} in ({"a", "b"}, {"c", "d"}) for leg in play(matchmaker, "abcd", 8)]
    assert sum(near) > 4


def test_draws_bring_ratings_together() -> None:
    matchmaker = Matchmaker()

    def finish(leg: Leg, winner: int | None, termination: Termination, times: int) -> None:
        for _ in range(times):
            matchmaker.start(leg)
            matchmaker.finish(finished_match(leg, winner, termination), 0.0)
        matchmaker.legs.clear()  # without the penalties for repeats

    finish(("a", "b", "go"), 1, Termination.NO_LEGAL_MOVE, 20)
    finish(("c", "d", "go"), 1, Termination.NO_LEGAL_MOVE, 10)
    assert matchmaker.choose(free("abc"), 0.0) == ("a", "c", "go")
    finish(("a", "b", "go"), None, Termination.GAME_OVER, 100)
    finish(("c", "d", "go"), 1, Termination.NO_LEGAL_MOVE, 110)
    assert matchmaker.choose(free("abc"), 0.0) == ("a", "b", "go")


def test_repeats_are_penalized() -> None:
    legs = play(Matchmaker(), "abcd", 30)
    assert len({frozenset(leg[:2]) for leg in legs}) == 6


def test_games_alternate() -> None:
    matchmaker, games = Matchmaker(), []
    for _ in range(4):
        leg = matchmaker.choose(free("ab", ["chess", "go"]), 0.0)
        assert leg
        matchmaker.start(leg)
        games.append(leg[2])
    assert games == ["chess", "go"] * 2


def abort(matchmaker: Matchmaker, now: float) -> str | None:
    """Start the next match and abort it; return its game, None if there is no match."""
    leg = matchmaker.choose(free("ab", ["chess", "go"]), now)
    if leg:
        matchmaker.start(leg)
        matchmaker.finish(finished_match(leg, None, Termination.ABORTED), now)
    return leg and leg[2]


def test_a_game_of_which_a_match_was_aborted_pauses() -> None:
    matchmaker = Matchmaker()
    assert [abort(matchmaker, 0.0) for _ in range(3)] == ["chess", "go", None]
    assert matchmaker.next_retry(0.0) == MIN_BACKOFF
    assert abort(matchmaker, MIN_BACKOFF) == "chess"
    assert matchmaker.next_retry(MIN_BACKOFF) == 3 * MIN_BACKOFF  # twice as long


def test_aborted_matches_at_the_same_time_make_one_pause() -> None:
    matchmaker = Matchmaker()
    for _ in range(5):
        matchmaker.start(("a", "b", "go"))
        matchmaker.finish(finished_match(("a", "b", "go"), None, Termination.ABORTED), 0.0)
    assert matchmaker.next_retry(0.0) == MIN_BACKOFF


def test_a_finished_match_ends_the_pauses_of_its_game() -> None:
    matchmaker = Matchmaker()
    for now, winner, termination in (
        (0.0, None, Termination.ABORTED),
        (1.0, 1, Termination.NO_LEGAL_MOVE),
        (2.0, None, Termination.ABORTED),
    ):
        matchmaker.start(("a", "b", "go"))
        matchmaker.finish(finished_match(("a", "b", "go"), winner, termination), now)
    assert matchmaker.next_retry(2.0) == 2.0 + MIN_BACKOFF


def test_matchmaker_continues_from_records() -> None:
    records = [
        finished_match(("a", "b", "go")),
        finished_match(("a", "b", "go"), None, Termination.ABORTED),
    ]
    matchmaker = Matchmaker(records)
    assert matchmaker.legs == {("a", "b", "go"): 1}
    assert matchmaker.choose(free("ab"), 0.0) == ("b", "a", "go")


def test_aborted_match_is_uncounted() -> None:
    matchmaker = Matchmaker()
    matchmaker.start(("a", "b", "go"))
    matchmaker.finish(finished_match(("a", "b", "go"), None, Termination.ABORTED), 0.0)
    assert matchmaker.choose(free("ab"), MIN_BACKOFF) == ("a", "b", "go")


def test_casual_match_is_ignored() -> None:
    leg = ("a", "b", "go")
    casual = finished_match(leg, 1, Termination.DISCONNECT)
    casual = replace(casual, pairing=replace(casual.pairing, casual=True))
    matchmaker = Matchmaker([casual])
    matchmaker.start(leg)
    matchmaker.finish(casual, 0.0)
    assert (matchmaker.legs, matchmaker.next_retry(0.0)) == ({leg: 1}, None)


# Back-off


def forfeit(matchmaker: Matchmaker, now: float, plies: Iterable[int] = ()) -> None:
    """Let player 2, b, forfeit a match."""
    matchmaker.start(("a", "b", "go"))
    matchmaker.finish(finished_match(("a", "b", "go"), 1, Termination.DISCONNECT, plies), now)


def test_bot_backs_off_after_a_forfeit_without_a_move() -> None:
    matchmaker = Matchmaker()
    forfeit(matchmaker, 10.0, plies=[0])
    assert matchmaker.next_retry(10.0) == 10.0 + MIN_BACKOFF
    assert matchmaker.choose(free("ab"), 10.0) is None
    assert matchmaker.choose(free("ab"), 10.0 + MIN_BACKOFF)
    assert matchmaker.next_retry(10.0 + MIN_BACKOFF) is None


def test_other_bots_play_during_a_back_off() -> None:
    matchmaker = Matchmaker()
    forfeit(matchmaker, 10.0)
    assert {leg[:2] for leg in play(matchmaker, "abc", 5, now=10.0)} == {("a", "c"), ("c", "a")}


def test_back_offs_double_up_to_the_maximum() -> None:
    matchmaker = Matchmaker()
    backoffs = []
    for _ in range(30):
        forfeit(matchmaker, 0.0)
        backoffs.append(matchmaker.next_retry(0.0))
    assert (backoffs[:3], backoffs[-1]) == (
        [MIN_BACKOFF, 2 * MIN_BACKOFF, 4 * MIN_BACKOFF],
        MAX_BACKOFF,
    )


def test_bot_that_has_moved_does_not_back_off() -> None:
    matchmaker = Matchmaker()
    forfeit(matchmaker, 0.0, plies=[0, 1])
    assert matchmaker.next_retry(0.0) is None


def test_played_match_resets_the_back_off() -> None:
    matchmaker = Matchmaker()
    forfeit(matchmaker, 0.0)
    matchmaker.finish(finished_match(("b", "a", "go"), plies=[0]), 0.0)
    assert matchmaker.next_retry(0.0) is None
    forfeit(matchmaker, 0.0)
    assert matchmaker.next_retry(0.0) == MIN_BACKOFF


def test_stored_match_causes_no_back_off() -> None:
    old = finished_match(("a", "b", "go"), 1, Termination.DISCONNECT)
    assert Matchmaker([old]).next_retry(0.0) is None
