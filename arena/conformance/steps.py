"""Scripts of the conformance test: their steps and their results. No I/O.

A script is a generator. It yields steps, is sent the result of each step, which the step's
docstring describes, and returns a summary; or it raises CheckFailed or CheckSkipped. The code that
runs a script owns the socket and the clock.
"""

from collections.abc import Generator
from typing import Any, NamedTuple, TypeVar

MAX_QUOTED = 200  # characters in a report of a bot's message, or a game's text

T = TypeVar("T")


class Send(NamedTuple):
    """Send a frame."""

    frame: str


class Receive(NamedTuple):
    """Receive a frame; result: Received.

    The timeout counts from the last frame that was sent, or from the connection of the bot.
    """

    timeout: float


class SendPing(NamedTuple):
    """Send a ping."""


class ReceivePong(NamedTuple):
    """Wait for the pong to the last ping; result: whether it was received.

    The timeout counts as for Receive.
    """

    timeout: float


class AcceptConnection(NamedTuple):
    """Wait for a new connection; result: None, or the reason why it failed."""

    timeout: float


class AbortConnection(NamedTuple):
    """Abort the connection without a closing handshake."""


class CloseConnection(NamedTuple):
    """Close the connection with a code."""

    code: int


class WaitForExit(NamedTuple):
    """Wait for the bot's program to exit; result: its exit status or None, and a description."""

    timeout: float


Step = (
    Send
    | Receive
    | SendPing
    | ReceivePong
    | AcceptConnection
    | AbortConnection
    | CloseConnection
    | WaitForExit
)
Script = Generator[Step, Any, T]


class Received(NamedTuple):
    """Result of Receive.

    Attributes:
        frame: The frame, or None.
        seconds: The time that it took.
        closed: If the connection was closed instead: how.
    """

    frame: str | bytes | None
    seconds: float
    closed: str = ""


class CheckFailed(Exception):
    """Failure of a check item.

    Args:
        expected: The expected behaviour of the bot.
        received: The actual behaviour.
    """

    def __init__(self, expected: str, received: str) -> None:
        super().__init__(f"expected {expected}, got {received}")
        self.expected = expected
        self.received = received


class CheckSkipped(Exception):
    """Item that does not apply to the bot; the message gives the reason."""


def printable(data: str | bytes) -> str:
    """Return a bot's message as printable ASCII of bounded length."""
    text = ascii(data[:MAX_QUOTED])
    is_cut = len(data) > MAX_QUOTED
    return (text if isinstance(data, bytes) else text[1:-1]) + "..." * is_cut
