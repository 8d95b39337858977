"""Low-priority threads and background tasks that work for spectators."""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from arena.protocol.errors import RequestError
from arena.protocol.spectator import Analyse, Analysis
from arena.spectators.queries import Queries, analyse_position

MAX_ANALYSES = 20  # requested and not answered yet
NICENESS = 10  # added to that of the process

T = TypeVar("T")


class Workers:
    """Two threads: one for the database, the solver and positions, one for analyses.

    With a thread of their own, long analyses delay neither the winners nor the positions of a
    match.
    """

    def __init__(self, queries: Queries) -> None:
        self._queries = queries
        self._database = _low_priority_thread("spectators-database")
        self._analysis = _low_priority_thread("spectators-analysis")
        self._analyses: set[asyncio.Future[Analysis]] = set()

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Call a function in the thread for the database, after those submitted before."""
        return await _run_in(self._database, function, *arguments)

    def submit(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function as `run` does, without waiting for it."""
        self._database.submit(function, *arguments)

    async def analyse(self, request: Analyse) -> Analysis:
        """Analyse a position.

        Raises:
            RequestError: If the position is invalid, too many analyses wait, or the arena closes.
        """
        if len(self._analyses) >= MAX_ANALYSES:
            raise RequestError("busy", "too many analyses are waiting, retry later")
        analysis = asyncio.ensure_future(_run_in(self._analysis, analyse_position, request))
        self._analyses.add(analysis)
        try:
            return await analysis
        except asyncio.CancelledError:
            raise RequestError("closing", "the arena is closing") from None
        finally:
            self._analyses.discard(analysis)

    def close(self) -> None:
        """Cancel the analyses, and close the database after the functions that wait for it."""
        for analysis in [*self._analyses]:
            analysis.cancel()
        self._analysis.shutdown(wait=False, cancel_futures=True)  # a search ends by itself
        self._database.submit(self._queries.close)
        self._database.shutdown()


class BackgroundTasks:
    """Tasks that run until they are done or all are cancelled."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[object, None, None]) -> None:
        """Run a coroutine as a task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def cancel(self) -> None:
        """Cancel all tasks and wait for their end."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _low_priority_thread(name: str) -> ThreadPoolExecutor:
    """Return an executor with one thread, which starts with the first function."""

    def lower_priority() -> None:
        # On Linux a priority belongs to a thread, not to a process.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

    return ThreadPoolExecutor(1, name, lower_priority)


async def _run_in(thread: ThreadPoolExecutor, function: Callable[..., T], *arguments: object) -> T:
    return await asyncio.get_running_loop().run_in_executor(thread, partial(function, *arguments))
