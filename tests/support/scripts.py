"""A bot that is a function, for scripts that are performed without a socket."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from arena.conformance.steps import (
    End,
    Heard,
    Join,
    Pong,
    Receive,
    Script,
    Send,
    Step,
)
from core import GAMES

T = TypeVar("T")


def legal(turn: dict[str, Any]) -> list[str]:
    """The least legal move."""
    position = GAMES[turn["game"]].position(**turn["setup"], taken=turn["moves"])
    answer = {"type": "move", "match": turn["match"], "ply": turn["ply"]}
    return [json.dumps({**answer, "move": position.legal_moves()[0]})]


class Pretended:
    """Answers each turn with frames, after so many seconds."""

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], list[str]],
        seconds: float = 0.0,
        *,
        ponging: bool = True,
        remembers: bool = True,
        is_backward: bool = False,
        status: int | None = 0,
    ) -> None:
        self.sent: list[dict[str, Any]] = []
        self.heard: list[tuple[str | bytes | None, float]] = []
        self.away = ""  # why nobody comes
        self._answer = answer
        self._seconds = seconds
        self._ponging = ponging
        self._remembers = remembers
        self._is_backward = is_backward
        self._status = status
        self._session: str | None = None
        self._is_known = False

    def take(self, step: Step) -> object:
        """What comes of a step."""
        match step:
            case Send(frame):
                self._hear(json.loads(frame))
            case Receive(seconds):
                place = -1 if self._is_backward else 0
                return Heard(*(self.heard.pop(place) if self.heard else (None, seconds)))
            case Pong():
                return self._ponging
            case Join():
                self._join()
                return self.away
            case End():
                return self._status, f"status {self._status}"
        return None

    def _hear(self, message: dict[str, Any]) -> None:
        self.sent.append(message)
        self._session = message.get("session", self._session)
        if message["type"] == "turn":
            self.heard += [(frame, self._seconds) for frame in self._answer(message)]

    def _join(self) -> None:
        if self._is_known:  # it comes back, and has lost what it did not say
            session = self._session if self._remembers else None
            hello = {"type": "hello", "protocol": 1, "name": "bot", "games": [*GAMES]}
            self.heard = [(json.dumps({**hello, "session": session}), 0.0)]
        self._is_known = True


def perform(script: Script[T], bot: Pretended) -> T:
    """What the script returns. Raises what it raises."""
    outcome: object = None
    while True:
        try:
            step = script.send(outcome)
        except StopIteration as end:
            result: T = end.value
            return result
        outcome = bot.take(step)
