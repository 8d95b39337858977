"""Use of a cluster's workers over one connection, until that is lost."""

import asyncio
import logging
import pickle
from collections.abc import Callable
from contextlib import suppress
from uuid import uuid4

from distributed import Future

from arena.bulk.batch import Batch, LostBatch, PlayedBatch
from arena.bulk.cluster import worker
from arena.bulk.cluster.admission import Admission, Refused
from arena.bulk.cluster.connection import Connection, ConnectionLost, TaskFailed
from arena.bulk.cluster.fleet import Fleet
from arena.bulk.executor import WorkersFailed
from arena.bulk.records import decode_records

LOGGER = logging.getLogger("arena.cluster")
POLL = 0.5  # seconds between two looks at the connected workers
RENEWAL = worker.LEASE / 4  # seconds between two renewals of the workers' leases
CLOSE_SECONDS = 5.0  # for the workers to end a run
PATIENCE = 600.0  # seconds without a worker after which a run fails

Report = Callable[[PlayedBatch | LostBatch], None]


class Session:
    """Workers that join and leave, and the tasks that play the batches of a fleet.

    Attributes:
        has_work: Set when the fleet has received a batch.
    """

    def __init__(
        self,
        connection: Connection,
        admission: Admission,
        fleet: Fleet,
        report: Report,
        notify: Callable[[], None],
    ) -> None:
        """Start nothing yet.

        Args:
            connection: The connection.
            admission: What workers receive.
            fleet: The batches to play; it has no workers.
            report: Receives the outcomes.
            notify: Called after a worker has been admitted or refused.
        """
        self.has_work = asyncio.Event()
        self._connection = connection
        self._admission = admission
        self._fleet = fleet
        self._report = report
        self._notify = notify
        self._group = asyncio.TaskGroup()
        self._admitting: set[str] = set()
        self._refused: dict[str, str] = {}  # reason by address
        self._collecting: dict[int, asyncio.Task[None]] = {}
        self._failure = ""  # of the last worker that did not answer

    @property
    def refusal(self) -> str | None:
        """Why a worker is refused, if there are only such workers."""
        if self._fleet.threads or self._admitting:
            return None
        return next(iter(self._refused.values()), None)

    async def run(self) -> None:
        """Use the workers until the connection is lost, which closes it, or until cancelled.

        Raises:
            ConnectionLost: The scheduler is lost. The batches in the fleet have no outcome.
            WorkersFailed: The scheduler has other versions, or there has been no worker for long.
        """
        try:
            async with self._group:
                await self._check_scheduler()
                self._group.create_task(self._assign_batches())
                self._group.create_task(self._renew_leases())
                await self._follow_workers()
        except BaseExceptionGroup as errors:
            await self._connection.close()
            raise errors.exceptions[0] from None

    async def close(self) -> None:
        """End the run in its workers, and close the connection."""
        run = self._admission.run
        calls = (
            self._connection.run(address, worker.close_run, run)
            for address in self._fleet.addresses
        )
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await asyncio.gather(*calls, return_exceptions=True)
        await self._connection.close()

    def discard(self, number: int) -> None:
        """Drop a batch."""
        if self._fleet.remove_batch(number) and number in self._collecting:
            self._collecting.pop(number).cancel()
            self.has_work.set()  # its worker is free for another one

    async def _check_scheduler(self) -> None:
        try:
            await self._admission.check_scheduler(self._connection)
        except Refused as error:
            raise WorkersFailed(str(error)) from None

    async def _follow_workers(self) -> None:
        """Admit workers that join, and report the batches of workers that leave."""
        clock = asyncio.get_running_loop().time
        last_worker = clock()
        while True:
            threads = await self._connection.workers()
            for address in self._fleet.addresses - threads.keys():
                has_died = not await self._connection.has_been_stopped(address)
                self._lose_worker(address, f"worker {address} has left", has_died)
            self._admit_new_workers(threads)
            if self._fleet.threads:
                last_worker = clock()
            elif clock() - last_worker > PATIENCE:
                text = f"no worker has connected in {PATIENCE:g} s{self._failure}"
                raise WorkersFailed(self.refusal or text)
            await asyncio.sleep(POLL)

    def _admit_new_workers(self, threads: dict[str, int]) -> None:
        for address in self._refused.keys() - threads.keys():
            del self._refused[address]
        known = self._fleet.addresses | self._admitting | self._refused.keys()
        for address in threads.keys() - known:
            self._admitting.add(address)
            self._group.create_task(self._admit(address, threads[address]))

    async def _admit(self, address: str, threads: int) -> None:
        """Admit a worker; `_follow_workers` tries one again that does not answer."""
        try:
            await self._admission.admit(self._connection, address)
        except ConnectionLost as error:
            self._failure = f"; {address} could not be admitted: {error}"
        except Refused as error:
            self._refused[address] = str(error)
            LOGGER.warning("%s", error)
        else:
            self._fleet.add_worker(address, threads)
            self.has_work.set()
        self._admitting.remove(address)
        self._notify()

    async def _renew_leases(self) -> None:
        while True:
            for address in self._fleet.addresses:
                self._group.create_task(self._renew_lease(address))
            await asyncio.sleep(RENEWAL)

    async def _renew_lease(self, address: str) -> None:
        with suppress(ConnectionLost, TaskFailed):  # `_follow_workers` notices either
            await self._connection.run(address, worker.renew_run, self._admission.run)

    async def _assign_batches(self) -> None:
        while True:
            for address, batch in self._fleet.assign():
                # No session may name a task again: the scheduler, which need not know yet that a
                # connection was lost, would answer with the batch of the earlier one.
                key = f"arena_batch-{uuid4().hex}"
                task = self._submit(address, key, batch)
                self._collecting[batch.number] = self._group.create_task(
                    self._collect(address, batch, task)
                )
            await self.has_work.wait()
            self.has_work.clear()

    def _submit(self, address: str, key: str, batch: Batch) -> Future:
        data = pickle.dumps(batch)
        return self._connection.submit(address, key, worker.play, self._admission.run, data)

    async def _collect(self, address: str, batch: Batch, task: Future) -> None:
        """Report the outcome of a batch, unless the connection is lost before."""
        try:
            result = await self._connection.result(task)
        except TaskFailed as error:  # also if the worker's process has been replaced
            self._lose_worker(address, f"worker {address} has failed: {error}", has_died=True)
            return
        del self._collecting[batch.number]
        self._fleet.remove_batch(batch.number)
        self.has_work.set()
        self._report(result if isinstance(result, LostBatch) else self._decode(batch, result))

    def _decode(self, batch: Batch, data: bytes) -> PlayedBatch | LostBatch:
        try:
            return decode_records(batch, self._admission.job.time, data)
        except ValueError as error:
            return LostBatch(batch.number, f"its records cannot be read: {error}", None)

    def _lose_worker(self, address: str, cause: str, has_died: bool) -> None:
        """Report the batches of a worker as lost; its death counts against their matches."""
        for loss in self._fleet.remove_worker(address):
            self._collecting.pop(loss.number).cancel()
            self._report(loss.outcome(cause, has_died))
        self.has_work.set()
