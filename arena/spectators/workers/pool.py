"""Processes that work for spectators."""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from arena.protocol.spectator import Analyse
from arena.spectators.queries import Analyses, Queries, Question
from arena.spectators.workers.process import WorkerProcess
from arena.spectators.workers.questions import Questions

NICENESS = 10  # of the thread for leaderboards, added to that of the process

T = TypeVar("T")


class Workers:
    """Two processes: one for the database, the solver and positions, one for analyses.

    With a process of their own, long analyses delay neither the winners nor the positions of a
    match. The questions for each process wait in a queue of their own. The leaderboards are
    computed in a thread.

    Attributes:
        database: The process of `Queries`.
        analysis: The process of `Analyses`.
    """

    def __init__(self, path: Path) -> None:
        """Start nothing yet; `path` is that of the database."""
        self.database = WorkerProcess(partial(Queries, path))
        self.analysis = WorkerProcess(Analyses)
        self._database_questions = Questions(partial(self.database.call, "answer"))
        self._analysis_questions = Questions(partial(self.analysis.call, "answer"))
        self._leaderboards = _low_priority_thread("spectators-leaderboards")

    async def ask(self, address: str, question: Question) -> str:
        """Return the frame that answers a question, when it is the turn of the asker's address.

        Raises:
            RequestError: There is no answer, too many questions wait, or the arena closes.
        """
        is_analysis = isinstance(question, Analyse)
        questions = self._analysis_questions if is_analysis else self._database_questions
        return await questions.ask(address, question)

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Call a function in the thread for the leaderboards."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._leaderboards, partial(function, *arguments))

    async def close(self, last: Callable[[], None]) -> None:
        """End the processes, and the thread after it has called `last`."""
        await asyncio.gather(self.database.close(), self.analysis.close())
        self._leaderboards.submit(last)
        self._leaderboards.shutdown()


def _low_priority_thread(name: str) -> ThreadPoolExecutor:
    """Return an executor with one thread, which starts with the first function."""

    def lower_priority() -> None:
        # On Linux a priority belongs to a thread, not to a process.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

    return ThreadPoolExecutor(1, name, lower_priority)
