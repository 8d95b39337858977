"""Start of a run on a cluster. Importing this module does not import Dask."""

import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from arena.bulk.batch import Executor
from arena.bulk.job import Job
from arena.processors import usable_processors
from bots.specification import USERS_CODE, read_bots

LOCAL = "local"
ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):[0-9]{1,5}")
MODULES = "cryptography", "distributed"


def connect(address: str, job: Job, workers: int | None = None) -> Executor:
    """Return the workers of a cluster as an executor, which connects when its context begins.

    Args:
        address: `local` for a scheduler and workers on this machine that end with the run; or
            tcp://HOST:PORT or tls://HOST:PORT of a scheduler, where Dask's configuration names the
            certificates.
        job: The job. For a scheduler, the folder of its users' bots is packed here.
        workers: The number of workers of a local cluster; None for one on each processor.

    Raises:
        ValueError: The address, the number of workers or the folder is invalid, a certificate is
            missing or cannot be read, or Dask is not installed.
    """
    if address != LOCAL and not ADDRESS.fullmatch(address):
        raise ValueError(
            f"invalid cluster {address!r} (expected local, tcp://HOST:PORT or tls://HOST:PORT)"
        )
    if address != LOCAL and workers is not None:
        raise ValueError(f"--workers is for a local cluster; {address} has workers of its own")
    if not all(map(find_spec, MODULES)):
        raise ValueError(f"--cluster needs Dask: pip install {' '.join(MODULES)}")

    from arena.bulk.cluster.bot_files import pack
    from arena.bulk.cluster.clusters import local_cluster, remote_cluster
    from arena.bulk.cluster.executor import ClusterExecutor

    if address == LOCAL:  # its workers read the folder itself
        job = replace(job, bot_files=(job.bot_files or Path()).resolve())
        return ClusterExecutor(local_cluster(workers or usable_processors()), job)
    if job.bot_files is None:
        names = [name for name, spec in read_bots(job.bots).items() if spec.kind in USERS_CODE]
        if names:
            raise ValueError(f"bot {names[0]} on a cluster needs --bot-files with its files")
    cluster = remote_cluster(address)
    files = pack(job.bot_files) if job.bot_files else None
    return ClusterExecutor(cluster, replace(job, bot_files=None), files)
