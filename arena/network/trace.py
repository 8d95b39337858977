"""Trace of the messages of bots, as JSON lines.

docs/reference/trace.md describes the lines.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.line_file import LineFile

SECRETS = ("token", "session")  # fields of messages
MASK = "***"
TOKEN = re.compile(r"tsa_[\w-]+", re.ASCII)
LONG_WORD = re.compile(r"[\w+/=-]{16,}", re.ASCII)  # which may be a secret, in a broken message
MAX_BROKEN = 200  # characters of a message that is no JSON object

Report = Callable[[str], object]
"""Receives a message for the operator."""


class MessageTrace:
    """File of the messages of bots, from `with` to its end.

    Each line is written at once. After an error nothing more is written, which is reported once.

    Attributes:
        report: Receives the error.
    """

    def __init__(self, path: Path, report: Report) -> None:
        """Open the file, to which lines are appended.

        Args:
            path: The file.
            report: Receives an error.

        Raises:
            OSError: The file cannot be opened.
        """
        self.report = report
        self._path = path
        self._file = LineFile(path)
        self._is_written = True  # until an error, or the end
        self._connections = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_written = False
        self._file.close()

    def open(self, address: str) -> "ConnectionTrace":
        """Return the trace of a new connection from an address."""
        self._connections += 1
        trace = ConnectionTrace(self, self._connections)
        trace.write("open", address)
        return trace

    def write(self, line: dict[str, object]) -> None:
        """Write a line, after the time."""
        if not self._is_written:
            return
        now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        text = TOKEN.sub(MASK, json.dumps({"time": now, **line}, separators=(",", ":")))
        try:
            self._file.append(f"{text}\n".encode())
        except OSError as error:
            self._is_written = False
            problem = f"cannot write {self._path}: {error.strerror}"
            self.report(f"{problem}; the matches go on without it")


class ConnectionTrace:
    """Trace of one connection.

    Attributes:
        bot: The name of the bot, None before its hello is accepted.
    """

    def __init__(self, trace: MessageTrace, number: int) -> None:
        self.bot: str | None = None
        self._trace = trace
        self._number = number

    def received(self, frame: str | bytes) -> None:
        """Write a frame of the bot."""
        self.write("in", without_secrets(frame))

    def sent(self, frame: str) -> None:
        """Write a frame to the bot."""
        self.write("out", without_secrets(frame))

    def closed(self, code: int | None) -> None:
        """Write the end of the connection, with its close code."""
        self.write("close", code)

    def write(self, kind: str, value: object) -> None:
        """Write a line of this connection."""
        self._trace.write({"connection": self._number, "bot": self.bot, kind: value})


def without_secrets(frame: str | bytes) -> object:
    """Return the object of a frame with its secrets masked; a text for a broken frame."""
    if isinstance(frame, bytes):
        return f"binary frame of {len(frame)} bytes"
    try:
        message = json.loads(frame)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        return LONG_WORD.sub(MASK, frame)[:MAX_BROKEN]
    return message | {key: MASK for key in SECRETS if message.get(key) is not None}
