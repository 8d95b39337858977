"""Executor of batches on a Dask cluster.

The executor distributes batches over the workers itself, and Dask carries them (see `Fleet`).
Nothing is repeated behind the driver's back: a batch whose worker or scheduler dies is reported.
"""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Protocol, Self

from arena.bulk.batch import Batch, LostBatch, PlayedBatch
from arena.bulk.cluster.admission import Admission
from arena.bulk.cluster.connection import Connection, ConnectionLost, Endpoint
from arena.bulk.cluster.fleet import Fleet
from arena.bulk.cluster.session import PATIENCE, Session
from arena.bulk.executor import WorkersFailed

CONNECT_SECONDS = 5.0
CANCEL_SECONDS = 1.0  # after which a cancellation is repeated
FIRST_DELAY, LAST_DELAY = 0.25, 10.0  # seconds before another attempt to connect: doubled each time


class Cluster(Protocol):
    """A cluster that is in use from `async with` to its end."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...

    async def locate(self) -> Endpoint:
        """Return its scheduler, which is started if need be. Raises WorkersFailed."""


class ClusterExecutor:
    """Workers of a cluster that play batches, whatever happens to the connection."""

    def __init__(self, cluster: Cluster, admission: Admission) -> None:
        """Start nothing yet.

        Args:
            cluster: The cluster.
            admission: What its workers receive.
        """
        self._cluster = cluster
        self._admission = admission
        self._fleet = Fleet()
        self._outcomes: dict[int, PlayedBatch | LostBatch] = {}
        self._news = asyncio.Event()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Connect, and wait for the first worker.

        Raises:
            WorkersFailed: There is no connection, or all workers are refused.
        """
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._cluster)
            endpoint = await self._cluster.locate()
            try:
                connection = await Connection.open(endpoint, CONNECT_SECONDS)
            except ConnectionLost as error:
                text = f"cannot connect to {endpoint.address}: {error}"
                raise WorkersFailed(text) from None
            self._start_session(connection)
            self._task = asyncio.create_task(self._run())
            stack.push_async_callback(self._stop)
            self._task.add_done_callback(lambda _: self._news.set())
            await self._wait_for_worker()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def workers(self) -> int:
        """Return the number of batches that the admitted workers play at a time."""
        return self._fleet.threads

    def submit(self, batch: Batch) -> None:
        """Queue a batch."""
        self._fleet.submit(batch)
        self._session.has_work.set()

    def discard(self, number: int) -> None:
        """Drop a batch; its worker may finish it."""
        self._outcomes.pop(number, None)
        self._session.discard(number)

    async def next_outcome(self) -> PlayedBatch | LostBatch:
        """Wait for the outcome of a batch.

        Raises:
            WorkersFailed: There has been no scheduler or no worker for long.
        """
        while not self._outcomes:
            await self._wait_for_news()
        return self._outcomes.pop(next(iter(self._outcomes)))

    async def _wait_for_worker(self) -> None:
        while not self._fleet.threads:
            if self._session.refusal:
                raise WorkersFailed(self._session.refusal)
            await self._wait_for_news()

    async def _wait_for_news(self) -> None:
        """Wait for an outcome, or for a worker that is admitted or refused."""
        if self._task.done():
            self._task.result()
        await self._news.wait()
        self._news.clear()

    def _report(self, outcome: PlayedBatch | LostBatch) -> None:
        self._outcomes[outcome.number] = outcome
        self._news.set()

    def _start_session(self, connection: Connection) -> None:
        self._session = Session(
            connection, self._admission, self._fleet, self._report, self._news.set
        )

    async def _run(self) -> None:
        while True:
            try:
                await self._session.run()
            except ConnectionLost as error:
                for loss in self._fleet.clear():
                    self._report(loss.outcome(f"the scheduler was lost: {error}", has_died=False))
            self._start_session(await self._reconnect())

    async def _reconnect(self) -> Connection:
        """Connect, in longer and longer intervals. Raises WorkersFailed."""
        clock = asyncio.get_running_loop().time
        give_up_at = clock() + PATIENCE
        for delay in _delays():
            try:
                return await Connection.open(await self._cluster.locate(), CONNECT_SECONDS)
            except ConnectionLost as error:
                if clock() > give_up_at:
                    raise WorkersFailed(f"no scheduler for {PATIENCE:g} s: {error}") from None
            await asyncio.sleep(delay)
        raise AssertionError("the delays are endless")

    async def _stop(self) -> None:
        """End the run in the workers that are connected."""
        while not self._task.done():  # again: wait_for of Python 3.11 may lose a cancellation
            self._task.cancel()
            await asyncio.wait([self._task], timeout=CANCEL_SECONDS)
        await self._session.close()


def _delays() -> Iterator[float]:
    delay = FIRST_DELAY
    while True:
        yield delay
        delay = min(2 * delay, LAST_DELAY)
