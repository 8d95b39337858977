"""Monitoring: /metrics for Prometheus, and /healthz.

docs/guide/operate-an-arena.md explains each metric.
"""

import asyncio
import json
import math
import platform
from bisect import bisect_left
from collections.abc import Iterator
from http import HTTPStatus
from itertools import accumulate
from typing import Self

from prometheus_client import CollectorRegistry, Counter, Gauge, Info, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from arena.model.observer import Observer
from arena.model.results import Fault, MatchRecord, Pairing, PlayedMove, Termination
from arena.model.version import installed_version
from arena.server.http import Content, Routes
from arena.server.loop_lag import LoopLag
from arena.storage.writer import DatabaseWriter

LAG_BUCKETS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)  # seconds
CHARGED_BUCKETS = (*LAG_BUCKETS, 10.0, 30.0, 100.0)  # seconds
PAGE_LIFETIME = 1.0  # seconds for which /metrics is not rendered again
LAG_WINDOW = 60.0  # seconds over which the worst lag is reported: at least one scrape interval


class _Registry(CollectorRegistry):
    """Registry without the series `..._created`, which the library can omit only everywhere."""

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        for metric in super().collect():
            metric.samples = [s for s in metric.samples if not s.name.endswith("_created")]
            yield metric


class _Histogram:
    """Distribution of times, without the locks that the library takes for each value."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count a time."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def family(self, name: str, meaning: str) -> HistogramMetricFamily:
        """Return the metric."""
        bounds = map(floatToGoString, (*self._bounds, math.inf))
        buckets = [*zip(bounds, accumulate(self._counts), strict=True)]
        return HistogramMetricFamily(name, meaning, buckets, self._sum)


class _Turns(Collector):
    """Metrics of turns: a hundred times as many as of all other events."""

    def __init__(self) -> None:
        self._moves = 0
        self._charged = _Histogram(CHARGED_BUCKETS)
        self._lags = _Histogram(LAG_BUCKETS)

    def add(self, turn: PlayedMove | Fault, moves: int) -> None:
        """Count a turn that ended with a number of moves, 1 or 0."""
        self._moves += moves
        self._charged.observe(turn.charged)
        self._lags.observe(turn.lag)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        yield CounterMetricFamily("arena_moves", "Moves that players made", self._moves)
        yield self._charged.family(
            "arena_turn_charged_seconds", "Time that a player was charged for a turn"
        )
        yield self._lags.family(
            "arena_turn_lag_seconds", "Worst lag of the arena's event loop in a turn"
        )


class Metrics(Observer):
    """Metrics of one arena, from `async with` to its end, in a registry of its own."""

    def __init__(self, writer: DatabaseWriter) -> None:
        self._writer = writer
        self._lag = LoopLag()
        self._bots = 0
        self._matches = 0
        self.registry = _Registry()
        self._page = Content(b"")
        self._page_expires_at = -math.inf
        self._add_gauges()
        self._finished = Counter(
            "arena_matches_finished",
            "Matches that have ended, by how",
            ["termination"],
            registry=self.registry,
        )
        for (
            termination
        ) in Termination:  # creates the labels at 0, or a rate would miss the first match
            self._finished.labels(termination)
        self._refused = Counter(
            "arena_refused", "Connections that were refused", ["code"], registry=self.registry
        )
        self._problems: dict[str, str] = {}  # causes by part
        self._degraded = Gauge(
            "arena_degraded",
            "Whether a part of the arena does not work",
            ["part"],
            registry=self.registry,
        )
        self._turns = _Turns()
        self.registry.register(self._turns)

    def _add_gauges(self) -> None:
        for name, meaning, value in [
            ("arena_bots", "Bots that are connected", lambda: self._bots),
            ("arena_matches_playing", "Matches in progress", lambda: self._matches),
            ("arena_database_waiting", "Writes not yet on the disk", lambda: self._writer.pending),
            ("arena_event_loop_lag_seconds", "Worst in the last minute", self._recent_lag),
        ]:
            Gauge(name, meaning, registry=self.registry).set_function(value)
        Info("arena_build", "What is running", registry=self.registry).info(
            {"version": installed_version(), "python": platform.python_version()}
        )
        ProcessCollector(registry=self.registry)

    async def __aenter__(self) -> Self:
        self._started_at = asyncio.get_running_loop().time()
        self._lag.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._lag.stop()

    def joined(self, name: str, address: str) -> None:  # noqa: ARG002
        """Count a connected player."""
        self._bots += 1

    def left(self, name: str) -> None:  # noqa: ARG002
        """Stop counting a connected player."""
        self._bots -= 1

    def refused(self, code: str, address: str) -> None:  # noqa: ARG002
        """Count a refused connection."""
        self._refused.labels(code).inc()

    def degraded(self, part: str, cause: str) -> None:
        """Report a part that does not work."""
        self._problems[part] = cause
        self._degraded.labels(part).set(1)

    def recovered(self, part: str) -> None:
        """Report a part that works again."""
        del self._problems[part]
        self._degraded.labels(part).set(0)

    def started(self, match: int, pairing: Pairing) -> None:  # noqa: ARG002
        """Count a running match."""
        self._matches += 1

    def moved(self, match: int, move: PlayedMove) -> None:  # noqa: ARG002
        """Count a move, and its times."""
        self._turns.add(move, 1)

    def finished(self, record: MatchRecord) -> None:
        """Count a finished match, and the times of the turn that ended it."""
        self._matches -= 1
        self._finished.labels(record.result.termination).inc()
        if record.fault:
            self._turns.add(record.fault, 0)

    def _recent_lag(self) -> float:
        now = asyncio.get_running_loop().time()
        return self._lag.worst_between(now - LAG_WINDOW, now)

    def routes(self) -> Routes:
        """Return the paths of this module, to be served in the event loop."""
        return {"/metrics": self._metrics, "/healthz": self._health}

    def _metrics(self) -> Content:
        now = asyncio.get_running_loop().time()
        if now >= self._page_expires_at:
            self._page = Content(generate_latest(self.registry), CONTENT_TYPE_LATEST)
            self._page_expires_at = now + PAGE_LIFETIME
        return self._page

    def _health(self) -> Content:
        """Return the health; 503 after a failed write to the database, which ends the arena.

        Other parts that do not work at the moment are named: the arena goes on without them.
        """
        is_healthy = not self._writer.has_failed
        facts = {
            "status": ("degraded" if self._problems else "ok") if is_healthy else "failed",
            "uptime": round(asyncio.get_running_loop().time() - self._started_at, 3),
            "bots": self._bots,
            "matches": self._matches,
            "database_writable": is_healthy,
            **({"problems": self._problems} if self._problems else {}),
        }
        status = HTTPStatus.OK if is_healthy else HTTPStatus.SERVICE_UNAVAILABLE
        return Content(json.dumps(facts).encode() + b"\n", "application/json", status)
