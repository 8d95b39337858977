"""Scenarios for referees: matches of Take-Stones in which given events happen."""

from collections.abc import Callable, Collection
from typing import Any, Literal

from arena.match.referee import Outgoing, Referee
from arena.model.results import Pairing, Termination
from arena.model.time_control import TimeControl
from arena.protocol.player import Claim, Move, Resign
from tests.support.games.reference import Taken

CONTROL = TimeControl(10, 2)
GRACE = 5.0
MAX_CREDIT = 0.1

NO_LEGAL_MOVE = Termination.NO_LEGAL_MOVE
ILLEGAL_MOVE = Termination.ILLEGAL_MOVE
TIMEOUT = Termination.TIMEOUT
DISCONNECT = Termination.DISCONNECT
RESIGNATION = Termination.RESIGNATION
MALFORMED = Termination.MALFORMED
ABORTED = Termination.ABORTED

Event = Callable[[Referee], Outgoing | None]


def new_match(
    stones: int = 7,
    opening: Taken = (),
    control: TimeControl = CONTROL,
    casual: bool = False,
    grants_takebacks: Collection[int] = (),
) -> Referee:
    """Return the referee of a match that has not started."""
    setup = {"stones": stones}
    pairing = Pairing(1, ("anna", "bert"), "take_stones", setup, opening, casual)
    return Referee("m", pairing, control, GRACE, grants_takebacks, max_credit=MAX_CREDIT)


class Scenario:
    """A match that started at time 0, some events in it, and all messages sent to the players."""

    def __init__(self, *events: Event, **options: Any) -> None:
        self.referee = new_match(**options)
        self.sent = self.referee.start(0.0)
        for event in events:
            self.sent += event(self.referee) or []

    @property
    def ending(self) -> tuple[Termination, int | None] | None:
        result = self.referee.result
        return (result.termination, result.winner) if result else None


def play(
    player: int,
    stone: int,
    at: float = 0.0,
    credit: float = 0.0,
    ply: int | None = None,
    lag: float = 0.0,
    excuse: float | None = None,
) -> Event:
    """Return the event of a move, by default with the expected ply, and the lag as the excuse."""
    return lambda referee: referee.move(
        player,
        Move("m", referee.ply if ply is None else ply, stone),
        at,
        credit,
        lag,
        lag if excuse is None else excuse,
    )


def game(*stones: int) -> list[Event]:
    """Return the events of alternating moves that take no time."""
    return [play(1 + ply % 2, stone) for ply, stone in enumerate(stones)]


def resign(player: int) -> Event:
    return lambda referee: referee.resign(player, Resign("m"))


def send_unreadable(player: int) -> Event:
    return lambda referee: referee.unreadable(player)


def disconnect(player: int, at: float) -> Event:
    return lambda referee: referee.disconnect(player, at)


def reconnect(player: int, at: float) -> Event:
    return lambda referee: referee.reconnect(player, at)


def tick(now: float, lag: float = 0.0, excuse: float | None = None) -> Event:
    return lambda referee: referee.tick(now, lag, lag if excuse is None else excuse)


def take_back(player: int, at: float = 0.0, *, accept: bool = True) -> Event:
    return lambda referee: referee.take_back(player, at, accept)


def claim(player: int, result: Literal["win", "none"], at: float) -> Event:
    return lambda referee: referee.claim(player, Claim("m", result), at)


def abort(cause: str) -> Event:
    return lambda referee: referee.abort(cause)
