"""Clusters on this machine and elsewhere."""

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext

import dask
from distributed import LocalCluster
from distributed.security import Security

from arena.bulk.cluster.connection import Cluster
from arena.bulk.executor import WorkersFailed

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
            memory_limit=0,  # bots play in processes of their own, whose memory Dask does not see
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
