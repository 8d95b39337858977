"""Runs on schedulers and workers of Dask that die, join, leave and lose their connections."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, cast

import dask
import msgspec
import psutil
import pytest
from distributed import Client

from arena.bulk.batch import Executor, LostBatch, PlayedBatch, WorkersFailed
from arena.bulk.cluster.executor import ClusterExecutor
from arena.bulk.cluster.start import connect
from tests.support.computing.batch_runs import (
    JOB,
    games,
    make_batches,
    play_batches,
    undisturbed_games,
)
from tests.support.computing.bulk_bots import FOLDER, Sleeps, specification
from tests.support.computing.dask_cluster import DaskCluster, other_version
from tests.support.polling import TEST_TIMEOUT, until
from tests.support.servers.certificates import make_certificates, tls_of
from tests.support.servers.tcp_proxy import TcpProxy

BATCHES = make_batches(30)
KILLER = """\
import os, signal

class Killer:
    def __init__(self, seed):
        self.seed = seed

    def choose(self, position, clock):
        seed = self.seed
        if process := {}:
            os.kill(process, signal.SIGKILL)
        return position.legal_moves()[0]
"""

DRIVER = """\
import asyncio, sys
from dataclasses import replace
from pathlib import Path
from arena.bulk.cluster.start import connect
from tests.support.computing.batch_runs import JOB, make_batches

async def main(address, folder):
    async with connect(address, replace(JOB, bot_files=Path(folder))) as executor:
        executor.submit(make_batches(1)[0])
        await executor.next_outcome()
        print("played", flush=True)
        await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""


def killer(folder: Path, process: str) -> dict[str, Any]:
    """Return bots of a job of which one kills a process, and the folder with its module."""
    (folder / "bots").mkdir()
    (folder / "bots" / "killer.py").write_text(KILLER.format(process))
    bots = {"a": "python:killer:Killer", "b": "greedy"}
    return {"bots": bots, "bot_files": folder / "bots"}


def bot_folders(folder: Path) -> list[str]:
    """Return the folders of bots below a folder, from which something may be removed meanwhile."""
    return [parent for parent, *_ in os.walk(folder) if "bots-" in parent]


async def play_until(executor: Executor, is_done: Callable[[], bool]) -> list[object]:
    """Play batches until something has happened; return their outcomes."""
    outcomes: list[object] = []
    for number in count():
        if is_done():
            return outcomes
        executor.submit(replace(BATCHES[0], number=number))
        outcomes.append(await executor.next_outcome())
    raise AssertionError


def dask_client(cluster: DaskCluster) -> Client:
    return Client(cluster.address, asynchronous=True, set_as_default=False)


@pytest.fixture(scope="module")
def undisturbed() -> object:
    return undisturbed_games(BATCHES)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path) as cluster:
        yield cluster


def kill_worker(cluster: DaskCluster) -> None:
    """Replace the older one of two workers."""
    cluster.add_worker()
    cluster.workers[-3].kill()


def kill_scheduler(cluster: DaskCluster) -> None:
    """Replace the scheduler, with which its workers end."""
    cluster.restart_scheduler()
    cluster.add_worker()


@pytest.mark.parametrize(
    ("disturb", "at", "cause"),
    [
        (kill_worker, [7, 14, 21, 28], "has left"),
        (kill_scheduler, [10], "the scheduler was lost: "),
        (None, [10, 20, 30], "the scheduler was lost: "),
    ],
    ids=["killed workers", "killed scheduler", "cut network"],
)
async def test_disturbances_change_no_game(
    cluster: DaskCluster,
    undisturbed: object,
    disturb: Callable[[DaskCluster], None] | None,
    at: list[int],
    cause: str,
) -> None:
    played = count(1)
    for _ in at[:2]:
        cluster.add_worker()
    async with TcpProxy(int(cluster.address.rpartition(":")[2])) as proxy:

        async def cut() -> None:
            await proxy.cut()
            proxy.restore()

        cuts = []

        def after(outcome: object) -> None:
            if isinstance(outcome, PlayedBatch) and next(played) in at:
                if disturb:
                    disturb(cluster)
                else:
                    cuts.append(asyncio.create_task(cut()))

        address = cluster.address if disturb else f"tcp://127.0.0.1:{proxy.port}"
        async with connect(address, JOB) as executor:
            records, losses = await play_batches(executor, BATCHES, after)
            await asyncio.gather(*cuts)
    assert games(records) == undisturbed
    # Dask plays what a killed worker had not begun on another one, without a loss.
    assert losses or disturb is kill_worker
    assert all(cause in loss.cause for loss in losses)
    assert disturb is kill_worker or not any(loss.is_worker for loss in losses)


async def test_a_discarded_batch_has_no_outcome(cluster: DaskCluster) -> None:
    cluster.add_worker()
    async with connect(cluster.address, JOB) as executor:
        for batch in BATCHES[:4]:
            executor.submit(batch)
        assert isinstance(executor, ClusterExecutor)
        for place in (3, 0, 1, 1):
            executor.discard(BATCHES[place].number)
        assert (await executor.next_outcome()).number == BATCHES[2].number


