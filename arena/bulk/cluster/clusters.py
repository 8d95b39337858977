"""Clusters on this machine and elsewhere, and the connection to the scheduler of one."""

import asyncio
import logging
import warnings
from collections.abc import AsyncIterator, Awaitable
from concurrent.futures import CancelledError
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    nullcontext,
    suppress,
)
from typing import Any

import dask
from distributed import Client, LocalCluster
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from arena.bulk.batch import WorkersFailed

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 20.0  # timeout of a request to the scheduler or to workers
CLOSE_SECONDS = 5.0
# Dask logs every lost connection, at times with a traceback; the executor reports what matters.
LOGGERS = "distributed", "distributed.client", "distributed.gc", "tornado.application"
SETTINGS: dict[str, object] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # What Dask does by itself 50 and 100 times a second took an eighth of a processor.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    # After this time without a worker that has died, Dask would no longer replace it.
    "distributed.deploy.lost-worker-timeout": "100 days",
}
IGNORE_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"

Cluster = AbstractAsyncContextManager[tuple[str, Security]]
"""A cluster in use: the address of its scheduler, and the certificates."""


class ConnectionLost(Exception):
    """The scheduler has ended, cannot be reached or does not answer. The text is one line."""


async def connect_client(address: str, security: Security) -> Client:
    """Return a client that is connected. Raises ConnectionLost."""
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client = Client(
        address,
        asynchronous=True,
        timeout=CONNECT_SECONDS,
        security=security,
        set_as_default=False,
        direct_to_workers=False,  # the driver need not reach the workers
    )
    try:
        # The arena compares the versions itself, and only of the workers that it uses.
        with warnings.catch_warnings(category=VersionMismatchWarning, action="ignore"):
            await answer(client, CONNECT_SECONDS)
    except ConnectionLost:
        await close_client(client)
        raise
    return client


async def close_client(client: Client) -> None:
    """Close a connection; the scheduler drops its tasks and its run."""
    with suppress(OSError, TimeoutError):
        await asyncio.wait_for(client._close(), CLOSE_SECONDS)


async def answer(request: Awaitable[Any], seconds: float | None = None) -> Any:
    """Wait for an answer, at most `ANSWER_SECONDS` by default. Raises ConnectionLost."""
    seconds = ANSWER_SECONDS if seconds is None else seconds
    try:
        return await asyncio.wait_for(request, seconds)
    except TimeoutError:
        raise ConnectionLost(f"no answer within {seconds:g} s") from None
    except (OSError, ImportError, CancelledError) as error:
        raise ConnectionLost(one_line(error)) from None


def one_line(error: BaseException) -> str:
    """Return an error as text without line breaks."""
    return " ".join(str(error).split()) or type(error).__name__


@asynccontextmanager
async def local_cluster(size: int) -> AsyncIterator[tuple[str, Security]]:
    """Run a scheduler in this process, and workers that end with it, however it ends.

    Their connections are encrypted with a key that no other process has: a cluster runs any code
    for anyone who can connect, and on this machine every user can.

    Raises:
        WorkersFailed: The cluster does not start.
    """
    with dask.config.set(SETTINGS):
        cluster = LocalCluster(
            n_workers=size,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            security=Security.temporary(),
            memory_limit=0,  # bots play in their own processes: Dask does not see their memory
            preload=[IGNORE_INTERRUPTS],  # Ctrl-C is for the arena alone
            silence_logs=logging.CRITICAL,
            asynchronous=True,
        )
        async with AsyncExitStack() as stack:
            stack.push_async_callback(cluster.close)
            try:
                await cluster
            except (OSError, RuntimeError) as error:
                raise WorkersFailed(f"the local cluster has not started: {error}") from None
            yield cluster.scheduler_address, cluster.security


def remote_cluster(address: str) -> Cluster:
    """Return a cluster that others start and end; Dask's configuration names the certificates.

    Raises:
        ValueError: A certificate is missing or cannot be read.
    """
    security = Security()
    if address.startswith("tls:"):
        for setting in ("ca-file", "client.cert", "client.key"):
            if not dask.config.get(f"distributed.comm.tls.{setting}"):
                raise ValueError(
                    f"tls needs distributed.comm.tls.{setting} in Dask's configuration"
                )
        try:
            security.get_connection_args("client")
        except OSError as error:  # ssl.SSLError is one
            text = f"cannot load the certificates of Dask's configuration: {error}"
            raise ValueError(text) from None
    return nullcontext((address, security))
