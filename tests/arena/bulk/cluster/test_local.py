"""Clusters on this machine."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from arena.bulk.cluster import local
from arena.bulk.cluster.local import LocalCluster
from arena.bulk.cluster.start import connect
from arena.bulk.executor import WorkersFailed
from tests.support.computing.batch_runs import (
    JOB,
    games,
    make_batches,
    play_batches,
    undisturbed_games,
)
from tests.support.polling import TEST_TIMEOUT

BATCHES = make_batches(12)
DRIVER = """\
import asyncio
from arena.bulk.cluster.start import connect
from tests.support.computing.batch_runs import JOB

async def main():
    async with connect("local", JOB, 1):
        print("started", flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def children() -> list[psutil.Process]:
    return [*psutil.Process().children(recursive=True)]


@pytest.mark.usefixtures("measured")
async def test_local_cluster_survives_the_death_of_its_scheduler() -> None:
    def kill(_: object) -> None:
        if not killed:
            started = set(children()) - before
            killed.extend(child for child in started if local.PROGRAM in child.cmdline())
            os.kill(killed[0].pid, signal.SIGKILL)

    killed: list[psutil.Process] = []
    before = set(children())
    async with connect("local", JOB, 1) as executor:
        records, losses = await play_batches(executor, BATCHES, kill)
    assert games(records) == undisturbed_games(BATCHES)
    assert losses
    psutil.wait_procs(set(children()) - before, timeout=TEST_TIMEOUT)
    assert set(children()) <= before


def test_cluster_ends_with_a_driver_that_is_killed(tmp_path: Path) -> None:
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
    assert not [*tmp_path.glob("arena-cluster-*")]


async def test_cluster_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "PROGRAM", "arena.model.version")
    with pytest.raises(WorkersFailed, match=r"^the local cluster has not started$"):
        await connect("local", JOB, 1).__aenter__()


async def test_cluster_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "PROGRAM", "tests.support.endless")
    monkeypatch.setattr(local, "START_SECONDS", 0.0)
    monkeypatch.setattr(local, "END_SECONDS", 0.0)
    async with LocalCluster(1) as cluster:
        with pytest.raises(WorkersFailed, match=r"^the local cluster has not started$"):
            await cluster.locate()
        assert cluster._process
    assert cluster._process.returncode == -signal.SIGKILL


async def test_a_cluster_is_started_once_when_it_is_used() -> None:
    before = children()
    async with LocalCluster(1) as cluster:
        assert children() == before
        first = await cluster.locate()
        assert (await cluster.locate()).address == first.address
