"""What the arena tells those who watch over it: /metrics for Prometheus, and /healthz.

docs/guide/operate-an-arena.md tells what each metric means.
"""

import asyncio
import json
import platform
from http import HTTPStatus
from importlib.metadata import entry_points
from types import TracebackType
from typing import Self

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from arena.model.observer import Observer
from arena.model.results import Fault, MatchRecord, Pairing, PlayedMove, Termination
from arena.server.http import Answer, Routes
from arena.server.loop_lag import Lag
from arena.storage.writer import DatabaseWriter

CHARGED = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # seconds
LAGS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)  # seconds
LAG_WINDOW = 60.0  # seconds back that the lag of the event loop is told: a scrape or more


class Metrics(Observer):
    """Counts what happens, from `async with` to its end; each has a registry of its own."""

    def __init__(self, store: DatabaseWriter) -> None:
        self._store = store
        self._lag = Lag()
        self._bots = 0
        self._matches = 0
        self.registry = CollectorRegistry()
        self._add_gauges()
        self._finished = Counter(
            "arena_matches_finished",
            "Matches that have ended, by how",
            ["termination"],
            registry=self.registry,
        )
        for termination in Termination:  # from 0 on, or a rate would miss the first
            self._finished.labels(termination)
        self._refused = Counter(
            "arena_refused", "Connections that were refused", ["code"], registry=self.registry
        )
        self._moves = Counter("arena_moves", "Moves that players made", registry=self.registry)
        self._charged = Histogram(
            "arena_turn_charged_seconds",
            "Time that a player was charged for a turn",
            buckets=CHARGED,
            registry=self.registry,
        )
        self._lags = Histogram(
            "arena_turn_lag_seconds",
            "Worst lag of the arena's event loop in a turn",
            buckets=LAGS,
            registry=self.registry,
        )

    def _add_gauges(self) -> None:
        for name, meaning, value in [
            ("arena_bots", "Bots that are connected", lambda: self._bots),
            ("arena_matches_playing", "Matches in progress", lambda: self._matches),
            ("arena_database_waiting", "Writes not yet on the disk", lambda: self._store.pending),
            ("arena_event_loop_lag_seconds", "Worst in the last minute", self._recent_lag),
        ]:
            Gauge(name, meaning, registry=self.registry).set_function(value)
        Info("arena_build", "What is running", registry=self.registry).info(
            {"version": _version(), "python": platform.python_version()}
        )
        ProcessCollector(registry=self.registry)

    async def __aenter__(self) -> Self:
        self._begun = asyncio.get_running_loop().time()
        self._lag.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lag.stop()

    def joined(self, name: str, address: str) -> None:  # noqa: ARG002 (told to all observers)
        """Count it."""
        self._bots += 1

    def left(self, name: str) -> None:  # noqa: ARG002
        """Count it."""
        self._bots -= 1

    def refused(self, code: str, address: str) -> None:  # noqa: ARG002
        """Count it."""
        self._refused.labels(code).inc()

    def started(self, match: int, pairing: Pairing) -> None:  # noqa: ARG002
        """Count it."""
        self._matches += 1

    def moved(self, match: int, move: PlayedMove) -> None:  # noqa: ARG002
        """Count it, and its times."""
        self._moves.inc()
        self._time(move)

    def finished(self, record: MatchRecord) -> None:
        """Count it, and the times of a turn that ended it."""
        self._matches -= 1
        self._finished.labels(record.result.termination).inc()
        if record.fault:
            self._time(record.fault)

    def _time(self, turn: PlayedMove | Fault) -> None:
        self._charged.observe(turn.charged)
        self._lags.observe(turn.lag)

    def _recent_lag(self) -> float:
        now = asyncio.get_running_loop().time()
        return self._lag.since(now - LAG_WINDOW, now)

    def routes(self) -> Routes:
        """Where all of this is told. In the event loop only."""
        return {"/metrics": self._tell_metrics, "/healthz": self._tell_health}

    def _tell_metrics(self) -> Answer:
        return Answer(generate_latest(self.registry), CONTENT_TYPE_LATEST)

    def _tell_health(self) -> Answer:
        """503 if the database could not be written: the arena is about to end, then."""
        is_well = not self._store.has_failed
        facts = {
            "status": "ok" if is_well else "failed",
            "uptime": round(asyncio.get_running_loop().time() - self._begun, 3),
            "bots": self._bots,
            "matches": self._matches,
            "database_writable": is_well,
        }
        status = HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE
        return Answer(json.dumps(facts).encode() + b"\n", "application/json", status)


def _version() -> str:
    """The version of the package that the command `arena` came with."""
    commands = entry_points(group="console_scripts", name="arena")
    found = [command.dist.version for command in commands if command.dist]
    return found[0] if found else "unknown"
