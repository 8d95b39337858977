"""Connection to the scheduler of a Dask cluster."""

import asyncio
import logging
import warnings
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from distributed import Client, Future
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from arena.bulk.cluster.versions import Versions, reported_versions

ANSWER_SECONDS = 20.0  # timeout of a request to the scheduler or to workers
CLOSE_SECONDS = 5.0
# Dask logs every lost connection, at times with a traceback; the executor reports what matters.
LOGGERS = "distributed", "distributed.client", "distributed.gc", "tornado.application"


class ConnectionLost(Exception):
    """The scheduler has ended, cannot be reached or does not answer. The text is one line."""


class TaskFailed(Exception):
    """A task that has raised an exception, or lost its worker."""


@dataclass(frozen=True)
class Endpoint:
    """A scheduler.

    Attributes:
        address: tcp://HOST:PORT or tls://HOST:PORT.
        security: The certificates.
    """

    address: str
    security: Security


class Connection:
    """Client of a scheduler. It is closed after a method has raised `ConnectionLost`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._scheduler_id: str | None = None

    @classmethod
    async def open(cls, endpoint: Endpoint, seconds: float) -> Self:
        """Connect within some seconds. Raises ConnectionLost."""
        for name in LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        connection = cls(
            Client(
                endpoint.address,
                asynchronous=True,
                timeout=seconds,
                security=endpoint.security,
                set_as_default=False,
                direct_to_workers=False,  # the driver need not reach the workers
            )
        )
        try:
            # The arena compares the versions itself, and only of the workers that it uses.
            with warnings.catch_warnings(category=VersionMismatchWarning, action="ignore"):
                await _answer(connection._client, seconds)
            await connection.workers()
        except ConnectionLost:
            await connection.close()
            raise
        return connection

    async def workers(self) -> dict[str, int]:
        """Return the number of threads of each worker by its address. Raises ConnectionLost."""
        scheduler = await _answer(self._client.scheduler.identity())
        # Dask reconnects by itself, also to a new scheduler, whose workers tell nothing about ours.
        if self._scheduler_id not in (None, scheduler["id"]):
            raise ConnectionLost("another scheduler has taken its place")
        self._scheduler_id = scheduler["id"]
        return {address: about["nthreads"] for address, about in scheduler["workers"].items()}

    async def has_been_stopped(self, address: str) -> bool:
        """Return whether a worker that has left was stopped, and has not died.

        Raises:
            ConnectionLost: The scheduler is lost.
        """
        events = await _answer(self._client.scheduler.events(topic=address))
        return is_stop(event for _time, event in events)

    async def scheduler_versions(self, packages: list[str]) -> Versions:
        """Return versions of the scheduler's packages. Raises ConnectionLost."""
        return reported_versions(await _answer(self._client.scheduler.versions(packages=packages)))

    async def worker_versions(self, packages: list[str], address: str) -> Versions:
        """Return versions of a worker's packages. Raises ConnectionLost."""
        request = {"op": "versions", "packages": packages}
        reports = await _answer(self._client.scheduler.broadcast(msg=request, workers=[address]))
        return reported_versions(reports[address])

    async def run(self, address: str, function: Callable[..., object], *arguments: object) -> Any:
        """Call a function in a worker's event loop and return its result.

        Raises:
            ConnectionLost: The scheduler or the worker is lost.
            TaskFailed: The function has raised an exception.
        """
        request = self._client.run(function, *arguments, workers=[address], on_error="return")
        result = (await _answer(request))[address]
        if isinstance(result, OSError):
            raise ConnectionLost(_one_line(result))
        if isinstance(result, Exception):
            raise TaskFailed(_one_line(result))
        return result

    def submit(
        self, address: str, key: str, function: Callable[..., object], *arguments: object
    ) -> Future:
        """Queue a task for one worker, after its earlier ones. Raises ConnectionLost."""
        if self._client.status != "running":
            raise ConnectionLost("the connection to the scheduler is lost")
        return self._client.submit(
            function,
            *arguments,
            key=key,
            workers=[address],
            fifo_timeout="0s",
            pure=False,
            retries=0,
        )

    async def result(self, future: Future) -> Any:
        """Wait for the result of a task.

        Raises:
            TaskFailed: It has none.
            ConnectionLost: The scheduler is lost.
        """
        try:
            if error := await future.exception():
                raise TaskFailed(_one_line(error))
            # Dask gathers the results of several tasks at once: a cancellation must not reach it.
            (result,) = await asyncio.shield(self._client.gather([future]))
        except (OSError, CancelledError) as error:
            raise ConnectionLost(_one_line(error)) from None
        return result

    async def close(self) -> None:
        """Close the connection; the scheduler forgets its tasks."""
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(self._client._close(), CLOSE_SECONDS)


def is_stop(events: Iterable[object]) -> bool:
    """Return whether a worker has been stopped: retired, or closed as by SIGTERM.

    Args:
        events: The events of its address, in their order, as the scheduler has logged them.
    """
    is_stopped = False
    for event in events:
        match event:
            case {"action": "add-worker"}:
                is_stopped = False
            case {"action": "closing-worker"} | {"action": "remove-worker", "expected": True}:
                is_stopped = True
    return is_stopped


async def _answer(request: Awaitable[Any], seconds: float | None = None) -> Any:
    """Wait for an answer, at most `ANSWER_SECONDS` by default. Raises ConnectionLost."""
    seconds = ANSWER_SECONDS if seconds is None else seconds
    try:
        return await asyncio.wait_for(request, seconds)
    except TimeoutError:
        raise ConnectionLost(f"no answer within {seconds:g} s") from None
    except (OSError, ImportError, CancelledError) as error:
        raise ConnectionLost(_one_line(error)) from None


def _one_line(error: BaseException | None) -> str:
    return " ".join(str(error).split()) or type(error).__name__
