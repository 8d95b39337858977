"""Referee: takebacks in casual matches."""

from collections.abc import Collection

from msgspec import structs

from arena.match.referee import Referee
from arena.model.results import Info, Pairing, PlayedMove
from arena.model.time_control import TimeControl
from arena.protocol.player import Error, Move, TakeBackAsked, TakeBackDeclined, Turn
from tests.support.cases import loop_over
from tests.support.games.reference import Taken
from tests.support.tournaments.scenarios import (
    MAX_CREDIT,
    TIMEOUT,
    Event,
    Scenario,
    disconnect,
    game,
    play,
    reconnect,
    take_back,
    tick,
)

ASKED = TakeBackAsked("m")
NOTHING = "match m: you have not made a move yet"


def casual(
    *events: Event, grants_takebacks: Collection[int] = (2,), opening: Taken = ()
) -> Scenario:
    """Return a casual match after some events."""
    return Scenario(*events, casual=True, grants_takebacks=grants_takebacks, opening=opening)


@loop_over(
    "events, left",
    ([*game(3, 6), take_back(1)], []),
    ([*game(3, 6, 2, 4), take_back(1)], [3, 6]),
    ([*game(3, 6, 2, 4), take_back(1), take_back(1)], []),
    ([*game(3, 6, 2), take_back(1)], [3, 6, 2]),  # player 2 has not answered yet
    ([*game(3, 6, 2), take_back(1), play(2, 4)], [3, 6]),
    ([*game(3, 6, 2), take_back(1), take_back(1), play(2, 4)], [3, 6]),
    ([*game(3, 6, 2), take_back(1), play(2, 99)], [3, 6]),  # any move of player 2
    ([*game(3, 6, 2), take_back(1), play(2, 99, ply=2)], [3, 6, 2]),
)
def test_takeback_is_granted_automatically(events: list[Event], left: list[int]) -> None:
    assert [move.move for move in casual(*events).referee.moves] == left


@loop_over(
    "events, left",
    ([*game(3, 6), take_back(1)], [3, 6]),
    ([*game(3, 6), take_back(1), take_back(1)], [3, 6]),
    ([*game(3, 6), take_back(1), take_back(2)], []),
    ([*game(3, 6), take_back(2), take_back(1)], [3]),  # the request of player 2 is granted
    ([*game(3, 6, 2), take_back(1), take_back(2)], [3, 6]),
    ([*game(3), take_back(1), take_back(2)], []),
    ([*game(3), take_back(1), play(2, 6), take_back(2)], [3, 6]),
    ([*game(3, 6), take_back(1), play(1, 2), take_back(2)], [3, 6, 2]),
    ([*game(3, 6), take_back(1), play(1, 2, ply=1), take_back(2)], []),
)
def test_takeback_needs_the_consent_of_the_opponent(events: list[Event], left: list[int]) -> None:
    assert [move.move for move in casual(*events, grants_takebacks=()).referee.moves] == left


def test_a_takeback_is_declined_once() -> None:
    asked = casual(*game(3, 6), take_back(1), grants_takebacks=())
    decline = take_back(2, accept=False)
    assert decline(asked.referee) == [(1, TakeBackDeclined("m"))]
    assert decline(asked.referee) == []
    assert asked.referee.ply == 2
    assert take_back(1)(asked.referee) == [(2, ASKED)]


@loop_over(
    "events, times",
    ([*game(3, 6), take_back(1), take_back(1)], 1),
    ([*game(3), take_back(1), play(2, 6), take_back(1)], 2),
    ([*game(3, 6), take_back(1), disconnect(2, at=1), reconnect(2, at=2)], 2),
)
def test_opponent_is_asked_once_more_after_move_or_return(events: list[Event], times: int) -> None:
    sent = casual(*events, grants_takebacks=()).sent
    assert sent.count((2, ASKED)) == times
    assert sent[-1] == (2, ASKED)


def test_takebacks_are_granted_in_casual_matches_only() -> None:
    sent = casual(*game(3), take_back(1), disconnect(2, at=1), reconnect(2, at=2)).sent
    assert [type(message) for player, message in sent[2:] if player == 2] == [Turn]
    assert casual(*game(3), take_back(1), tick(11)).ending == (TIMEOUT, 1)
    text = "match m: takebacks are not allowed in a rated match"
    scenario = Scenario(*game(3, 6), take_back(1), grants_takebacks=(2,))
    assert scenario.sent[-1] == (1, Error("not_casual", text, "m"))


def test_a_takeback_sends_a_turn_and_restarts_the_clock() -> None:
    turn = Turn("m", "take_stones", {"stones": 7}, [], 0, 1, (10000, 10000), 2000, "bert")
    turn = structs.replace(turn, opponent_increment_ms=2000, opponent_per_move=False)
    assert casual(*game(3, 6), take_back(1)).sent[3:] == [(1, turn)]
    referee = casual(play(1, 3, at=3), play(2, 6, at=7), take_back(1, at=12)).referee
    assert (referee.turn_started_at, referee.deadline) == (12, 22 + MAX_CREDIT)
    referee = casual(*game(3, 6), take_back(1, at=5), play(1, 1, at=6)).referee
    assert referee.moves == [PlayedMove(0, 1, 1.0, 0.0, 1.0, 0.0)]


@loop_over("grants_takebacks", [(), (2,)])
@loop_over("events", [[], [take_back(2)], game(3, 6)[:1]])
def test_takeback_needs_a_move(events: list[Event], grants_takebacks: tuple[int, ...]) -> None:
    player = 1 + len(events)
    sent = casual(*events, take_back(player), grants_takebacks=grants_takebacks).sent
    assert sent[-1] == (player, Error("nothing_to_take_back", NOTHING, "m"))


@loop_over("player", [1, 2])
def test_opening_cannot_be_taken_back(player: int) -> None:
    scenario = casual(take_back(player), opening=(3, 6, 2))
    assert (scenario.referee.ply, scenario.sent[-1][1]) == (
        3,
        Error("nothing_to_take_back", NOTHING, "m"),
    )


def test_a_takeback_removes_the_information_of_its_moves() -> None:
    pairing = Pairing(None, ("anna", "bert"), "take_stones", {"stones": 7}, casual=True)
    referee = Referee("m", pairing, TimeControl(10), 5)
    referee.start(0.0)
    for ply, move in enumerate((3, 6, 2)):
        referee.move(1 + ply % 2, Move("m", ply, move, info=Info(depth=ply + 1)), 0.0)
    assert [*referee.infos] == [0, 1, 2]
    referee.take_back(1, 0.0)
    referee.take_back(2, 0.0)
    assert referee.infos == {0: Info(depth=1), 1: Info(depth=2)}
