"""What runs in workers and schedulers, here in the process of the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest
from distributed import LocalCluster
from distributed.security import Security

from arena.bulk.batch import LostBatch
from arena.bulk.cluster.bot_files import pack
from arena.bulk.cluster.clusters import ConnectionLost, close_client
from arena.bulk.cluster.executor import ClusterExecutor
from arena.bulk.cluster.worker import CannotPlay, Run, RunWatch, open_run
from arena.bulk.job import Job
from tests.support.computing.batch_runs import (
    JOB,
    games,
    make_batches,
    play_batches,
    undisturbed_games,
)
from tests.support.polling import until

BATCHES = make_batches(2, 3)


@dataclass
class Worker:
    """Worker of Dask, as far as a refused run uses it."""

    local_directory: str


@asynccontextmanager
async def one_worker(
    folder: Path, job: Job = JOB, files: bytes | None = None
) -> AsyncIterator[tuple[Any, ClusterExecutor]]:
    """Yield a worker in this process and its executor."""
    async with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        dashboard_address="127.0.0.1:0",
        local_directory=str(folder),
        asynchronous=True,
    ) as cluster:
        address = nullcontext((cluster.scheduler_address, Security()))
        async with ClusterExecutor(address, job, files) as executor:
            yield cluster.workers[0], executor


def runs(worker: Any) -> list[str]:
    return [name for name, plugin in worker.plugins.items() if isinstance(plugin, Run)]


async def test_batches_of_an_open_run_are_played(tmp_path: Path) -> None:
    async with one_worker(tmp_path) as (worker, executor):
        records, losses = await play_batches(executor, BATCHES)
        assert len(runs(worker)) == 1
        with pytest.raises(ConnectionLost, match=r"^the connection was interrupted$"):
            executor._check_connection(object())
        await executor.__aexit__()
        await until(lambda: not runs(worker), "the run to end with its driver")
    assert games(records) == undisturbed_games(BATCHES)
    assert not losses


async def test_a_lost_connection_ends_its_run(tmp_path: Path) -> None:
    """As when the driver dies; this one connects again."""
    async with one_worker(tmp_path) as (worker, executor):
        before = runs(worker)
        await close_client(executor._client)
        await until(
            lambda: len(runs(worker)) == 1 and runs(worker) != before,
            "a run in place of the old one",
        )
        records, _ = await play_batches(executor, BATCHES)
    assert games(records) == undisturbed_games(BATCHES)


async def test_files_replace_the_folder_of_the_job(tmp_path: Path) -> None:
    mine, there = tmp_path / "mine", tmp_path / "there"
    mine.mkdir()
    (mine / "mybot.py").write_text(
        "class MyBot:\n"
        "    def choose(self, position, clock):\n"
        "        return position.legal_moves()[0]\n"
    )
    job = replace(JOB, bots={**JOB.bots, "a": "python:mybot:MyBot"})
    async with one_worker(there, job, pack(mine)) as (_, executor):
        assert [*there.glob("**/bots-*/files/mybot.py")]
        records, _ = await play_batches(executor, BATCHES)
    assert games(records) == undisturbed_games(BATCHES, replace(job, bot_files=mine))
    assert not [*there.glob("**/bots-*")]


async def test_runs_that_are_refused_leave_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "there").mkdir()
    here = cast(Any, Worker(str(tmp_path / "there")))
    programs = replace(JOB, bots={"a": "stdio:./mybot"})
    for job, files, refusal in (
        (JOB, b"no archive", r"the bot files cannot be unpacked there: "),
        (programs, pack(tmp_path / "mine"), r"a: bot 'stdio:./mybot': program './mybot' not found"),
    ):
        with pytest.raises(ValueError, match=f"^{refusal}"):
            await open_run("run", job, files, here)
        assert not [*(tmp_path / "there").iterdir()]


async def test_a_batch_that_no_worker_can_begin_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some attempts of Dask."""
    monkeypatch.setattr("arena.bulk.match_process.PROGRAM", "tests.support.absent")
    monkeypatch.setattr("arena.bulk.match_process.PAUSE_SECONDS", 0.0)
    async with one_worker(tmp_path) as (worker, executor):
        executor.submit(BATCHES[0])
        cause = "its process ended with status 1"
        assert await executor.next_outcome() == LostBatch(0, cause, 0)
        await worker.plugin_remove(*runs(worker))
        executor.submit(BATCHES[1])
        assert await executor.next_outcome() == LostBatch(1, "the run is not open", 0)


def test_a_run_that_was_closed_plays_nothing() -> None:
    run = Run(JOB, None)
    run.teardown()
    with pytest.raises(CannotPlay, match=r"^the run has been closed$"):
        run.play(BATCHES[0])


async def test_unreadable_records_are_a_lost_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with one_worker(tmp_path) as (_, executor):
        monkeypatch.setattr(Run, "play", lambda *_: b"no records")
        executor.submit(BATCHES[0])
        lost = await executor.next_outcome()
    assert isinstance(lost, LostBatch)
    assert lost.cause.startswith("its records cannot be read: ")


def test_a_run_outlives_other_clients() -> None:
    watch = RunWatch("run", "driver")
    watch.remove_client(cast(Any, None), "another")  # which needs no scheduler
    assert not hasattr(watch, "_closing")
