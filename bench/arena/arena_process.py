"""The arena under load, in a separate process (see bench/arena/load.py)."""

import asyncio
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.app import Arena
from arena.configuration import AdmissionConfig, ArenaConfig
from arena.model.observer import Observer
from arena.model.results import MatchRecord
from arena.model.time_control import TimeControl
from arena.runner.organiser import play_schedule
from arena.server.server import Server
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from bench.arena.simulated_bots import GAME, STONES


class Load(NamedTuple):
    """The load of an arena: `concurrency` matches at once, and `matches` in all (None: endless)."""

    bots: int
    concurrency: int
    time: str
    matches: int | None = None
    stones: int = STONES


class MemoryReport(NamedTuple):
    """The arena's memory in KiB after a tenth of the matches and at the end."""

    tenth: int
    last: int


def memory() -> int:
    """Return the resident memory of this process, in KiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


class MatchCounter(Observer):
    """Observer that counts the matches and measures the memory after a tenth of them."""

    def __init__(self, matches: int | None, over: Callable[[], None]) -> None:
        self._matches = matches
        self._over = over
        self._count = 0
        self.tenth = 0

    def finished(self, record: MatchRecord) -> None:  # noqa: ARG002
        """Call `over` after the last one."""
        self._count += 1
        if self._matches and self._count == self._matches // 10:
            self.tenth = memory()
        if self._count == self._matches:
            self._over()


def run(pipe: Connection, db: Path, load: Load) -> None:
    """Run the arena in this process.

    It sends its port, begins to play after a message, and sends a MemoryReport after the last match
    or after a second message.
    """
    asyncio.run(_serve(pipe, db, load))


async def _serve(pipe: Connection, db: Path, load: Load) -> None:
    over = asyncio.Event()
    counter = MatchCounter(load.matches, over.set)
    config = ArenaConfig(
        games=(GAME,),
        time=TimeControl.parse(load.time),
        admission=AdmissionConfig(connections=2 * load.bots),
        has_page=True,
    )
    names = dict.fromkeys((f"bot {number}" for number in range(load.bots)), "")
    with DatabaseWriter(db) as writer:
        async with Arena(config, writer, observers=[counter]) as arena:
            pipe.send(urlsplit(arena.url).port)
            await asyncio.to_thread(pipe.recv)
            playing = asyncio.create_task(_play(arena.server, names, load, counter))
            loop = asyncio.get_running_loop()
            loop.add_reader(pipe.fileno(), over.set)
            await over.wait()
            loop.remove_reader(pipe.fileno())
            pipe.send(MemoryReport(counter.tenth, memory()))
            playing.cancel()
            await asyncio.wait([playing])


async def _play(server: Server, names: dict[str, str], load: Load, observer: Observer) -> None:
    if load.concurrency:
        plan = Plan(GAME, names, ({"stones": load.stones},), load.time, 1, rounds=10**6)
        await play_schedule(server, Schedule(plan, []), load.concurrency, observer)
