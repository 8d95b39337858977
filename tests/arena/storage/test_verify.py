"""Verification of records: valid ones agree with the replay, changed ones do not."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from arena.match.referee import Referee
from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.model.time_control import TimeControl, parse_controls
from arena.protocol.player import Move
from arena.storage.verify import find_differences
from core import GAMES
from core.game import IllegalMove, Outcome
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM, Heap
from tests.support.tournaments.matches import ENDINGS, play_match

PAIRING = Pairing(1, ("anna", "bert"), "take_stones", {"stones": 7})
GAME = (3, 6, 2, 4, 1, 5)  # player 2 wins it


def make_record(*elapsed: float, control: str = "10+2", pairing: Pairing = PAIRING) -> MatchRecord:
    """Return the record of a game with these times for the moves, up to a timeout."""
    one, two = parse_controls(control)
    match = Referee("1", pairing, one, 0.0, second=two)
    now = 1.1
    match.start(now)
    for stone, seconds in zip(GAME, elapsed or [0.1] * 6, strict=False):
        now += seconds
        match.move(1 + match.ply % 2, Move("1", match.ply, stone), now)
    if not match.result:
        match.abort("enough")
    assert match.result
    moves = tuple(match.moves)
    return MatchRecord(1, pairing, control, 0.0, 1.0, match.result, moves, match.fault)


def with_result(record: MatchRecord, **fields: Any) -> MatchRecord:
    return replace(record, result=replace(record.result, **fields))


def with_move(record: MatchRecord, place: int, **fields: Any) -> MatchRecord:
    moves = [*record.moves]
    moves[place] = structs.replace(moves[place], **fields)
    return replace(record, moves=tuple(moves))


def with_fault(record: MatchRecord, **fields: Any) -> MatchRecord:
    assert record.fault
    return replace(record, fault=replace(record.fault, **fields))


def with_pairing(record: MatchRecord, **fields: Any) -> MatchRecord:
    return replace(record, pairing=replace(record.pairing, **fields))


def ended(text: str, winner: int | None, how: Termination) -> MatchRecord:
    """Return the record of a match that ended like this after one move."""
    return replace(make_record(0.1), result=MatchResult(how, winner, text))


WON = make_record()
LATE = make_record(0.5, 20)
EXCUSED = replace(
    with_fault(LATE, lag=50.0),
    result=MatchResult(
        Termination.ABORTED, None, "the arena was late by 50.000 s when a flag fell"
    ),
)
FALLEN = play_match("flag")
ILLEGAL = play_match("illegal move")


# Records of the referee


def test_an_excused_timeout_has_no_differences() -> None:
    assert [*find_differences(EXCUSED)] == []


@pytest.mark.parametrize("ending", ENDINGS)
@given(st.integers(0, 10**6), st.floats(0, 1e8))
def test_records_of_the_referee_agree(ending: str, seed: int, begin: float) -> None:
    assert find_differences(play_match(ending, seed, begin)) == []


def test_a_reason_may_have_all_digits_of_a_long_number() -> None:
    match = Referee("1", PAIRING, TimeControl.parse("10+2"), 0.0)
    match.start(0.0)
    match.move(1, Move("1", 0, 10**299), 0.5)
    assert match.result
    record = MatchRecord(1, PAIRING, "10+2", 0.0, 1.0, match.result, (), match.fault)
    earlier = match.result.reason.replace("1000000000... (300 digits)", str(10**299))
    assert len(earlier) > 300 > len(match.result.reason)
    assert find_differences(record) == []
    assert find_differences(with_result(record, reason=earlier)) == []
    assert find_differences(with_result(record, reason=earlier.replace("anna", "bert"))) != []


@given(st.sampled_from(sorted(ENDINGS)), st.integers(0, 10**6), st.floats(0, 1e8))
def test_a_casual_match_with_takebacks_agrees(ending: str, seed: int, begin: float) -> None:
    assert find_differences(play_match(ending, seed, begin, casual=True)) == []


@given(st.lists(st.floats(0, 5), min_size=6, max_size=6), st.sampled_from(["3", "2+1", "4/move"]))
def test_timeouts_happen_again_in_the_replay(times: list[float], control: str) -> None:
    assert find_differences(make_record(*times, control=control)) == []


@given(st.integers(1, 1000), st.integers(1, 1000))
def test_a_clock_that_is_used_up_exactly_agrees(first: int, third: int) -> None:
    control = TimeControl(first / 1000 + third / 1000)
    moves = make_record(first / 1000, 0.1, third / 1000, control=str(control))
    assert find_differences(moves) == []


@loop_over("grace", [0.0, 5.0, 0.1, 1e-7, 1e20, math.pi])
def test_any_grace_period_agrees(grace: float) -> None:
    text = f"player 1 (anna) was disconnected for {grace:g} s"
    assert find_differences(ended(text, 2, Termination.DISCONNECT)) == []


def test_a_failure_or_an_end_at_the_start_agrees() -> None:
    assert find_differences(ended("player 1 (anna) failed: ", 2, Termination.DISCONNECT))
    assert find_differences(ended("player 2 (bert) failed: x", 2, Termination.DISCONNECT))
    assert not find_differences(ended("player 1 (anna) failed: x", 2, Termination.DISCONNECT))
    assert find_differences(make_record(pairing=replace(PAIRING, setup={"stones": 2}))) == []


@pytest.mark.usefixtures("toy_games")
@loop_over(
    "game, winner, reason",
    ("misere_nim", 1, "player 2 (bert) has taken the last one"),
    ("drawn_nim", None, "player 2 (bert) has taken the last three"),
)
def test_the_game_decides_how_it_ends(game: str, winner: int | None, reason: str) -> None:
    pairing = Pairing(1, ("anna", "bert"), game, {"heap": 4})
    moves = tuple(PlayedMove(ply, move, 0.1, 0.0, 0.1, 0.0) for ply, move in enumerate((1, 3)))
    result = MatchResult(Termination.GAME_OVER, winner, reason)
    record = replace(WON, pairing=pairing, moves=moves, result=result)
    assert find_differences(record) == []
    assert find_differences(with_result(record, winner=2)) == [
        f"winner (recorded 2, replayed {'none' if winner is None else winner})"
    ]


def test_a_match_that_its_game_has_ended_by_an_error_agrees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken(Heap):
        @property
        def outcome(self) -> Outcome | None:
            if len(self.moves) > 1:
                raise RuntimeError("out of order")
            return None

    def position(*, heap: int, moves: Sequence[int] = ()) -> Broken:
        return Broken(heap, moves)

    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(position=position))
    pairing = Pairing(1, ("anna", "bert"), NIM.name, {"heap": 4})
    moves = tuple(PlayedMove(ply, 1, 0.1, 0.0, 0.1, 0.0) for ply in (0, 1))
    aborted = MatchResult(Termination.ABORTED, None, "RuntimeError: out of order")
    record = replace(WON, pairing=pairing, moves=moves, result=aborted)
    assert find_differences(record) == []
    other = replace(aborted, reason="RuntimeError: no order")
    assert find_differences(replace(record, result=other)) == [
        "reason (recorded 'RuntimeError: no order', replayed 'RuntimeError: out of order')"
    ]


def test_a_match_that_could_not_start_agrees() -> None:
    with pytest.raises(IllegalMove) as raised:
        GAMES["take_stones"].position(stones=7, moves=(2,))
    aborted = MatchResult(Termination.ABORTED, None, f"IllegalMove: {raised.value}")
    record = with_pairing(replace(WON, moves=(), result=aborted), opening=(2,))
    assert find_differences(record) == []


# Changed records


@loop_over(
    ("record", "difference"),
    [
        (replace(WON, time_control="soon"), "time 'soon' is not BASE+INCREMENT"),
        (with_pairing(WON, setup={"sides": 7}), "start (recorded no_legal_move, replayed"),
        (with_pairing(WON, setup={"stones": 10**30}), "start (recorded no_legal_move, repl"),
        (with_pairing(WON, opening=(7,)), "start (recorded no_legal_move, replayed"),
        (with_pairing(WON, opening=(3,)), "ply (recorded 0, replayed 1)"),
        (with_move(WON, 2, ply=9), "ply (recorded 9, replayed 2)"),
        (with_move(WON, 2, move=5), "move at ply 2 (recorded 5, replayed 'player 1 (anna) made an"),
        (with_move(WON, 2, move=10**30), "move at ply 2 (recorded 1000000000000000000000000000000"),
        (with_move(WON, 2, elapsed=99.0), "move at ply 2 (recorded 2, replayed 'player 1 (anna) h"),
        (with_move(WON, 3, elapsed=0.2), "charged at ply 3 (recorded 0.1"),
        (with_move(WON, 3, credit=0.01), "charged at ply 3 (recorded 0.1"),
        (with_move(WON, 3, elapsed=1.0, credit=2.0), "credit at ply 3 (recorded 2.0, replayed 1.0"),
        (with_move(WON, 3, elapsed=math.inf), "elapsed at ply 3 is inf"),
        (with_move(WON, 3, charged=math.nan), "charged at ply 3 is nan"),
        (with_move(WON, 3, lag=-1.0), "lag at ply 3 is -1.0"),
        (replace(WON, moves=WON.moves[:5]), "termination (recorded no_legal_move, replayed none)"),
        (
            replace(WON, moves=(*WON.moves, PlayedMove(6, 7, 1.0, 0.0, 1.0, 0.0))),
            "move at ply 6 (recorded 7, replayed 'player 1 (anna) cannot move')",
        ),
        (with_result(WON, winner=1), "winner (recorded 1, replayed 2)"),
        (with_result(WON, reason="so"), "reason (recorded 'so', replayed 'player 1 (anna) cannot"),
        (
            with_result(WON, termination=Termination.RESIGNATION),
            "termination (recorded resignation, replayed no_legal_move)",
        ),
        (with_pairing(WON, players=("an", "bert")), "replayed 'player 1 (an) cannot move')"),
        (
            replace(WON, fault=Fault(6, 7, 1.0, 0.0, 1.0, 0.0)),
            "fault (recorded at ply 6, replayed none)",
        ),
        (replace(LATE, fault=None), "termination (recorded timeout, replayed none)"),
        (with_fault(LATE, ply=0), "ply (recorded 0, replayed 1)"),
        (with_fault(LATE, elapsed=2.0), "fault (recorded at ply 1, replayed none)"),
        (with_fault(LATE, elapsed=30.0), "charged at ply 1 (recorded 20.0"),
        (with_fault(EXCUSED, lag=9.0), "termination (recorded aborted, replayed timeout)"),
        (with_fault(LATE, credit=30.0), "termination (recorded timeout, replayed none)"),
        (with_fault(LATE, elapsed=-1.0), "elapsed at ply 1 is -1.0"),
        (with_fault(FALLEN, move=2), "reason (recorded"),
        (with_fault(FALLEN, elapsed=0.1), "termination (recorded timeout, replayed none)"),
        (replace(ILLEGAL, fault=None), "termination (recorded illegal_move, replayed none)"),
        (
            ended("player 1 (anna) resigned", 1, Termination.RESIGNATION),
            "reason (recorded 'player 1 (anna) resigned', replayed 'player 2 (bert) resigned')",
        ),
        (
            ended("player 1 (anna) resigned", None, Termination.RESIGNATION),
            "winner (recorded none, replayed 1)",
        ),
        (
            ended("player 1 (anna) sent 9 unreadable messages", 2, Termination.MALFORMED),
            "replayed 'player 1 (anna) sent 3 unreadable messages')",
        ),
        (
            ended("player 1 (anna) was disconnected for 5 s", 1, Termination.DISCONNECT),
            "replayed 'player 2 (bert) was disconnected for 5 s')",
        ),
        (
            ended("player 1 (anna) failed: it crashed", 1, Termination.MALFORMED),
            "replayed 'player 2 (bert) sent 3 unreadable messages')",
        ),
        (
            ended("player 1 (anna) was gone when its time ran out", 2, Termination.DISCONNECT),
            "termination (recorded disconnect, replayed timeout)",
        ),
    ],
)
def test_changes_are_found(record: MatchRecord, difference: str) -> None:
    assert difference in "; ".join(find_differences(record))


def test_all_differences_but_those_of_names_are_found() -> None:
    record = with_pairing(WON, tags={"Event": "\n"})
    assert find_differences(record) == [r"tag Event contains the control character '\n'"]
    assert find_differences(with_pairing(WON, tags={"Event": "cup"})) == []
    assert find_differences(with_pairing(WON, players=("anna", "bo"))) == []
    record = ended("player 1 (anna) was gone when its time ran out", 2, Termination.DISCONNECT)
    assert "fault (recorded none, replayed at ply 1)" in find_differences(record)
    record = with_move(with_result(WON, winner=1), 3, charged=0.2)
    assert [text.split(" (")[0] for text in find_differences(record)] == [
        "charged at ply 3",
        "winner",
    ]


@loop_over("by", [1e-9, -1e-9])
def test_rounding_errors_are_accepted(by: float) -> None:
    charged = WON.moves[3].charged + by
    assert find_differences(with_move(WON, 3, charged=charged)) == []


@loop_over("ending", sorted({*ENDINGS} - {"lag", "stopped"}))
def test_a_changed_winner_is_always_found(ending: str) -> None:
    record = play_match(ending)
    assert record.result.winner
    assert find_differences(with_result(record, winner=3 - record.result.winner))


@loop_over("termination", [Termination.DISCONNECT, Termination.MALFORMED, Termination.TIMEOUT])
def test_failures_are_replayed(termination: Termination) -> None:
    record = ended("player 1 (anna) failed: mybot ended with status 1", 2, termination)
    assert find_differences(record) == []


def test_each_player_has_its_own_clock_in_the_replay() -> None:
    pairing = replace(PAIRING, time="1 vs 5")
    record = make_record(0.5, 4.0, control="1 vs 5", pairing=pairing)
    assert find_differences(record) == []
    [difference] = find_differences(replace(record, time_control="1"))
    assert "move at ply 1" in difference
