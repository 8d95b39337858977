"""Questions of honest people beside an attack: an analysis, and a casual match."""

import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from bench.arena.attacks.arena_command import HOUSE_BOT
from bench.arena.simulated_bots import GAME

ANALYSE = {"type": "analyse", "request": 1, "game": GAME, "setup": {"stones": 20}, "depth": 4}
CHALLENGE = {
    "type": "challenge",
    "game": GAME,
    "setup": {"stones": 20},
    "you": 1,
    "opponent": HOUSE_BOT,
}


class Answers(NamedTuple):
    """The seconds until answers; None if there was none in time.

    Attributes:
        viewer: From connecting to /watch until the answer to a small analysis.
        visitor: From connecting to /play until the start of a casual match with the house bot.
    """

    viewer: float | None
    visitor: float | None


def ask(port: int, seconds: float) -> Answers:
    """Ask both questions, each for at most some seconds."""
    return Answers(*(_elapsed(port, seconds / 2, *each) for each in (VIEWER, VISITOR)))


def _elapsed(
    port: int, seconds: float, path: str, talk: Callable[[ClientConnection, float], None]
) -> float | None:
    begun = time.monotonic()
    try:
        with connect(
            f"ws://127.0.0.1:{port}/{path}",
            proxy=None,
            compression=None,
            open_timeout=seconds,
            close_timeout=0.1,
        ) as connection:
            talk(connection, begun + seconds)
            return time.monotonic() - begun
    except (OSError, WebSocketException, Refused):
        return None


class Refused(Exception):
    """An error message instead of an answer."""


def _view(connection: ClientConnection, end: float) -> None:
    connection.send(json.dumps(ANALYSE))
    _wait_for(connection, "analysis", end)


def _visit(connection: ClientConnection, end: float) -> None:
    name = f"visitor {time.monotonic_ns()}"
    hello = {"type": "hello", "protocol": 1, "name": name, "games": [GAME], "casual": True}
    connection.send(json.dumps(hello))
    connection.send(json.dumps(CHALLENGE))
    started = _wait_for(connection, "started", end)
    connection.send(json.dumps({"type": "resign", "match": started["match"]}))
    _wait_for(connection, "finished", end)


def _wait_for(connection: ClientConnection, kind: str, end: float) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(connection.recv(max(0.0, end - time.monotonic())))
        if message["type"] == kind:
            return message
        if message["type"] == "error":
            raise Refused(message["code"])


VIEWER = "watch", _view
VISITOR = "play", _visit
