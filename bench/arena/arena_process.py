"""The process of the arena that bench/arena/load.py measures."""

import asyncio
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.app import AdmissionConfig, App, ArenaConfig
from arena.model.observer import Observer
from arena.model.results import MatchRecord
from arena.model.time_control import TimeControl
from arena.runner.organiser import play_schedule
from arena.server.server import Arena
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from bench.arena.simulated_bots import GAME, STONES


class Load(NamedTuple):
    """What the arena is to do: so many matches at once, and in all, if not without end."""

    bots: int
    concurrency: int
    time: str
    matches: int | None = None
    stones: int = STONES


class Told(NamedTuple):
    """What the arena tells of itself: memory in KiB after a tenth of the matches and at the end."""

    tenth: int
    last: int


def memory() -> int:
    """What this process has in memory now, in KiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


class Counting(Observer):
    """Counts the matches, and measures the memory on the way."""

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
    """The process of the arena.

    It sends its port, waits to be told to begin, and sends what it has to tell after the last
    match or when it is told to end.
    """
    asyncio.run(_serve(pipe, db, load))


async def _serve(pipe: Connection, db: Path, load: Load) -> None:
    over = asyncio.Event()
    counting = Counting(load.matches, over.set)
    config = ArenaConfig(
        games=(GAME,),
        time=TimeControl.parse(load.time),
        admission=AdmissionConfig(connections=2 * load.bots),
        has_page=True,
    )
    names = dict.fromkeys((f"bot {number}" for number in range(load.bots)), "")
    with DatabaseWriter(db) as store:
        async with App(config, store, observers=[counting]) as app:
            pipe.send(urlsplit(app.url).port)
            await asyncio.to_thread(pipe.recv)
            playing = asyncio.create_task(_play(app.server, names, load, counting))
            loop = asyncio.get_running_loop()
            loop.add_reader(pipe.fileno(), over.set)
            await over.wait()
            loop.remove_reader(pipe.fileno())
            pipe.send(Told(counting.tenth, memory()))
            playing.cancel()
            await asyncio.wait([playing])


async def _play(arena: Arena, names: dict[str, str], load: Load, observer: Observer) -> None:
    if load.concurrency:
        plan = Plan(GAME, names, ({"stones": load.stones},), load.time, 1, rounds=10**6)
        await play_schedule(arena, Schedule(plan, []), load.concurrency, observer)
