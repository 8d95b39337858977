"""Simulated bot, a function of the turn, that runs the scripts of the conformance test."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from arena.conformance.steps import (
    AcceptConnection,
    Receive,
    Received,
    ReceivePong,
    Script,
    Send,
    Step,
    WaitForExit,
)
from core import GAMES

T = TypeVar("T")


def first_legal_move(turn: dict[str, Any]) -> list[str]:
    """Return a frame with the smallest legal move."""
    position = GAMES[turn["game"]].position(**turn["setup"], moves=turn["moves"])
    answer = {"type": "move", "match": turn["match"], "ply": turn["ply"]}
    return [json.dumps({**answer, "move": position.legal_moves()[0]})]


class SimulatedBot:
    """Bot without a socket.

    Args:
        answer: A function from a turn to the frames that answer it.
        seconds: The time that each answer takes.
        ponging: Whether it answers pings.
        resumes: Whether it sends its session when it reconnects.
        newest_first: Whether it answers the newest turn first.
        status: The exit status of its program.

    Attributes:
        received: The messages that it was sent.
        frames: The frames that it sends next, each with its time.
        absence: The reason why it does not connect; empty if it does.
    """

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], list[str]],
        seconds: float = 0.0,
        *,
        ponging: bool = True,
        resumes: bool = True,
        newest_first: bool = False,
        status: int | None = 0,
    ) -> None:
        self.received: list[dict[str, Any]] = []
        self.frames: list[tuple[str | bytes | None, float]] = []
        self.absence = ""
        self._answer = answer
        self._seconds = seconds
        self._ponging = ponging
        self._resumes = resumes
        self._newest_first = newest_first
        self._status = status
        self._session: str | None = None
        self._has_connected = False

    def perform(self, step: Step) -> object:
        """Return the result of a step."""
        match step:
            case Send(frame):
                self._receive(json.loads(frame))
            case Receive(timeout):
                index = -1 if self._newest_first else 0
                return Received(*(self.frames.pop(index) if self.frames else (None, timeout)))
            case ReceivePong():
                return self._ponging
            case AcceptConnection():
                self._connect()
                return self.absence
            case WaitForExit():
                return self._status, f"status {self._status}"
        return None

    def _receive(self, message: dict[str, Any]) -> None:
        self.received.append(message)
        self._session = message.get("session", self._session)
        if message["type"] == "turn":
            self.frames += [(frame, self._seconds) for frame in self._answer(message)]

    def _connect(self) -> None:
        if self._has_connected:  # it loses what it did not send on the last connection
            session = self._session if self._resumes else None
            hello = {"type": "hello", "protocol": 1, "name": "bot", "games": [*GAMES]}
            self.frames = [(json.dumps({**hello, "session": session}), 0.0)]
        self._has_connected = True


def run_script(script: Script[T], bot: SimulatedBot) -> T:
    """Run a script against a simulated bot; return or raise what the script does."""
    result: object = None
    while True:
        try:
            step = script.send(result)
        except StopIteration as stop:
            returned: T = stop.value
            return returned
        result = bot.perform(step)
