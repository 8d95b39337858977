"""Executor of batches on a Dask cluster.

A client of Dask connects again by itself, but has lost its tasks then. So each connection has a run
of its own in the workers, which ends with it.

The games of a run and the messages of its batches depend on versions. Dask reports them, and the
arena compares them: `Client.get_versions(check=True)` compares other packages, for all workers
together, and only warns.
"""

import asyncio
import logging
import pickle
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, suppress
from importlib.metadata import entry_points
from typing import Any, Self
from uuid import uuid4

from distributed import Future, KilledWorker
from distributed.versions import get_versions

from arena.bulk.batch import Batch, LostBatch, PlayedBatch, WorkersFailed, decode_records
from arena.bulk.cluster import worker
from arena.bulk.cluster.clusters import (
    CLOSE_SECONDS,
    Cluster,
    ConnectionLost,
    answer,
    close_client,
    connect_client,
    one_line,
)
from arena.bulk.cluster.tasks import Losses, Task, Tasks
from arena.bulk.job import Job
from arena.model.version import package_name
from core.registry import GROUP

# In addition to the arena itself and the games.
PACKAGES = ("cloudpickle", "distributed", "msgspec")
LOGGER = logging.getLogger("arena.cluster")
PATIENCE = 600.0  # seconds without a scheduler or without a worker after which a run fails
RECONNECT_SECONDS = 1.0  # between two attempts
POLL_SECONDS = 0.5  # between two looks at the workers, if no event tells that they have changed
CANCEL_SECONDS = 1.0  # after which a cancellation is repeated
RETRIES = 2  # of a batch that a worker could not begin


def required_packages() -> list[str]:
    """Return the packages that must have the same version everywhere, including games."""
    games = {entry.dist.name for entry in entry_points(group=GROUP) if entry.dist}
    return [package_name(), *PACKAGES, *sorted(games)]


def difference(there: Mapping[str, Any]) -> str | None:
    """Return the first difference between two processes in words, or None.

    Args:
        there: What `distributed.versions.get_versions` has returned in the other process, given the
            required packages.
    """
    here = get_versions(required_packages())["packages"]
    for name in ("python", *required_packages()):
        own, other = here[name] or "missing", there["packages"].get(name) or "missing"
        if own != other:
            return f"{name} is {other} there and {own} here"
    return None


class Refused(Exception):
    """A worker that cannot take part. The text is the reason, in one line."""


