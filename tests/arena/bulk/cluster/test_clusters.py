"""Clusters on this machine."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from arena.bulk.batch import WorkersFailed
from arena.bulk.cluster import clusters
from arena.bulk.cluster.start import connect
from arena.tournament.schedule import Schedule
from tests.support.computing.batch_runs import (
    JOB,
    games,
    make_batches,
    play_batches,
    undisturbed_games,
)
from tests.support.computing.bulk import job_of, long_plan, run_plan, stored_games
from tests.support.polling import TEST_TIMEOUT

# Dask leaves a socket to the garbage collector if its worker dies during the TLS handshake.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")

BATCHES = make_batches(12)
DRIVER = """\
import asyncio
from arena.bulk.cluster import clusters
from arena.bulk.cluster.start import connect
from tests.support.computing.batch_runs import JOB

async def main():
    async with connect("local", JOB, 1):
        print("started", flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""

KILLER = """\
import os, signal

class Killer:
    def choose(self, position, clock):
        if [*position.moves] == {}:
            os.kill(os.getppid(), signal.SIGKILL)
        return position.legal_moves()[0]
"""


def workers() -> set[psutil.Process]:
    """Return the processes of workers of Dask that this one has started."""
    children = psutil.Process().children()
    return {child for child in children if "--multiprocessing-fork" in child.cmdline()}


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Collect the garbage of Dask where its warning is ignored."""
    yield
    gc.collect()


async def test_a_killed_worker_is_replaced() -> None:
    """Ctrl-C is not for workers."""

    def kill(_: object) -> None:
        if not killed:
            [worker] = workers() - before
            killed.append(worker)
            worker.send_signal(signal.SIGKILL)

    killed: list[psutil.Process] = []
    before = workers()
    async with connect("local", JOB, 1) as executor:
        [worker] = workers() - before
        worker.send_signal(signal.SIGINT)
        records, losses = await play_batches(executor, BATCHES, kill)
        assert killed == [worker]
    assert games(records) == undisturbed_games(BATCHES)
    assert losses
    assert workers() == before


async def test_a_match_that_kills_workers_is_given_up_alone(tmp_path: Path, db: Path) -> None:
    """It is the one in which the killer begins, of the two with an opening."""
    plan = replace(long_plan(matches=12), bots={"anna": "python:killer:Killer", "bert": "random"})
    pairings = [*iter(Schedule(plan, []).next_pairing, None)]
    (tmp_path / "killer.py").write_text(KILLER.format([*pairings[4].opening]))
    job = replace(job_of(plan), bot_files=tmp_path)
    unplayed, _ = await run_plan(plan, connect("local", job, 2), db)
    same = {one.number for one in pairings if one.opening == pairings[4].opening}
    [number] = {record.pairing.number for record in unplayed}
    assert number in same
    assert stored_games(db).keys() == {one.number for one in pairings} - {number}


async def test_a_local_cluster_listens_on_this_machine_alone() -> None:
    async with connect("local", JOB, 1):
        processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
        sockets = [found for process in processes for found in process.net_connections("tcp")]
        hosts = {found.laddr.ip for found in sockets if found.status == psutil.CONN_LISTEN}
    assert hosts == {"127.0.0.1"}


def test_workers_end_with_a_driver_that_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", DRIVER]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as driver:
        assert driver.stdout
        assert driver.stdout.readline() == b"started\n"
        started = psutil.Process(driver.pid).children(recursive=True)
        driver.kill()
    assert started
    _, alive = psutil.wait_procs(started, timeout=TEST_TIMEOUT)
    assert not alive


async def test_a_cluster_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "IGNORE_INTERRUPTS", "no_such_module")
    before = workers()
    with pytest.raises(WorkersFailed, match=r"^the local cluster has not started: "):
        await connect("local", JOB, 1).__aenter__()
    assert workers() == before
