"""Referee: messages to the players."""

import pytest
from msgspec import structs

from arena.match.referee import Referee
from arena.model.results import Pairing, PlayedMove
from arena.model.time_control import TimeControl
from arena.protocol.player import Error, Finished, Move, Turn
from tests.support.cases import loop_over
from tests.support.games.reference import Taken
from tests.support.tournaments.scenarios import (
    Event,
    Scenario,
    abort,
    disconnect,
    game,
    new_match,
    play,
    reconnect,
    resign,
    send_unreadable,
    take_back,
    tick,
)

REJECTED: dict[str, tuple[Event, int, str, str]] = {
    "repeated by the same player": (play(1, 3, ply=0), 1, "wrong_ply", "expected ply 2, got 0"),
    "repeated": (play(2, 6, ply=1), 2, "wrong_ply", "expected ply 2, got 1"),
    "early": (play(1, 2, ply=3), 1, "wrong_ply", "expected ply 2, got 3"),
    "far ahead": (
        play(1, 2, ply=10**20),
        1,
        "wrong_ply",
        "expected ply 2, got 1000000000... (21 digits)",
    ),
    "never": (play(1, 2, ply=-1), 1, "wrong_ply", "expected ply 2, got -1"),
    "out of turn": (play(2, 2), 2, "not_your_turn", "player 1 is to move at ply 2"),
}


def with_equal_times(turn: Turn) -> Turn:
    """Return the turn with the opponent's time control, which is that of the player."""
    return structs.replace(
        turn, opponent_increment_ms=turn.increment_ms, opponent_per_move=turn.per_move
    )


EVENTS = {
    "move": play(1, 2, at=1),
    "illegal move": play(1, 5, at=1),
    "move out of turn": play(2, 2, at=1),
    "resignation": resign(1),
    "unreadable messages": send_unreadable(1),
    "disconnection": disconnect(1, at=1),
    "reconnection": reconnect(1, at=1),
    "tick": tick(1000),
    "takeback": take_back(1),
    "abort": abort("too late"),
}


def test_turns_have_the_moves_and_clocks() -> None:
    turn = with_equal_times(
        Turn("m", "take_stones", {"stones": 7}, [], 0, 1, (10000, 10000), 2000, "bert", False)
    )
    assert Scenario().sent == [(1, turn)]
    turn = with_equal_times(
        Turn("m", "take_stones", {"stones": 7}, [3], 1, 2, (9000, 10000), 2000, "anna")
    )
    assert Scenario(play(1, 3, at=3)).sent[1:] == [(2, turn)]
    control = TimeControl(10, per_move=True, margin=1)
    turn = with_equal_times(
        Turn("m", "take_stones", {"stones": 7}, [3], 1, 2, (10000, 10000), 0, "anna", True)
    )
    assert Scenario(play(1, 3, at=10.5), control=control).sent[1:] == [(2, turn)]
    scenario = Scenario(play(1, 3, at=1), disconnect(2, at=2), reconnect(2, at=4))
    turn = with_equal_times(
        Turn("m", "take_stones", {"stones": 7}, [3], 1, 2, (11000, 7000), 2000, "anna")
    )
    assert scenario.sent[2:] == [(2, turn)]


@loop_over(("opening", "player", "opponent"), [((3,), 2, "anna"), ((3, 6), 1, "bert")])
def test_turn_after_an_opening(opening: Taken, player: int, opponent: str) -> None:
    clocks, ply = (10000, 10000), len(opening)
    turn = with_equal_times(
        Turn("m", "take_stones", {"stones": 7}, [*opening], ply, player, clocks, 2000, opponent)
    )
    assert Scenario(opening=opening).sent == [(player, turn)]


def test_turns_have_openings_clocks_and_no_margin() -> None:
    scenario = Scenario(play(1, 2), opening=(3, 6))
    assert scenario.referee.moves == [PlayedMove(2, 2, 0.0, 0.0, 0.0, 0.0)]
    _, turn = Scenario(play(1, 3, at=10.5), control=TimeControl(10, margin=1)).sent[1]
    assert isinstance(turn, Turn)
    assert turn.clocks_ms == (0, 10000)
    _, turn = Scenario(play(1, 3, at=1.0009765625)).sent[1]
    assert isinstance(turn, Turn)
    assert turn.clocks_ms == (10999, 10000)


@loop_over("text", ["unlimited", "5 nodes"])
def test_turn_without_a_clock_has_a_long_time(text: str) -> None:
    _, turn = Scenario(play(1, 3, at=1e6), control=TimeControl.parse(text)).sent[1]
    assert isinstance(turn, Turn)
    assert (turn.clocks_ms, turn.increment_ms, turn.per_move) == ((10**12, 10**12), 0, True)


@loop_over(("event", "player", "code", "text"), REJECTED.values())
def test_rejected_move_causes_an_error_and_changes_nothing(
    event: Event, player: int, code: str, text: str
) -> None:
    referee = Scenario(*game(3, 6)).referee
    before = (referee.ply, referee.deadline, [*referee.moves])
    assert event(referee) == [(player, Error(code, f"match m: {text}", "m"))]
    assert (referee.ply, referee.deadline, referee.moves) == before


@loop_over("event", EVENTS.values())
def test_events_after_the_end_send_and_change_nothing(event: Event) -> None:
    referee = Scenario(*game(3, 6), resign(2)).referee
    before = (referee.result, referee.ply, [*referee.moves], referee.finished_message(1))
    assert not event(referee)
    assert (referee.result, referee.ply, referee.moves, referee.finished_message(1)) == before


def test_players_reconnect_and_aborted_matches_do_not_start() -> None:
    assert Scenario(disconnect(2, at=2), reconnect(2, at=4)).sent[1:] == []
    scenario = Scenario(disconnect(1, at=2), reconnect(1, at=4), play(1, 3, at=5))
    assert scenario.referee.moves == [PlayedMove(0, 3, 5.0, 0.0, 5.0, 0.0)]
    referee = new_match()
    referee.abort("stopped")
    assert referee.start(0.0) == []


def test_message_about_the_end() -> None:
    referee = Scenario(*game(3, 6), resign(1)).referee
    assert referee.finished_message(2) == Finished(
        "m", 2, 2, "resignation", "player 1 (anna) resigned", [3, 6]
    )
    assert Scenario(play(1, 2), resign(1), opening=(3, 6)).referee.finished_message(1).moves == [
        3,
        6,
        2,
    ]
    with pytest.raises(AssertionError, match="not over"):
        Scenario().referee.finished_message(1)


def test_turn_with_time_odds() -> None:
    pairing = Pairing(1, ("anna", "bert"), "take_stones", {"stones": 7})
    referee = Referee("m", pairing, TimeControl(10, 2), 5, second=TimeControl(1, per_move=True))
    [(_, first)] = referee.start(0.0)
    [(_, second)] = referee.move(1, Move("m", 0, 3), 4.0)
    assert isinstance(first, Turn)
    assert isinstance(second, Turn)
    assert first.clocks_ms == (10_000, 1000)
    assert (first.increment_ms, first.per_move) == (2000, False)
    assert (first.opponent_increment_ms, first.opponent_per_move) == (0, True)
    assert second.clocks_ms == (8000, 1000)
    assert (second.increment_ms, second.per_move) == (0, True)
    assert (second.opponent_increment_ms, second.opponent_per_move) == (2000, False)