class ClusterExecutor:
    """Workers of a cluster that play batches, whatever happens to the connection."""

    def __init__(self, cluster: Cluster, job: Job, files: bytes | None = None) -> None:
        """Start nothing yet.

        Args:
            cluster: The cluster, in use from `async with` to its end.
            job: The job.
            files: The users' modules and programs, packed.
        """
        self._cluster = cluster
        self._cargo = job, files
        self._time = job.time
        self._tasks = Tasks()
        self._futures: dict[str, Future] = {}
        self._refusals: dict[str, str] = {}  # by address; empty if a worker is not refused (yet)
        self._failure = ""  # of the last worker that did not answer
        self._outcomes: dict[int, PlayedBatch | LostBatch] = {}
        self._news = asyncio.Event()  # an outcome, or a worker that was admitted or refused
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Connect, and wait for the first worker.

        Raises:
            WorkersFailed: There is no connection, or all workers are refused.
        """
        async with AsyncExitStack() as stack:
            self._endpoint = await stack.enter_async_context(self._cluster)
            try:
                self._client = await connect_client(*self._endpoint)
            except ConnectionLost as error:
                text = f"cannot connect to {self._endpoint[0]}: {error}"
                raise WorkersFailed(text) from None
            self._task = asyncio.create_task(self._keep_connected())
            stack.push_async_callback(self._stop)
            self._task.add_done_callback(lambda _: self._news.set())
            while not self._tasks.workers:
                if refusal := self._refusal:
                    raise WorkersFailed(refusal)
                await self._wait_for_news()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def workers(self) -> int:
        """Return the number of batches that the admitted workers play at a time."""
        return sum(self._tasks.workers.values())

    def submit(self, batch: Batch) -> None:
        """Queue a batch."""
        self._tasks.submit(batch)
        self._send()

    def discard(self, number: int) -> None:
        """Drop a batch; its worker may finish it."""
        self._outcomes.pop(number, None)
        if key := self._tasks.discard(number):
            self._futures.pop(key).release()
            self._send()

    async def next_outcome(self) -> PlayedBatch | LostBatch:
        """Wait for the outcome of a batch.

        Raises:
            WorkersFailed: There has been no scheduler or no worker for long.
        """
        while not self._outcomes:
            await self._wait_for_news()
        return self._outcomes.pop(next(iter(self._outcomes)))

    async def _wait_for_news(self) -> None:
        if self._task.done():
            self._task.result()
        await self._news.wait()
        self._news.clear()

    def _report(self, outcome: PlayedBatch | LostBatch) -> None:
        self._outcomes[outcome.number] = outcome
        self._news.set()

    @property
    def _refusal(self) -> str | None:
        """Why a worker is refused, if there are only such workers."""
        reasons = [*self._refusals.values()]
        return reasons[0] if reasons and all(reasons) else None

    async def _keep_connected(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            try:
                await self._play_run()
            except ConnectionLost as error:
                self._report_losses(self._tasks.clear(f"the scheduler was lost: {error}"))
            await close_client(self._client)
            give_up_at = clock() + PATIENCE
            while self._client.status != "running":
                try:
                    self._client = await connect_client(*self._endpoint)
                except ConnectionLost as error:
                    if clock() > give_up_at:
                        raise WorkersFailed(f"no scheduler for {PATIENCE:g} s: {error}") from None
                    await asyncio.sleep(RECONNECT_SECONDS)

    async def _play_run(self) -> None:
        """Play batches until the connection is lost.

        Raises:
            ConnectionLost: The scheduler is lost.
            WorkersFailed: The scheduler has other versions, or there has been no worker for long.
        """
        self._run = f"arena_run-{uuid4().hex}"
        self._refusals.clear()
        scheduler = self._client.scheduler
        if reason := difference(await answer(scheduler.versions(packages=required_packages()))):
            raise WorkersFailed(f"the scheduler is refused: {reason}")  # it unpickles tasks
        await answer(self._client.register_plugin(worker.RunWatch(self._run, self._client.id)))
        try:
            async with asyncio.TaskGroup() as self._group:
                try:
                    await self._follow_workers()
                finally:
                    self._tasks.workers.clear()  # nothing is sent any more
        except BaseExceptionGroup as errors:
            if self._client.status == "closed":  # Dask has given up; any use of it fails
                raise ConnectionLost("the scheduler does not answer") from None
            raise errors.exceptions[0] from None

    def _check_connection(self, connection: object) -> None:
        """Raise ConnectionLost if Dask has connected again by itself: its tasks are forgotten."""
        if self._client.scheduler_comm is not connection:
            raise ConnectionLost("the connection was interrupted")

    async def _follow_workers(self) -> None:
        """Admit workers that join, and report the batches that are lost when workers leave."""
        clock = asyncio.get_running_loop().time
        last_worker = clock()
        connection = self._client.scheduler_comm
        changed = asyncio.Event()
        self._client.subscribe_topic(self._run, lambda _: changed.set())
        while True:
            admitted = [*self._tasks.workers]
            workers = (await answer(self._client.scheduler.identity()))["workers"]
            self._check_connection(connection)
            for address in admitted:  # there may be another worker at the same address
                if self._run not in workers.get(address, {}).get("resources", ()):
                    events = await answer(self._client.get_events(address))
                    self._report_losses(self._tasks.remove_worker(address, events))
                    workers.pop(address, None)
            for address in self._refusals.keys() - workers.keys():
                del self._refusals[address]
            for address in workers.keys() - self._refusals.keys():
                self._refusals[address] = ""
                self._group.create_task(self._admit(address, workers[address]["nthreads"]))
            if self._tasks.workers:
                last_worker = clock()
            elif clock() - last_worker > PATIENCE:
                text = f"no worker has connected in {PATIENCE:g} s{self._failure}"
                raise WorkersFailed(self._refusal or text)
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), POLL_SECONDS)
            changed.clear()

    def _report_losses(self, losses: Losses) -> None:
        for key, lost in losses.items():
            self._futures.pop(key).release()
            self._report(lost)
        self._send()

    async def _admit(self, address: str, threads: int) -> None:
        """Open the run in a worker; `_follow_workers` tries one again that does not answer."""
        try:
            if reason := difference(await self._call(address, get_versions, required_packages())):
                raise Refused(reason)
            if notice := await self._call(address, worker.open_run, self._run, *self._cargo):
                LOGGER.warning("worker %s: %s", address, notice)
            self._tasks.workers[address] = threads
        except ConnectionLost as error:
            self._failure = f"; {address} could not be admitted: {error}"
            self._refusals.pop(address, None)
        except Refused as error:
            self._refusals[address] = f"worker {address} is refused: {error}"
            LOGGER.warning("%s", self._refusals[address])
        self._news.set()
        self._send()

    async def _call(self, address: str, function: Callable[..., object], *arguments: object) -> Any:
        """Call a function in a worker's event loop. Raises ConnectionLost and Refused."""
        request = self._client.run(function, *arguments, workers=[address], on_error="return")
        result = (await answer(request))[address]
        if isinstance(result, OSError):
            raise ConnectionLost(one_line(result))
        if isinstance(result, Exception):
            raise Refused(one_line(result))
        return result

    def _send(self) -> None:
        """Hand waiting batches to Dask, unless there is no worker or no connection."""
        for task in self._tasks.start() if self._client.status == "running" else ():
            future = self._client.submit(
                worker.play,
                self._run,
                pickle.dumps(task.batch),
                key=task.key,
                workers=[*task.workers] if task.batch.is_suspect else None,
                resources={self._run: 1},  # which the admitted workers have
                retries=RETRIES,
                fifo_timeout="0s",
                pure=False,
            )
            self._futures[task.key] = future
            self._group.create_task(self._collect(task, future))

    async def _collect(self, task: Task, future: Future) -> None:
        """Report the outcome of a batch, unless it is dropped or the connection is lost before."""
        number = task.batch.number
        outcome: PlayedBatch | LostBatch
        try:
            if error := await future.exception():  # Dask has given up
                match = None if isinstance(error, KilledWorker) else 0
                outcome = LostBatch(number, one_line(error), match)
            else:
                [result] = await self._client.gather([future])
                is_lost = isinstance(result, LostBatch)
                outcome = result if is_lost else decode_records(task.batch, self._time, result)
        except ValueError as invalid:
            outcome = LostBatch(number, f"its records cannot be read: {invalid}", None)
        except (OSError, CancelledError) as lost:
            if task.key in self._futures:
                self._tasks.workers.clear()
                raise ConnectionLost(one_line(lost)) from None
        if self._futures.pop(task.key, None):
            self._tasks.finish(task.key)
            self._report(outcome)
            self._send()

    async def _stop(self) -> None:
        """End the run in the workers that are connected, and close the connection."""
        while not self._task.done():  # again: wait_for of Python 3.11 may lose a cancellation
            self._task.cancel()
            await asyncio.wait([self._task], timeout=CANCEL_SECONDS)
        if self._client.status == "running":
            message = {"op": "plugin-remove", "name": self._run}
            # ValueError if the scheduler is another one, RuntimeError if Dask is closing the client
            with suppress(ConnectionLost, ValueError, RuntimeError):
                await answer(self._client.scheduler.broadcast(msg=message), CLOSE_SECONDS)
                await answer(self._client.unregister_scheduler_plugin(self._run), CLOSE_SECONDS)
        await close_client(self._client)