async def test_a_dead_worker_played_its_first_batch(cluster: DaskCluster, tmp_path: Path) -> None:
    worker = cluster.add_worker()
    job = replace(JOB, **killer(tmp_path, "os.getppid()"))
    async with connect(cluster.address, job) as executor:
        for batch in BATCHES[:2]:
            executor.submit(batch)
        losses = [await executor.next_outcome() for _ in range(2)]
    cause = f"worker {worker.address} has left"
    assert losses == [LostBatch(0, cause, None, True), LostBatch(1, cause, None, False)]


async def test_a_worker_that_is_retired_has_not_died(cluster: DaskCluster) -> None:
    worker = cluster.add_worker()
    bots = {"a": specification(Sleeps), "b": "greedy"}
    job = replace(JOB, bots=bots, bot_files=FOLDER, time="unlimited")
    async with connect(cluster.address, job) as executor, dask_client(cluster) as client:
        for batch in BATCHES[:2]:
            executor.submit(batch)
        await client.retire_workers([worker.address])
        losses = [await executor.next_outcome() for _ in range(2)]
    cause = f"worker {worker.address} has left"
    assert losses == [LostBatch(0, cause, None, False), LostBatch(1, cause, None, False)]


async def test_matches_that_kill_a_process_are_named(cluster: DaskCluster, tmp_path: Path) -> None:
    cluster.add_worker()
    job = replace(JOB, **killer(tmp_path, "os.getpid()"))
    async with connect(cluster.address, job) as executor:
        executor.submit(BATCHES[0])
        loss = await executor.next_outcome()
        assert executor.workers() == 1
    assert isinstance(loss, LostBatch)
    assert (loss.match, loss.is_worker) == (1, True)
    assert "SIGKILL" in loss.cause


async def test_workers_join_later(cluster: DaskCluster) -> None:
    cluster.add_worker(threads=2)
    async with connect(cluster.address, JOB) as executor:
        assert executor.workers() == 2
        cluster.add_worker()
        outcomes = await play_until(executor, lambda: executor.workers() == 3)
        assert not any(isinstance(outcome, LostBatch) for outcome in outcomes)


async def test_workers_of_other_versions_are_refused(
    cluster: DaskCluster, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = cluster.add_worker(environment=other_version(tmp_path))
    refusal = (
        f"worker {other.address} is refused: msgspec is 9.9 there and {msgspec.__version__} here"
    )
    with pytest.raises(WorkersFailed, match=f"^{re.escape(refusal)}$"):
        await connect(cluster.address, JOB).__aenter__()
    assert cluster.add_worker().address  # it is connected by then
    workers = cast(ClusterExecutor, connect(cluster.address, JOB))
    async with workers as executor:
        await play_until(executor, lambda: caplog.messages.count(refusal) == 2)
        assert executor.workers() == 1
        other.kill()
        # While it is connected, it is not asked again.
        await play_until(executor, lambda: not any(executor._refusals.values()))


async def test_files_of_bots_are_removed_at_the_end(cluster: DaskCluster, tmp_path: Path) -> None:
    cluster.add_worker()
    job = replace(JOB, **killer(tmp_path, "os.getpid()"))
    async with connect(cluster.address, job):
        assert [*tmp_path.glob("worker0/**/bots-*/files/killer.py")]
    assert not [*tmp_path.glob("worker0/**/bots-*")]


async def test_a_run_ends_with_a_driver_that_is_killed(
    cluster: DaskCluster, tmp_path: Path
) -> None:
    worker = cluster.add_worker()
    killer(tmp_path, "")
    command = [sys.executable, "-c", DRIVER, cluster.address, str(tmp_path / "bots")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as driver:
        assert driver.stdout
        assert driver.stdout.readline() == b"played\n"
        assert [*tmp_path.glob("worker0/**/bots-*/files/killer.py")]
        processes = psutil.Process(worker.pid).children()
        driver.kill()
    assert processes
    assert not psutil.wait_procs(processes, timeout=TEST_TIMEOUT)[1]
    await until(lambda: not bot_folders(tmp_path / "worker0"), "the removal of the files")


async def test_connections_are_encrypted(tmp_path: Path) -> None:
    certificates = make_certificates(tmp_path)
    with (
        DaskCluster(tmp_path, certificates, "tls") as cluster,
        dask.config.set(tls_of(certificates)),
    ):
        cluster.add_worker()
        assert cluster.address.startswith("tls://")
        async with connect(cluster.address, JOB) as executor:
            records, _ = await play_batches(executor, BATCHES[:2])
        stranger = cluster.address.replace("tls:", "tcp:")
        with pytest.raises(WorkersFailed, match="cannot connect to tcp://"):
            await connect(stranger, JOB).__aenter__()
    assert games(records) == undisturbed_games(BATCHES[:2])
