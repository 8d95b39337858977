"""Driver of a run: it alone stores the records of the workers, and announces them."""

import asyncio
import gc
import time
from collections import deque

from arena.bulk.batch import Executor, LostBatch, PlayedBatch
from arena.bulk.workload import Workload
from arena.model.observer import Observer, WorkersStatus
from arena.model.played_matches import PlayedMatches
from arena.model.results import MatchRecord
from arena.storage.writer import DatabaseWriter
from arena.tournament.schedule import Schedule

STATUS_SECONDS = 0.25  # between two reports
COLLECT_AFTER = 50_000  # allocations: batches have no cycles to collect
RATE_REPORTS = 20  # over which matches per second are counted

Stored = asyncio.Future[PlayedMatches]
Event = PlayedBatch | LostBatch | Stored | Exception | None
"""An outcome, stored matches, a failure of the executor, or None: it is time for a report."""


class Driver:
    """A run of a schedule on workers."""

    def __init__(
        self,
        schedule: Schedule,
        executor: Executor,
        writer: DatabaseWriter,
        observer: Observer,
        time_control: str,
    ) -> None:
        """Prepare a run.

        Args:
            schedule: The schedule; it may have finished matches.
            executor: The workers, which are started by then.
            writer: The database.
            observer: Receives the events of matches, once these are stored.
            time_control: The time control of the matches, as text.
        """
        self._schedule = schedule
        self._executor = executor
        self._writer = writer
        self._observer = observer
        self._workload = Workload(schedule, time_control)
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._stored_matches = 0
        self._reports: deque[tuple[float, int]] = deque(maxlen=RATE_REPORTS)

    @property
    def overplay(self) -> int:
        """The number of finished matches that the decided sequential test does not count."""
        return self._workload.overplay

    async def play(self) -> list[MatchRecord]:
        """Play all pairings of the schedule.

        After a cancellation, all batches that have been received are stored.

        Returns:
            The last attempts at pairings that could not be played.

        Raises:
            DatabaseError: A match could not be stored.
            WorkersFailed: The workers cannot play.
            Exception: Any exception of the observer.
        """
        former = gc.get_threshold()
        gc.set_threshold(COLLECT_AFTER)
        tasks = [asyncio.create_task(self._receive()), asyncio.create_task(self._report_often())]
        try:
            while self._submit():
                self._handle(await self._events.get())
            self._report()
            return self._workload.unplayed
        finally:
            gc.set_threshold(*former)
            for task in tasks:
                task.cancel()
            self._store_the_rest()

    async def _receive(self) -> None:
        try:
            while True:
                self._events.put_nowait(await self._executor.next_outcome())
        except Exception as error:
            self._events.put_nowait(error)

    async def _report_often(self) -> None:
        while True:
            self._events.put_nowait(None)
            await asyncio.sleep(STATUS_SECONDS)

    def _submit(self) -> bool:
        """Fill the window of batches; return whether any batch is in flight."""
        if self._schedule.is_decided:
            for number in self._workload.discard():
                self._executor.discard(number)
        batches, pairings = self._workload.next_batches(max(1, self._executor.workers()))
        for pairing in pairings:
            self._observer.scheduled(pairing)
        for batch in batches:
            self._executor.submit(batch)
        return self._workload.in_flight > 0

    def _handle(self, event: Event) -> None:
        match event:
            case PlayedBatch() if event.number in self._workload.batches:
                self._store(self._workload.add_played(event))
            case LostBatch() if event.number in self._workload.batches:
                if attempts := self._workload.add_lost(event, time.time()):
                    self._store(attempts)
            case asyncio.Future():
                self._announce(event.result())
            case Exception():
                raise event
            case None:
                self._report()

    def _store(self, matches: PlayedMatches) -> None:
        stored: Stored = asyncio.wrap_future(self._writer.add_matches(matches))
        stored.add_done_callback(self._add_stored)

    def _add_stored(self, stored: Stored) -> None:
        stored.exception()  # else asyncio would print it
        self._events.put_nowait(stored)

    def _store_the_rest(self) -> None:
        """Store the batches that have been received, for the next run. Raises DatabaseError."""
        while not self._events.empty():
            event = self._events.get_nowait()
            if isinstance(event, PlayedBatch) and event.number in self._workload.batches:
                self._writer.add_matches(event.matches).result()

    def _announce(self, stored: PlayedMatches) -> None:
        self._observer.played(stored)
        self._stored_matches += len(stored)
        self._workload.add_stored(stored)

    def _report(self) -> None:
        now = asyncio.get_running_loop().time()
        since, before = self._reports[0] if self._reports else (now, 0)
        self._reports.append((now, self._stored_matches))
        rate = (self._stored_matches - before) / (now - since) if now > since else 0.0
        status = WorkersStatus(
            self._executor.workers(),
            rate,
            self._workload.in_flight,
            self._workload.batches_lost,
            self._workload.matches_replayed,
        )
        self._observer.computing(status)
