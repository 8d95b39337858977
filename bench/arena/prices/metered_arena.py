"""An arena that meters clients without limits, to compare their prices with their work."""

import threading
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from unittest.mock import patch

from arena.app import Arena
from arena.configuration import ArenaConfig
from arena.model.results import MatchRecord, MatchResult, Pairing, Termination
from arena.model.time_control import TimeControl
from arena.network import connection, listener
from arena.network.budget import Budget
from arena.storage.writer import DatabaseWriter, create_database
from core import GAMES

UNLIMITED = 1_000_000  # units that a connection has at any time
QUIET = 0.004  # seconds without work, after which a message counts as processed
NOTHING = 20e-6  # seconds of processor time that are no work
IDLE_SECONDS = 3.0  # in which the arena's own work is measured


class MeteredBudget(Budget):
    """A budget that lasts for ever, and counts the units of all connections.

    Attributes:
        total: The units spent by all connections so far.
    """

    total = 0.0

    def available(self, now: float) -> float:  # noqa: ARG002
        """Return the same number of units at any time."""
        return UNLIMITED

    def spend(self, units: float) -> None:
        """Count units."""
        MeteredBudget.total += units

    def try_spend(self, now: float) -> bool:  # noqa: ARG002
        """Count a unit; return that there was one."""
        MeteredBudget.total += 1
        return True


class Meter:
    """The work of the event loop for clients, and the price that they pay, from another thread.

    What an arena without clients does in the same time is not counted: an answer may take seconds.
    """

    def __init__(self) -> None:
        """Measure the arena without clients, for some seconds."""
        thread = threading.main_thread().ident
        assert thread
        self._clock = time.pthread_getcpuclockid(thread)
        self._begun = time.monotonic()
        self._idle_share = 0.0
        idle = self.seconds()
        time.sleep(IDLE_SECONDS)
        self._idle_share = (self.seconds() - idle) / (time.monotonic() - self._begun)

    def seconds(self) -> float:
        """Return the processor time for clients so far, when the event loop has nothing to do."""
        own = self._idle_share * (time.monotonic() - self._begun)
        return self._settled() - own

    def _settled(self) -> float:
        last = time.clock_gettime(self._clock)
        while True:
            time.sleep(QUIET)
            now = time.clock_gettime(self._clock)
            if now - last < NOTHING:
                return now
            last = now

    def units(self) -> float:
        """Return the units paid so far."""
        return MeteredBudget.total


@asynccontextmanager
async def metered_arena(folder: Path) -> AsyncIterator[int]:
    """Run an open arena with one stored match, in the main thread; yield its port."""
    path = folder / "arena.db"
    with create_database(path) as database:
        pairing = Pairing(None, ("ann", "bob"), "take_stones", {"stones": 20}, ())
        result = MatchResult(Termination.RESIGNATION, 1, "resigned")
        database.add(MatchRecord(1, pairing, "5", 1.0, 2.0, result, ()))
    config = ArenaConfig(tuple(GAMES), TimeControl.parse("5"), has_page=True, house_bots={})
    without_limits = (
        patch.object(connection, "Budget", MeteredBudget),
        patch.object(listener, "Budget", MeteredBudget),
        patch.object(listener, "BURST", UNLIMITED),
    )
    with ExitStack() as stack:
        for each in without_limits:
            stack.enter_context(each)
        writer = stack.enter_context(DatabaseWriter(path))
        async with Arena(config, writer) as arena:
            yield int(arena.url.rpartition(":")[2].partition("/")[0])
