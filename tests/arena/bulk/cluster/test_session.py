"""Workers that fail in other ways than by their end."""

from pathlib import Path
from typing import Any, cast

import pytest

from arena.bulk.batch import LostBatch
from arena.bulk.cluster import session as session_module
from arena.bulk.cluster.admission import Admission
from arena.bulk.cluster.bot_files import BotFiles
from arena.bulk.cluster.connection import Connection
from arena.bulk.cluster.executor import ClusterExecutor
from arena.bulk.cluster.fleet import Fleet
from arena.bulk.cluster.remote import RemoteCluster
from arena.bulk.cluster.session import Session
from arena.bulk.cluster.worker import close_run
from arena.bulk.executor import WorkersFailed
from tests.support.computing.batch_runs import (
    JOB,
    games,
    make_batches,
    play_batches,
    undisturbed_games,
)
from tests.support.computing.dask_cluster import DaskCluster

BATCHES = make_batches(3)


async def test_worker_that_has_forgotten_the_run_is_admitted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "RENEWAL", 0.1)
    with DaskCluster(tmp_path) as cluster:
        worker = cluster.add_worker()
        remote, admission = RemoteCluster(cluster.address), Admission(JOB, None)
        async with ClusterExecutor(remote, admission) as executor:
            connection = await Connection.open(await remote.locate(), 5.0)
            await connection.run(worker.address, close_run, admission.run)
            await connection.close()
            records, losses = await play_batches(executor, BATCHES)
    assert games(records) == undisturbed_games(BATCHES)
    assert losses
    assert f"worker {worker.address} has failed: run {admission.run}" in losses[0].cause


async def test_worker_that_cannot_open_the_run_is_refused(tmp_path: Path) -> None:
    with DaskCluster(tmp_path) as cluster:
        cluster.add_worker()
        for archive, reason in [(b"x", "bot files cannot be unpacked"), ("x", "bytes-like object")]:
            admission = Admission(JOB, BotFiles(cast(bytes, archive)))
            with pytest.raises(WorkersFailed, match=rf"^worker .* is refused: .*{reason}"):
                await ClusterExecutor(RemoteCluster(cluster.address), admission).__aenter__()


def test_unreadable_records_are_a_lost_batch() -> None:
    connection = cast(Any, None)
    session = Session(connection, Admission(JOB, None), Fleet(), lambda _: None, lambda: None)
    lost = session._decode(BATCHES[0], b"no records")
    assert isinstance(lost, LostBatch)
    assert lost.cause.startswith("its records cannot be read: ")


async def test_a_silent_worker_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DaskCluster(tmp_path) as cluster:
        connection = await Connection.open(await RemoteCluster(cluster.address).locate(), 5.0)
        monkeypatch.setattr("arena.bulk.cluster.connection.ANSWER_SECONDS", 0.0)
        admission = Admission(JOB, None)
        session = Session(connection, admission, Fleet(), lambda _: None, lambda: None)
        session._admitting.add("tcp://there")
        await session._admit("tcp://there", 1)
        monkeypatch.undo()
        await connection.close()
    assert session._failure == "; tcp://there could not be admitted: no answer within 0 s"
