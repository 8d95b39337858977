"""The silent part of the referee, driven without messages. Messages: test_referee*.py."""

import math
from collections.abc import Container
from dataclasses import replace

from arena.match.adjudicator import Adjudicator
from arena.model.results import Fault, Pairing, PlayedMove, Termination
from arena.model.time_control import TimeControl
from tests.support.cases import loop_over

PAIRING = Pairing(1, ("anna", "bert"), "take_stones", {"stones": 7})
CONTROL = TimeControl(10, 2)


def begun(
    opening: tuple[int, ...] = (), control: TimeControl = CONTROL, disconnected: Container[int] = ()
) -> Adjudicator:
    match = Adjudicator(replace(PAIRING, opening=opening), control, disconnected, max_credit=0.5)
    match.set_up()
    match.begin_turn(0.0)
    return match


def test_a_match_to_its_end() -> None:
    match = begun()
    for number, move in enumerate([3, 6, 2, 4, 1, 7], 1):
        assert match.result is None
        assert match.player_to_move == 2 - number % 2
        match.play(move, float(number))
    assert match.result
    assert (match.result.termination, match.result.winner) == (Termination.NO_LEGAL_MOVE, 2)
    assert match.result.reason == "player 1 (anna) cannot move"
    assert [played.move for played in match.moves] == [3, 6, 2, 4, 1, 7]


def test_a_move_is_recorded_with_its_times() -> None:
    match = begun((3,))
    match.play(6, 1.0, credit=0.0625, lag=0.5)
    first = PlayedMove(1, 6, 1.0, 0.0625, 0.9375, 0.5)
    assert match.moves == [first]
    match.play(2, 3.0)
    assert match.moves == [first, PlayedMove(2, 2, 2.0, 0.0, 2.0, 0.0)]
    assert match.ply == 3


def test_undo_removes_moves_and_charges() -> None:
    match = begun()
    match.play(3, 1.0)
    match.play(6, 2.0)
    assert len(match.moves) == 2
    match.undo(1, 3.0)
    match.play(1, 5.0)
    assert match.moves[1] == PlayedMove(1, 1, 2.0, 0.0, 2.0, 0.0)
    assert match.clock.remaining(2, 5.0) == 10


def test_a_fault_is_not_a_move() -> None:
    match = begun()
    match.play(2, 1.0)
    assert match.fault == Fault(0, 2, 1.0, 0.0, 1.0, 0.0)
    assert match.moves == []
    assert match.result
    assert match.result.termination is Termination.ILLEGAL_MOVE


def test_games_and_times_may_be_over_or_without_a_limit() -> None:
    match = begun((3, 6, 2, 4, 1, 7))
    assert match.result
    assert (match.result.winner, match.clock.deadline, match.moves) == (2, None, [])
    match = begun(control=TimeControl(math.inf, per_move=True))
    match.play(3, 1e9)
    match.check_clock(1e12)
    assert match.result is None


@loop_over(("disconnected", "termination"), [(1, Termination.DISCONNECT), (2, Termination.TIMEOUT)])
def test_time_runs_out(disconnected: int, termination: Termination) -> None:
    match = begun(disconnected={disconnected})
    assert match.clock.deadline
    match.check_clock(match.clock.deadline - 0.0625)
    assert match.result is None
    match.check_clock(match.clock.deadline)
    assert match.result
    assert (match.result.termination, match.result.winner) == (termination, 2)
