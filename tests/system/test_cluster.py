"""Tournaments on a cluster of which parts are killed: exactly the planned matches are stored."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.computing.bulk import stored_games
from tests.support.computing.dask_cluster import DaskCluster
from tests.support.servers.arena_command import (
    COMMAND,
    Process,
    Run,
    running_process,
    wait_for_exit,
    wait_for_line,
    watchdog,
)
from tests.system.test_resume import stored

MATCHES = 3000
TOURNAMENT = ["tournament", "--bots", "random", "spec:4", "--stones", "50", "--seed", "1"]
TOURNAMENT += ["--rounds", str(MATCHES // 2)]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path) as cluster:
        cluster.add_worker()
        yield cluster


def on_cluster(cluster: DaskCluster, db: Path) -> list[str]:
    """Return the command of the tournament."""
    options = ["--cluster", cluster.address, "--db", str(db)]
    return [*COMMAND, *TOURNAMENT, *options]


def wait_for_matches(process: Process, db: Path) -> None:
    """Wait until more matches are stored; there are still matches to play."""
    before = stored(db)
    with watchdog(process):
        while stored(db) == before:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.05)  # which leaves the processor to the tournament
            assert process.returncode is None
    assert stored(db) < MATCHES


def test_killed_parts_are_kept(cluster: DaskCluster, tmp_path: Path, db: Path, arena: Run) -> None:
    """A worker, the scheduler, and the arena itself, which is then started again."""
    alone = tmp_path / "alone.db"
    with running_process(*COMMAND, *TOURNAMENT, "--workers", "2", "--db", alone) as process:
        assert wait_for_exit(process).status == 0
    with running_process(*on_cluster(cluster, db)) as process:
        wait_for_line(process, r"(people can watch)")
        wait_for_matches(process, db)
        cluster.workers[-1].kill()
        cluster.add_worker()
        wait_for_matches(process, db)
        process.kill()
        assert wait_for_exit(process).status == -signal.SIGKILL
    with running_process(*on_cluster(cluster, db)) as process:
        wait_for_line(process, r"(people can watch)")
        wait_for_matches(process, db)
        cluster.restart_scheduler()
        cluster.add_worker()
        end = wait_for_exit(process)
    assert end.status == 0, end.err
    assert re.search("batch(es)? lost", end.err)
    assert arena("verify", db).out == f"{MATCHES:,} matches agree\n"
    assert stored_games(db) == stored_games(alone)
