"""Tournaments on a cluster of which parts are killed: exactly the planned matches are stored."""

import asyncio
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from arena.bulk.cluster.connection import Connection
from arena.bulk.cluster.remote import RemoteCluster
from arena.storage.reader import DatabaseReader
from tests.support.computing.bulk import match_processes, stored_games
from tests.support.computing.dask_cluster import DaskCluster
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import (
    COMMAND,
    Process,
    Run,
    running_process,
    wait_for_exit,
    wait_for_line,
    watchdog,
)

MATCHES = 3000
TOURNAMENT = ["tournament", "--bots", "random", "spec:4", "--stones", "50", "--seed", "1"]
TOURNAMENT += ["--rounds", str(MATCHES // 2)]
DRIVER_KILLS = 3
END_LEASES = """
from arena.bulk.cluster import worker
worker.LEASE = 0.0
for name in [*worker._runs]:
    worker.renew_run(name)
"""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> object:
    """Return the games on one machine, without a disturbance."""
    db = tmp_path_factory.mktemp("undisturbed") / "arena.db"
    with running_process(*COMMAND, *TOURNAMENT, "--workers", "2", "--db", db) as process:
        assert wait_for_exit(process).status == 0
    return stored_games(db)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path) as cluster:
        cluster.add_worker()
        yield cluster


def on_cluster(cluster: DaskCluster, db: Path) -> list[str]:
    """Return the command of the tournament."""
    options = ["--in-process", "--cluster", cluster.address, "--db", str(db)]
    return [*COMMAND, *TOURNAMENT, *options]


def stored(db: Path) -> int:
    """Return the number of finished matches."""
    with DatabaseReader(db) as records:
        return len([*records.results()])


def wait_for_matches(process: Process, db: Path) -> None:
    """Wait until more matches are stored; there are still matches to play."""
    before = stored(db)
    with watchdog(process):
        while stored(db) == before:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.05)  # which leaves the processor to the tournament
            assert process.returncode is None
    assert stored(db) < MATCHES


async def end_leases(scheduler: str, worker: str) -> None:
    """Let the leases of a worker's runs end now instead of in a minute."""
    connection = await Connection.open(await RemoteCluster(scheduler).locate(), TEST_TIMEOUT)
    await connection.run(worker, exec, END_LEASES)
    await connection.close()


def check(db: Path, arena: Run, undisturbed: object) -> None:
    """Compare what is stored in the end with the undisturbed tournament."""
    assert arena("verify", db).out == f"{MATCHES:,} matches agree\n"
    assert stored_games(db) == undisturbed


def test_killed_workers_and_schedulers_change_nothing(
    cluster: DaskCluster, db: Path, arena: Run, undisturbed: object
) -> None:
    with running_process(*on_cluster(cluster, db)) as process:
        wait_for_line(process, r"(people can watch)")
        wait_for_matches(process, db)
        cluster.workers[-1].kill()
        cluster.add_worker()
        wait_for_matches(process, db)
        cluster.restart_scheduler()
        cluster.add_worker()
        wait_for_matches(process, db)
        cluster.workers[-1].kill()
        cluster.add_worker()
        end = wait_for_exit(process)
    assert end.status == 0, end.err
    assert "batches lost" in end.err
    check(db, arena, undisturbed)


def test_killed_drivers_change_nothing(
    cluster: DaskCluster, db: Path, arena: Run, undisturbed: object
) -> None:
    for _ in range(DRIVER_KILLS):
        with running_process(*on_cluster(cluster, db)) as process:
            wait_for_line(process, r"(people can watch)")
            wait_for_matches(process, db)
            process.kill()
            assert wait_for_exit(process).status == -signal.SIGKILL
    with running_process(*on_cluster(cluster, db)) as process:
        assert wait_for_exit(process).status == 0
    check(db, arena, undisturbed)
    [worker] = cluster.workers
    asyncio.run(end_leases(cluster.address, worker.address))
    psutil.wait_procs(match_processes(worker.pid))
