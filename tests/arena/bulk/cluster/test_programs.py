"""Users' programs on the workers of a real cluster: sent along once, in the sandbox."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bulk.batch import WorkersFailed
from arena.bulk.cluster.start import connect
from arena.bulk.job import Job
from arena.sandbox.limits import Policy
from tests.support.computing.batch_runs import games, make_batches, play_batches, undisturbed_games
from tests.support.computing.dask_cluster import DaskCluster
from tests.support.games.user_programs import GOOD_LINES, six_lines, write_programs

BATCHES = make_batches(4, 2)
NOWHERE = {"PATH": "/nonexistent"}  # has no bubblewrap
NEEDS_BUBBLEWRAP = pytest.mark.needs("bubblewrap")
MISSING = "bwrap is not installed (apt-get install bubblewrap)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_programs(tmp_path_factory.mktemp("programs") / "bots")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path) as cluster:
        yield cluster


def job_with(folder: Path, two: str = "greedy", sandbox: Policy | None = None) -> Job:
    return Job({"a": GOOD_LINES, "b": two}, "unlimited", 1, folder, sandbox)


@NEEDS_BUBBLEWRAP
async def test_programs_play_from_a_folder_that_is_sent(cluster: DaskCluster, folder: Path) -> None:
    """In the sandbox, they see nothing but that folder."""
    cluster.add_worker(threads=2)
    (folder / "looks.sh").write_text(f"test -e {folder} && exit 5; exec ./lines.sh")
    expected = undisturbed_games(BATCHES, job_with(folder, GOOD_LINES))
    job = replace(
        job_with(folder, sandbox=Policy.REQUIRE), bots={"a": "stdio:sh looks.sh", "b": six_lines()}
    )
    async with connect(cluster.address, job) as executor:
        records, losses = await play_batches(executor, BATCHES)
    assert not losses
    assert games(records) == expected


async def test_workers_must_be_able_to_run_programs(cluster: DaskCluster, folder: Path) -> None:
    worker = cluster.add_worker(environment=NOWHERE)
    prefix = f"worker {worker.address} is refused:"
    for job, reason in (
        (job_with(folder, sandbox=Policy.REQUIRE), f"a: --sandbox require: {MISSING}"),
        (
            job_with(folder, "stdio:./absent"),
            "b: bot 'stdio:./absent': program './absent' not found",
        ),
        (
            job_with(folder, "program:in=absent sh"),
            "b: bot 'program:in=absent sh': folder 'absent' not found",
        ),
    ):
        with pytest.raises(WorkersFailed, match=f"^{re.escape(f'{prefix} {reason}')}$"):
            await connect(cluster.address, job).__aenter__()


async def test_a_worker_that_cannot_isolate_programs_is_reported(
    cluster: DaskCluster, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    worker = cluster.add_worker(environment=NOWHERE)
    job = job_with(folder, sandbox=Policy.AUTO)
    async with connect(cluster.address, job) as executor:
        records, _ = await play_batches(executor, BATCHES[:1])
    assert games(records) == undisturbed_games(BATCHES[:1], replace(job, sandbox=Policy.OFF))
    notice = "programs run with limits on memory and processes alone, but not isolated: " + MISSING
    assert caplog.messages == [f"worker {worker.address}: {notice}"]


async def test_a_local_cluster_reads_the_folder_itself(folder: Path) -> None:
    job = job_with(folder)
    async with connect("local", job, 1) as executor:
        records, _ = await play_batches(executor, BATCHES[:1])
    assert games(records) == undisturbed_games(BATCHES[:1], job)
