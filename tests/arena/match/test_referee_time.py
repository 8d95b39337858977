"""Referee: recorded times, deadlines and timeouts."""

from arena.model.results import PlayedMove
from tests.support.cases import loop_over
from tests.support.tournaments.scenarios import (
    MAX_CREDIT,
    Event,
    Scenario,
    disconnect,
    new_match,
    play,
    reconnect,
    resign,
)


@loop_over(
    "at, credit, move",
    (3.0, 0.0, PlayedMove(0, 3, 3.0, 0.0, 3.0, 0.0)),
    (3.0, 0.0625, PlayedMove(0, 3, 3.0, 0.0625, 2.9375, 0.0)),
    (3.0, 60.0, PlayedMove(0, 3, 3.0, MAX_CREDIT, 3.0 - MAX_CREDIT, 0.0)),
    (0.0625, 60.0, PlayedMove(0, 3, 0.0625, 0.0625, 0.0, 0.0)),
)
def test_times_of_a_move_are_recorded(at: float, credit: float, move: PlayedMove) -> None:
    assert Scenario(play(1, 3, at, credit)).referee.moves == [move]


def test_deadlines_before_the_start_and_after_the_end() -> None:
    assert new_match().deadline is None
    assert Scenario(disconnect(1, at=2), resign(1)).referee.deadline is None
    referee = new_match()
    referee.disconnect(2, 100.0)
    referee.start(103.0)
    assert referee.deadline == 105


@loop_over(
    "events, deadline",
    ([], 10 + MAX_CREDIT),
    ([play(1, 3, at=9)], 19 + MAX_CREDIT),  # of the player to move
    ([disconnect(1, at=2)], 7),
    ([disconnect(2, at=2)], 7),
    ([disconnect(2, at=1), disconnect(1, at=2)], 6),  # of the first to disconnect
    ([disconnect(1, at=2), reconnect(1, at=3)], 10 + MAX_CREDIT),
)
def test_deadline_is_of_the_clock_or_disconnection(events: list[Event], deadline: float) -> None:
    assert Scenario(*events).referee.deadline == deadline


def test_turns_start_with_the_match_or_the_previous_move() -> None:
    referee = new_match()
    referee.start(100.0)
    assert referee.turn_started_at == 100
    assert Scenario(play(1, 3, at=3)).referee.turn_started_at == 3
    referee = Scenario(play(1, 3, at=3, lag=0.25)).referee
    assert referee.moves == [PlayedMove(0, 3, 3.0, 0.0, 3.0, 0.25)]
