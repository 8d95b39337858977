"""Machine-readable log: one JSON object per line for each event and each problem.

docs/guide/operate-an-arena.md lists the events and their fields.
"""

import json
import logging
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from arena.line_file import LineFile
from arena.model.observer import Observer
from arena.model.results import Fault, MatchRecord, Pairing, PlayedMove
from arena.storage.schema import DatabaseError

LOGGER_NAME = "arena"
LAG_THRESHOLD = 0.1  # seconds of lag from which on an event is logged
LAG_INTERVAL = 1.0  # seconds between two lag events: one stall delays a turn of every match
REFUSAL_INTERVAL = 1.0  # seconds between two lines about refusals with one code
REPEAT_INTERVAL = 1.0  # seconds for which the same message of other code is not logged again


class JsonFormatter(logging.Formatter):
    """Formatter of JSON lines; records of other code become events named "message"."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": "message",
        }
        if record.name == LOGGER_NAME and isinstance(record.args, dict):
            return json.dumps(line | record.args)
        line |= {"logger": record.name, "text": record.getMessage()}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)


class RepeatFilter(logging.Filter):
    """Filter of repeated messages of other code.

    Without free file descriptors asyncio (of Python 3.11) logs up to a hundred times a second.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last_text = ""
        self._last_time = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record."""
        if record.name == LOGGER_NAME:
            return True
        text = record.getMessage()
        is_repeated = (
            text == self._last_text and 0 <= record.created - self._last_time < REPEAT_INTERVAL
        )
        if not is_repeated:
            self._last_text, self._last_time = text, record.created
        return not is_repeated


class LogFile(logging.Handler):
    """Log file that is opened again when logrotate has moved it away.

    A write error is reported once on standard error; the arena goes on without a log.
    """

    def __init__(self, path: str) -> None:
        """Open the file. Raises OSError."""
        self._file = LineFile(path)  # before the library knows this, and closes it at the end
        super().__init__()
        self._has_reported_error = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        try:
            self._file.reopen_if_moved()
            self._file.append(f"{self.format(record)}\n".encode())
        except OSError:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 (the library's)
        """Report the first error on standard error."""
        if not self._has_reported_error:
            self._has_reported_error = True
            print(f"arena: cannot write the log: {sys.exc_info()[1]}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


@dataclass
class Refusals:
    """Refused connections with one code that are still to be logged.

    `address` is the latest client's, `next_line_at` a time of the monotonic clock.
    """

    count: int = 0
    address: str = ""
    next_line_at: float = 0.0


class JsonLog(Observer):
    """Log of events to a file or to standard error, from `with` to its end.

    Warnings and errors of other code in this process are logged too.
    """

    def __init__(self, path: str) -> None:
        """Open a log.

        Args:
            path: Path of the file to append lines to; "-" is standard error.

        Raises:
            OSError: The file cannot be opened.
        """
        self._handler: logging.Handler = logging.StreamHandler() if path == "-" else LogFile(path)
        self._handler.setFormatter(JsonFormatter())
        self._handler.addFilter(RepeatFilter())
        self._logger = logging.Logger(LOGGER_NAME)
        self._logger.addHandler(self._handler)
        self._running: set[int] = set()
        self._next_lag_event = 0.0  # on the monotonic clock
        self._refusals: dict[str, Refusals] = {}  # by code

    def __enter__(self) -> Self:
        logging.getLogger().addHandler(self._handler)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for code, refusals in self._refusals.items():
            if refusals.count:
                self._log_refusals(code, refusals)
        for match in sorted(self._running):
            self._warning("match_aborted", match=match, cause="the arena was stopped")
        if isinstance(error, DatabaseError):
            self._log(logging.ERROR, "database_failed", cause=str(error))
        if isinstance(error, Exception):
            self._log(logging.ERROR, "arena_stopped", cause=f"{type(error).__name__}: {error}")
        else:
            self._info("arena_stopped", cause="a signal" if error else "the end")
        logging.getLogger().removeHandler(self._handler)
        self._handler.close()

    def log_start(self, url: str, database: str) -> None:
        """Log that the arena listens at a URL."""
        self._info("arena_started", url=url, database=database)

    def joined(self, name: str, address: str) -> None:
        """Log a connection."""
        self._info("bot_joined", bot=name, address=address)

    def left(self, name: str) -> None:
        """Log a disconnection."""
        self._info("bot_left", bot=name)

    def refused(self, code: str, address: str) -> None:
        """Log a refused connection, or count it for the next line about its code."""
        refusals = self._refusals.setdefault(code, Refusals())
        refusals.count += 1
        refusals.address = address
        if time.monotonic() >= refusals.next_line_at:
            self._log_refusals(code, refusals)

    def degraded(self, part: str, cause: str) -> None:
        """Log a part that does not work."""
        self._log(logging.ERROR, "degraded", part=part, cause=cause)

    def recovered(self, part: str) -> None:
        """Log a part that works again."""
        self._info("recovered", part=part)

    def started(self, match: int, pairing: Pairing) -> None:
        """Log the start of a match."""
        self._running.add(match)
        self._info(
            "match_started",
            match=match,
            bots=pairing.players,
            game=pairing.game,
            setup=dict(pairing.setup),
        )

    def moved(self, match: int, move: PlayedMove) -> None:
        """Log the lag of the arena during a turn, if it was large."""
        self._log_lag(match, move)

    def finished(self, record: MatchRecord) -> None:
        """Log the end of a match, with its duration in seconds."""
        self._running.discard(record.id)
        if record.fault:
            self._log_lag(record.id, record.fault)
        if record.result.is_aborted:
            self._warning("match_aborted", match=record.id, cause=record.result.reason)
            return
        self._info(
            "match_finished",
            match=record.id,
            winner=record.winner,
            termination=record.result.termination,
            cause=record.result.reason,
            moves=len(record.moves),
            seconds=round(record.finished_at - record.started_at, 3),
        )

    def _log_refusals(self, code: str, refusals: Refusals) -> None:
        """Log the refusals that no line has counted yet."""
        facts = {"code": code, "address": refusals.address, "count": refusals.count}
        self._warning("bot_refused", **facts)
        refusals.count = 0
        refusals.next_line_at = time.monotonic() + REFUSAL_INTERVAL

    def _log_lag(self, match: int, turn: PlayedMove | Fault) -> None:
        if turn.lag > LAG_THRESHOLD and time.monotonic() >= self._next_lag_event:
            self._next_lag_event = time.monotonic() + LAG_INTERVAL
            self._warning("lag", match=match, ply=turn.ply, lag=round(turn.lag, 3))

    def _info(self, event: str, **facts: object) -> None:
        self._log(logging.INFO, event, **facts)

    def _warning(self, event: str, **facts: object) -> None:
        self._log(logging.WARNING, event, **facts)

    def _log(self, level: int, event: str, **facts: object) -> None:
        self._logger.log(level, "%(event)s", {"event": event} | facts)
