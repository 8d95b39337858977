"""A log for machines: a JSON object a line, of what happens in the arena and of what goes wrong.

docs/guide/operate-an-arena.md tells what each event holds.
"""

import json
import logging
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from types import TracebackType
from typing import Self

from arena.model.observer import Observer
from arena.model.results import Fault, MatchRecord, Pairing, PlayedMove
from arena.storage.schema import DatabaseError

NAME = "arena"  # of the logger that these events go through
LATE = 0.1  # seconds of lag that are worth a line
LATE_AGAIN = 1.0  # seconds between two such lines: one stall is in a turn of every match
REPEAT_SECONDS = 1.0  # that the same words of other code stay out of the log


class JsonLine(logging.Formatter):
    """A record as a JSON object; one that is not the arena's own is an event "message"."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": "message",
        }
        if record.name == NAME and isinstance(record.args, dict):
            return json.dumps(line | record.args)
        line |= {"logger": record.name, "text": record.getMessage()}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)


class Seldom(logging.Filter):
    """Keeps other code from saying the same again and again.

    Without free file descriptors asyncio (of Python 3.11) logs up to a hundred times a second.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said = ""
        self._at = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log it."""
        if record.name == NAME:
            return True
        text = record.getMessage()
        is_repeated = text == self._said and 0 <= record.created - self._at < REPEAT_SECONDS
        if not is_repeated:
            self._said, self._at = text, record.created
        return not is_repeated


class LogFile(WatchedFileHandler):
    """A file that is opened anew when it has been moved away, as logrotate does.

    When it cannot be written, that is said once, and the arena plays on without a log.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path, encoding="utf-8")
        self._is_told = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        try:
            super().emit(record)
        except OSError:  # it could not be opened anew
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 (the library's)
        """Say on standard error what is wrong."""
        if not self._is_told:
            self._is_told = True
            print(f"arena: cannot write the log: {sys.exc_info()[1]}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Close it, and let go of what could not be written."""
        with suppress(OSError):
            super().close()


class Log(Observer):
    """Logs what happens to a file, or to standard error for "-", from `with` to its end.

    What other code of this process logs as a warning or worse goes there too. Raises OSError when
    the file cannot be opened.
    """

    def __init__(self, path: str) -> None:
        self._handler: logging.Handler = logging.StreamHandler() if path == "-" else LogFile(path)
        self._handler.setFormatter(JsonLine())
        self._handler.addFilter(Seldom())
        self._logger = logging.Logger(NAME)
        self._logger.addHandler(self._handler)
        self._playing: set[int] = set()
        self._late_again = 0.0  # by a clock that is never set

    def __enter__(self) -> Self:
        logging.getLogger().addHandler(self._handler)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for match in sorted(self._playing):
            self._warn("match_aborted", match=match, cause="the arena was stopped")
        if isinstance(error, DatabaseError):
            self._tell(logging.ERROR, "database_failed", cause=str(error))
        if isinstance(error, Exception):
            self._tell(logging.ERROR, "arena_stopped", cause=f"{type(error).__name__}: {error}")
        else:
            self._inform("arena_stopped", cause="a signal" if error else "the end")
        logging.getLogger().removeHandler(self._handler)
        self._handler.close()

    def begun(self, url: str, database: str) -> None:
        """Log that the arena listens."""
        self._inform("arena_started", url=url, database=database)

    def joined(self, name: str, address: str) -> None:
        """Log it."""
        self._inform("bot_joined", bot=name, address=address)

    def left(self, name: str) -> None:
        """Log it."""
        self._inform("bot_left", bot=name)

    def refused(self, code: str, address: str) -> None:
        """Log it."""
        self._warn("bot_refused", code=code, address=address)

    def started(self, match: int, pairing: Pairing) -> None:
        """Log it."""
        self._playing.add(match)
        self._inform(
            "match_started",
            match=match,
            bots=pairing.players,
            game=pairing.game,
            setup=dict(pairing.setup),
        )

    def moved(self, match: int, move: PlayedMove) -> None:
        """Log only that the arena was late."""
        self._judge(match, move)

    def finished(self, record: MatchRecord) -> None:
        """Log it, with how long it took in seconds."""
        self._playing.discard(record.id)
        if record.fault:
            self._judge(record.id, record.fault)
        if record.winner is None:
            self._warn("match_aborted", match=record.id, cause=record.result.reason)
            return
        self._inform(
            "match_finished",
            match=record.id,
            winner=record.winner,
            termination=record.result.termination,
            cause=record.result.reason,
            moves=len(record.moves),
            seconds=round(record.finished_at - record.started_at, 3),
        )

    def _judge(self, match: int, turn: PlayedMove | Fault) -> None:
        if turn.lag > LATE and time.monotonic() >= self._late_again:
            self._late_again = time.monotonic() + LATE_AGAIN
            self._warn("lag", match=match, ply=turn.ply, lag=round(turn.lag, 3))

    def _inform(self, event: str, **facts: object) -> None:
        self._tell(logging.INFO, event, **facts)

    def _warn(self, event: str, **facts: object) -> None:
        self._tell(logging.WARNING, event, **facts)

    def _tell(self, level: int, event: str, **facts: object) -> None:
        self._logger.log(level, "%(event)s", {"event": event} | facts)
