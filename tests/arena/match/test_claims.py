"""Referee: opponents of casual matches that leave, and what can be claimed then."""

from typing import Literal

from arena.model.results import Termination
from arena.protocol.player import Error, OpponentBack, OpponentLeft
from tests.support.cases import loop_over
from tests.support.tournaments.scenarios import (
    ABORTED,
    DISCONNECT,
    Event,
    Scenario,
    claim,
    disconnect,
    reconnect,
    resign,
    tick,
)

HALF = 2.5  # seconds of a grace of 5
LEFT = OpponentLeft("m", 2500, 5000)
BACK = OpponentBack("m")


def test_players_hear_of_disconnections_and_returns() -> None:
    scenario = Scenario(disconnect(2, 1), reconnect(2, 3), tick(7), casual=True)
    assert scenario.sent[1:] == [(1, LEFT), (1, BACK)]
    assert not scenario.referee.result
    scenario = Scenario(disconnect(2, 1), disconnect(1, 2), reconnect(1, 4), casual=True)
    assert (1, OpponentLeft("m", 0, 2000)) in scenario.sent[2:]
    assert (2, BACK) in scenario.sent
    assert not Scenario(reconnect(2, 1), casual=True).sent[1:]


@loop_over(
    "result, ending, reason",
    ("win", (DISCONNECT, 1), "player 2 (bert) was disconnected for 2 s"),
    ("none", (ABORTED, None), "called off: player 2 (bert) was disconnected for 2 s"),
)
def test_a_claim_ends_the_match(
    result: Literal["win", "none"], ending: tuple[Termination, int | None], reason: str
) -> None:
    scenario = Scenario(disconnect(2, 1), claim(1, result, 1 + HALF), casual=True)
    assert scenario.ending == ending
    assert scenario.referee.result
    assert scenario.referee.result.reason == reason


@loop_over(
    "events",
    [claim(1, "win", 9)],
    [disconnect(2, 1), claim(1, "win", HALF)],
    [disconnect(2, 1), reconnect(2, 2), claim(1, "none", 4)],
)
def test_a_claim_is_refused(events: list[Event]) -> None:
    scenario = Scenario(*events, casual=True)
    text = "match m: the opponent must have been disconnected for 2.5 s"
    assert scenario.sent[-1] == (1, Error("nothing_to_claim", text, "m"))
    assert not scenario.referee.result


def test_claims_are_for_casual_matches_before_the_end() -> None:
    scenario = Scenario(disconnect(2, 1), reconnect(2, 2), disconnect(2, 3), claim(1, "win", 7))
    [(player, error)] = scenario.sent[1:]
    assert isinstance(error, Error)
    assert (player, error.code) == (1, "not_casual")
    scenario = Scenario(disconnect(2, 1), resign(1), claim(1, "win", 4), casual=True)
    assert scenario.ending == (Termination.RESIGNATION, 2)
