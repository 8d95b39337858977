"""Program of a local cluster: `python -m arena.bulk.cluster.local_program SIZE FOLDER`.

It prints one line when the workers are connected, and ends them when its standard input ends, which
is also when the process that started it is killed.
"""

import asyncio
import logging
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack

import dask
import msgspec
from distributed import LocalCluster
from distributed.security import Security

from arena.bulk.cluster.local import Announcement

SETTINGS: dict[str, object] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # What Dask does by itself 50 and 100 times a second took an eighth of a processor.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
}


async def serve(size: int, folder: str) -> None:
    """Run a scheduler and workers until the end of standard input."""
    security = Security.temporary()
    dask.config.set(SETTINGS)
    async with LocalCluster(
        n_workers=size,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        security=security,
        local_directory=folder,
        memory_limit=0,  # bots play in processes of their own, whose memory Dask does not see
        silence_logs=logging.CRITICAL,
        asynchronous=True,
    ) as cluster:
        print(msgspec.json.encode(announcement(cluster.scheduler_address, security)).decode())
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


def announcement(address: str, security: Security) -> Announcement:
    """Return what a client needs to connect."""
    client = security.get_tls_config_for_role("client")
    return Announcement(address, client["ca_file"], client["cert"], client["key"])


def main(arguments: Sequence[str]) -> None:
    """Run a local cluster, and remove its folder at the end."""
    size, folder = arguments
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        asyncio.run(serve(int(size), folder))


if __name__ == "__main__":
    main(sys.argv[1:])
