"""Matchmaking: order, opponents, sides and back-offs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.lobby.matchmaking import (
    GAME_ABORTS,
    MAX_ADDRESS_BACKOFF,
    MAX_BACKOFF,
    MAX_FAILURES,
    MIN_BACKOFF,
    NEWCOMER_MATCHES,
    QUICK_MOVES,
    SUCCESSES_PER_FAILURE,
    BackOffs,
    FreeBot,
    Leg,
    Matchmaker,
)
from arena.model.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from tests.support.cases import loop_over
from tests.support.simulation.simulated_ladder import (
    GAME,
    HONEST,
    MATCH_SECONDS,
    Attacker,
    Behaviour,
    Simulation,
)

NAMES = "abcdefgh"
FEW_PLIES = range(2 * QUICK_MOVES - 1)  # one move too few by player 2
ENOUGH_PLIES = range(2 * QUICK_MOVES)


def fail(backoffs: BackOffs, times: int) -> list[float]:
    """Let a key fail whenever its pause ends; return the lengths of the pauses."""
    now, lengths = 0.0, []
    for _ in range(times):
        backoffs.fail("a", now)
        end = backoffs.next_end(now)
        assert end
        lengths.append(end - now)
        now = end
    return lengths


def test_pauses_double_up_to_the_maximum() -> None:
    assert fail(BackOffs(maximum=5.0), 5) == [MIN_BACKOFF, 2 * MIN_BACKOFF, 4.0, 5.0, 5.0]


def test_a_pause_ends() -> None:
    backoffs = BackOffs(5.0)
    backoffs.fail("a", 10.0)
    assert backoffs.is_paused("a", 10.0 + MIN_BACKOFF / 2)
    assert not backoffs.is_paused("a", 10.0 + MIN_BACKOFF)
    assert backoffs.next_end(10.0 + MIN_BACKOFF) is None


def test_failures_during_a_pause_do_not_count() -> None:
    backoffs = BackOffs(5.0)
    for now in (0.0, 0.1, 0.2):
        backoffs.fail("a", now)
    assert backoffs.next_end(0.2) == MIN_BACKOFF
    backoffs.fail("a", MIN_BACKOFF)
    assert backoffs.next_end(MIN_BACKOFF) == 3 * MIN_BACKOFF


def test_eight_successes_make_up_for_a_failure() -> None:
    backoffs = BackOffs(600.0)
    fail(backoffs, 2)
    for _ in range(SUCCESSES_PER_FAILURE):
        backoffs.succeed("a")
    backoffs.fail("a", 100.0)
    assert backoffs.next_end(100.0) == 100.0 + 2 * MIN_BACKOFF


def test_failures_that_successes_have_made_up_for_are_forgotten() -> None:
    backoffs = BackOffs(600.0)
    fail(backoffs, 1)
    for _ in range(SUCCESSES_PER_FAILURE - 1):
        backoffs.succeed("a")
    assert backoffs.has_failures("a")
    backoffs.succeed("a")
    assert not backoffs.has_failures("a")


def test_success_without_failures_is_no_credit() -> None:
    backoffs = BackOffs(600.0)
    backoffs.succeed("a")
    assert fail(backoffs, 2) == [MIN_BACKOFF, 2 * MIN_BACKOFF]


def test_success_does_not_end_a_pause() -> None:
    backoffs = BackOffs(600.0)
    backoffs.fail("a", 0.0)
    backoffs.succeed("a")
    assert backoffs.is_paused("a", 0.0)


def test_failures_count_up_to_a_maximum() -> None:
    backoffs = BackOffs(600.0)
    assert fail(backoffs, 3 * int(MAX_FAILURES))[-1] == 600.0
    for _ in range(int(MAX_FAILURES) * SUCCESSES_PER_FAILURE):
        backoffs.succeed("a")
    assert not backoffs.has_failures("a")


def test_forgotten_failures_do_not_end_a_pause() -> None:
    backoffs = BackOffs(600.0)
    fail(backoffs, 3)
    backoffs.forget_failures("a")
    assert backoffs.is_paused("a", 3 * MIN_BACKOFF)
    backoffs.fail("a", 100.0)
    assert backoffs.next_end(100.0) == 100.0 + MIN_BACKOFF


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


def free(
    names: str, games: Iterable[str] = ("go",), address: str | None = None
) -> dict[str, FreeBot]:
    """Return free bots, by default each at an address of its own."""
    return {name: FreeBot([*games], f"{name}'s" if address is None else address) for name in names}


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


@loop_over("bots", [{}, free("a"), free("a") | free("b", ["chess"]), free("ab", [])])
def test_no_leg_without_two_bots_of_one_game(bots: dict[str, FreeBot]) -> None:
    assert Matchmaker().choose(bots, 0.0) is None


def test_matches_in_progress_and_sides_are_balanced() -> None:
    matchmaker = Matchmaker()
    for opponent in "bcd":
        matchmaker.start((opponent, "e", "go"))
    bots = free("abcd")
    bots["a"] = bots["a"]._replace(playing=1)
    assert matchmaker.choose(bots, 0.0) == ("b", "c", "go")
    assert matchmaker.choose({name: bots[name] for name in "ab"}, 0.0) == ("a", "b", "go")
    pairs = [leg[:2] for leg in play(Matchmaker(), "ab", 4)]
    assert pairs == [("a", "b"), ("b", "a")] * 2


@given(st.integers(2, 8), st.integers(1, 60))
def test_bot_with_fewest_matches_is_paired_first_and_sides_are_balanced(
    bots: int, matches: int
) -> None:
    count = Counter(dict.fromkeys(NAMES[:bots], 0))
    played = play(Matchmaker(), NAMES[:bots], matches)
    for one, two, _ in played:
        assert min(count[one], count[two]) == min(count.values())
        count.update([one, two])
    legs = Counter(played)
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


def test_repeats_are_penalized_and_games_alternate() -> None:
    legs = play(Matchmaker(), "abcd", 30)
    assert len({frozenset(leg[:2]) for leg in legs}) == 6
    matchmaker, games = Matchmaker(), []
    for _ in range(4):
        leg = matchmaker.choose(free("ab", ["chess", "go"]), 0.0)
        assert leg
        matchmaker.start(leg)
        games.append(leg[2])
    assert games == ["chess", "go"] * 2


def abort(matchmaker: Matchmaker, now: float, bots: str = "ab") -> Leg | None:
    """Start the next match and abort it; return its leg, None if there is no match."""
    leg = matchmaker.choose(free(bots, ["chess", "go"]), now)
    if leg:
        matchmaker.start(leg)
        matchmaker.finish(finished_match(leg, None, Termination.ABORTED), now)
    return leg


def test_a_pair_whose_match_was_aborted_pauses_in_that_game() -> None:
    matchmaker = Matchmaker()
    legs = [("a", "b", "chess"), ("a", "b", "go"), None]
    assert [abort(matchmaker, 0.0) for _ in legs] == legs
    assert matchmaker.next_retry(0.0) == MIN_BACKOFF
    assert abort(matchmaker, MIN_BACKOFF) == legs[0]
    assert matchmaker.next_retry(MIN_BACKOFF) == 3 * MIN_BACKOFF  # twice as long


def test_an_aborted_match_does_not_pause_other_pairs() -> None:
    matchmaker = Matchmaker()
    legs = [("a", "b", "go"), ("a", "c", "go")]
    for leg in legs:
        assert matchmaker.choose(free("abc"), 0.0) == leg
        matchmaker.start(leg)
        matchmaker.finish(finished_match(leg, None, Termination.ABORTED), 0.0)
    assert matchmaker.choose(free("abc"), 0.0) == ("b", "c", "go")


def test_a_game_of_which_several_matches_in_a_row_were_aborted_pauses() -> None:
    matchmaker = Matchmaker()
    for _ in range(2 * GAME_ABORTS):
        assert abort(matchmaker, 0.0, "abcdefg")
    assert abort(matchmaker, 0.0, "abcdefg") is None
    assert matchmaker.next_retry(0.0) == MIN_BACKOFF


def test_a_finished_match_shows_that_the_game_is_not_at_fault() -> None:
    matchmaker = Matchmaker()
    for _ in range(2 * GAME_ABORTS):
        assert abort(matchmaker, 0.0, "abcdefg")
        for game in ("chess", "go"):
            matchmaker.finish(finished_match(("x", "y", game)), 0.0)
    assert abort(matchmaker, 0.0, "abcdefg")


def test_a_finished_match_forgets_that_others_were_aborted() -> None:
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


def test_absent_bots_are_forgotten_if_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    matchmaker = Matchmaker()
    play(matchmaker, "abcdef", 30)
    legs = matchmaker.legs.copy()
    matchmaker.forget_absent("ab")
    assert matchmaker.legs == legs
    monkeypatch.setattr("arena.lobby.matchmaking.MAX_KNOWN", 5)
    matchmaker.forget_absent("ab")
    assert matchmaker.legs == {leg: n for leg, n in legs.items() if {*leg[:2]} == {*"ab"}}
    leg = matchmaker.choose(free("abc"), 0.0)
    assert leg
    assert "c" in leg  # which has the fewest matches again


def without_d(monkeypatch: pytest.MonkeyPatch, winners: str, losers: str) -> Matchmaker:
    """Return a matchmaker that has forgotten d, after ten matches of each winner and loser."""
    monkeypatch.setattr("arena.lobby.matchmaking.MAX_KNOWN", 0)
    matchmaker = Matchmaker()
    for leg in zip(winners, losers, ["go"] * len(winners), strict=True):
        for _ in range(10):
            matchmaker.start(leg)
            matchmaker.finish(finished_match(leg), 0.0)
    matchmaker.forget_absent("abc")
    return matchmaker


def test_those_present_keep_ratings_and_matches_and_a_forgotten_bot_is_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matchmaker = without_d(monkeypatch, "acd", "ddb")
    assert matchmaker.choose(free("abc"), 0.0) == ("a", "c", "go")
    matchmaker = without_d(monkeypatch, "a", "d")
    assert matchmaker.choose(free("abc"), 0.0) == ("b", "c", "go")
    matchmaker = without_d(monkeypatch, "db", "ca")
    assert matchmaker.choose(free("bd"), 0.0) == ("b", "d", "go")
    assert matchmaker.choose(free("bcd") | free("e"), 0.0) == ("d", "e", "go")


def test_a_forgotten_bot_goes_on_to_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.lobby.matchmaking.MAX_KNOWN", 0)
    matchmaker = Matchmaker()
    forfeit(matchmaker, 0.0)
    matchmaker.forget_absent("")
    assert matchmaker.choose(free("ab"), 0.0) is None
    forfeit(matchmaker, MIN_BACKOFF)
    assert matchmaker.next_retry(MIN_BACKOFF) == 2 * MIN_BACKOFF  # as after a first forfeit


def test_aborted_and_casual_matches_are_not_counted() -> None:
    matchmaker = Matchmaker()
    matchmaker.start(("a", "b", "go"))
    matchmaker.finish(finished_match(("a", "b", "go"), None, Termination.ABORTED), 0.0)
    assert matchmaker.choose(free("ab"), MIN_BACKOFF) == ("a", "b", "go")
    leg = ("a", "b", "go")
    casual = finished_match(leg, 1, Termination.DISCONNECT)
    casual = replace(casual, pairing=replace(casual.pairing, casual=True))
    matchmaker = Matchmaker([casual])
    matchmaker.start(leg)
    matchmaker.finish(casual, 0.0)
    assert (matchmaker.legs, matchmaker.next_retry(0.0)) == ({leg: 1}, None)


# Back-offs of bots


def forfeit(
    matchmaker: Matchmaker,
    now: float,
    plies: Iterable[int] = (),
    termination: Termination = Termination.DISCONNECT,
) -> None:
    """Let player 2, b, forfeit a match."""
    matchmaker.start(("a", "b", "go"))
    matchmaker.finish(finished_match(("a", "b", "go"), 1, termination, plies), now)


@loop_over("termination", sorted({*Termination} - {Termination.ABORTED}))
def test_the_loser_backs_off_after_a_quick_forfeit(termination: Termination) -> None:
    matchmaker = Matchmaker()
    forfeit(matchmaker, 0.0, ENOUGH_PLIES, termination)
    assert matchmaker.next_retry(0.0) is None
    forfeit(matchmaker, 10.0, FEW_PLIES, termination)
    if termination in {Termination.NO_LEGAL_MOVE, Termination.GAME_OVER}:
        assert matchmaker.next_retry(10.0) is None
        return
    assert matchmaker.next_retry(10.0) == 10.0 + MIN_BACKOFF
    assert matchmaker.choose(free("ab"), 10.0) is None
    legs = {leg[:2] for leg in play(matchmaker, "abc", 5, now=10.0)}
    assert legs == {("a", "c"), ("c", "a")}
    assert matchmaker.choose(free("ab"), 10.0 + MIN_BACKOFF)
    assert matchmaker.next_retry(10.0 + MIN_BACKOFF) is None


def test_back_offs_double_up_to_the_maximum() -> None:
    matchmaker = Matchmaker([finished_match(("a", "b", "go"))] * NEWCOMER_MATCHES)
    now, backoffs = 0.0, []
    for _ in range(30):
        forfeit(matchmaker, now)
        end = matchmaker.next_retry(now)
        assert end
        backoffs.append(end - now)
        now = end
    assert (backoffs[:3], backoffs[-1]) == (
        [MIN_BACKOFF, 2 * MIN_BACKOFF, 4 * MIN_BACKOFF],
        MAX_BACKOFF,
    )


def test_neither_one_other_match_nor_a_stored_one_changes_a_back_off() -> None:
    matchmaker = Matchmaker([finished_match(("a", "b", "go"), 1, Termination.DISCONNECT)])
    assert matchmaker.next_retry(0.0) is None
    forfeit(matchmaker, 0.0)
    matchmaker.finish(finished_match(("b", "a", "go")), 50.0)
    forfeit(matchmaker, 100.0)
    assert 100.0 + 1.8 * MIN_BACKOFF < (matchmaker.next_retry(100.0) or 0) < 100.0 + 2 * MIN_BACKOFF


# Back-offs of addresses


def is_paired(matchmaker: Matchmaker, name: str, now: float, address: str) -> bool:
    """Return whether a bot would be paired, beside one at another address."""
    bots = free("z") | free(name, address=address)
    return matchmaker.choose(bots, now) is not None


def forfeit_from(matchmaker: Matchmaker, name: str, now: float) -> None:
    """Let a bot at the address "here" forfeit at once."""
    leg = matchmaker.choose(free("z") | free(name, address="here"), now)
    assert leg
    matchmaker.start(leg)
    winner = 1 + leg.index("z")
    matchmaker.finish(finished_match(leg, winner, Termination.RESIGNATION), now)


def test_new_name_does_not_evade_a_back_off() -> None:
    matchmaker = Matchmaker()
    forfeit_from(matchmaker, "a", 0.0)
    assert not is_paired(matchmaker, "b", 0.0, "here")
    assert is_paired(matchmaker, "b", 0.0, "elsewhere")
    assert is_paired(matchmaker, "b", MIN_BACKOFF, "here")


def test_back_offs_of_an_address_double_up_to_their_maximum() -> None:
    matchmaker, now, backoffs = Matchmaker(), 0.0, []
    for name in "abcdefgh":
        forfeit_from(matchmaker, name, now)
        end = next(
            time
            for time in (now + second for second in range(100))
            if is_paired(matchmaker, "y", time, "here")
        )
        backoffs.append(end - now)
        now = end
    assert backoffs == [1.0, 2.0, 4.0, *5 * [MAX_ADDRESS_BACKOFF]]


@loop_over(
    "players, termination, is_free",
    ("bc", Termination.NO_LEGAL_MOVE, True),  # it has played, and is not paused
    ("bc", Termination.RESIGNATION, False),  # forfeits do not count as played
    ("ac", Termination.NO_LEGAL_MOVE, True),  # one that has played pauses no newcomers
)
def test_bots_that_have_played_neither_pause_nor_are_paused(
    players: str, termination: Termination, is_free: bool
) -> None:
    old = finished_match((players[0], players[1], "go"), 1, termination)
    matchmaker = Matchmaker([old] * NEWCOMER_MATCHES)
    forfeit_from(matchmaker, "a", 0.0)
    assert is_paired(matchmaker, "b", 0.0, "here") == is_free


def test_one_name_that_crashes_again_and_again_pauses_newcomers_once() -> None:
    matchmaker = Matchmaker()
    forfeit_from(matchmaker, "a", 0.0)
    forfeit_from(matchmaker, "a", MIN_BACKOFF)
    assert is_paired(matchmaker, "b", MIN_BACKOFF, "here")


# Attacks: the share of all matches that attackers forfeit at once, in the first minute


def always(_: int) -> bool:
    return True


def in_turn(number: int) -> bool:
    return number % 2 == 1


def rarely(number: int) -> bool:
    return number % (NEWCOMER_MATCHES + 1) == NEWCOMER_MATCHES


def after_some_matches(number: int) -> bool:
    return number >= NEWCOMER_MATCHES


@loop_over("renames", [False, True])
@loop_over("forfeits", [always, in_turn, rarely, after_some_matches])
@loop_over(("attackers", "limit"), [(1, 0.03), (8, 0.1)])
def test_forfeits_take_few_matches(
    attackers: int, limit: float, forfeits: Behaviour, renames: bool
) -> None:
    simulation = Simulation(attackers * [Attacker(forfeits, "here", renames)])
    assert simulation.run(60.0) < limit
    assert simulation.matches > 700  # 8 bots could play 800 among themselves


def never(_: int) -> bool:
    return False


@loop_over("attackers", [1, 2, 4])
def test_slow_bots_with_many_matches_at_once_leave_the_others_their_opponents(
    attackers: int,
) -> None:
    matchmaker = Matchmaker()
    for _ in range(100):  # the honest bots have played more than the newcomers
        for one, other in combinations(HONEST, 2):
            matchmaker.start((one, other, GAME))
    slow = Attacker(never, "here", matches=1000, seconds=100 * MATCH_SECONDS)
    simulation = Simulation(attackers * [slow], matchmaker)
    simulation.run(60.0)
    assert simulation.honest_matches > 400  # of 800 among themselves; each attacker keeps one busy


# Stored matches that were changed


def test_changed_matches_are_taken_over() -> None:
    records = [finished_match(("a", "b", "go"), winner) for winner in (1, 1, 2)]
    matchmaker, other = Matchmaker(records * 3), Matchmaker(records)
    matchmaker.continue_from(Matchmaker(records))
    assert matchmaker.legs == other.legs
    assert play(matchmaker, NAMES, 40) == play(other, NAMES, 40)


def test_matches_in_progress_stay_counted() -> None:
    leg = "c", "d", "go"
    matchmaker = Matchmaker()
    for ended in (("a", "b", "go"), leg):
        matchmaker.start(ended)
    matchmaker.finish(finished_match(("a", "b", "go")), 0.0)
    matchmaker.continue_from(Matchmaker([finished_match(("x", "b", "go"))]))
    assert matchmaker.legs == {("x", "b", "go"): 1, leg: 1}
    matchmaker.finish(finished_match(leg, None, Termination.ABORTED), 0.0)
    assert matchmaker.legs == {("x", "b", "go"): 1, leg: 0}
