"""Local pool of processes that play batches."""

import asyncio
import queue
import threading
from typing import Self

from arena.bulk.batch import Batch, LostBatch, PlayedBatch, WorkersFailed, decode_records
from arena.bulk.job import Job
from arena.bulk.match_process import MatchProcess

Outcome = PlayedBatch | LostBatch


class ProcessPool:
    """Executor of processes on this machine, each with a thread that waits for it."""

    def __init__(self, job: Job, size: int) -> None:
        """Start nothing yet.

        Args:
            job: The job of the workers.
            size: The number of processes.
        """
        self._job = job
        self._processes = [MatchProcess(job) for _ in range(size)]
        self._threads = [
            threading.Thread(target=self._work, args=[process], name=f"worker {number}")
            for number, process in enumerate(self._processes, 1)
        ]
        self._waiting: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._outcomes: asyncio.Queue[Outcome | Exception] = asyncio.Queue()
        self._discarded: set[int] = set()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError as error:
            await self.__aexit__()
            size = len(self._processes)
            raise WorkersFailed(f"cannot start {size} workers: {error}") from None
        return self

    async def __aexit__(self, *_: object) -> None:
        threads = [thread for thread in self._threads if thread.ident]  # that have started
        for _thread in threads:
            self._waiting.put(None)
        closing = [asyncio.to_thread(process.close) for process in self._processes]
        joining = [asyncio.to_thread(thread.join) for thread in threads]
        await asyncio.gather(*closing, *joining)

    def workers(self) -> int:
        """Return the number of processes."""
        return len(self._processes)

    def submit(self, batch: Batch) -> None:
        """Queue a batch."""
        self._waiting.put(batch)

    def discard(self, number: int) -> None:
        """Drop a batch; its outcome is no longer needed."""
        self._discarded.add(number)

    async def next_outcome(self) -> Outcome:
        """Wait for the outcome of a batch."""
        outcome = await self._outcomes.get()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def _work(self, process: MatchProcess) -> None:
        """Let a process play until the end of the pool; runs in its thread."""
        while batch := self._waiting.get():
            if batch.number in self._discarded:
                continue
            try:
                outcome: Outcome | Exception = self._play(process, batch)
            except Exception as error:
                outcome = error
            self._loop.call_soon_threadsafe(self._finish, batch.number, outcome)

    def _play(self, process: MatchProcess, batch: Batch) -> Outcome:
        played = process.play(batch)
        if isinstance(played, LostBatch):
            return played
        try:
            return decode_records(batch, self._job.time, played)
        except ValueError as error:
            process.reset()
            return LostBatch(batch.number, f"a bot has damaged its results: {error}", None)

    def _finish(self, number: int, outcome: Outcome | Exception) -> None:
        if number not in self._discarded:
            self._outcomes.put_nowait(outcome)
