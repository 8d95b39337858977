"""Connections to schedulers that are absent, silent, or not what they should be."""

import socket
from pathlib import Path
from typing import Any, cast

import pytest
from distributed.security import Security

from arena.bulk.batch import WorkersFailed
from arena.bulk.cluster import clusters, executor
from arena.bulk.cluster.clusters import ConnectionLost, answer, close_client, connect_client
from arena.bulk.cluster.executor import ClusterExecutor, Refused
from arena.bulk.cluster.start import connect
from tests.support.computing.batch_runs import JOB
from tests.support.computing.dask_cluster import DaskCluster, other_version


@pytest.mark.parametrize(
    ("is_silent", "reason"), [(False, r"[^\n]+$"), (True, r"no answer within 0\.1 s$")]
)
async def test_no_scheduler(monkeypatch: pytest.MonkeyPatch, is_silent: bool, reason: str) -> None:
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:  # accepts, and does not answer
        port = server.getsockname()[1] if is_silent else 1
        address = f"tcp://127.0.0.1:{port}"
        with pytest.raises(WorkersFailed, match=rf"^cannot connect to {address}: {reason}"):
            await connect(address, JOB).__aenter__()


async def test_lost_scheduler_is_retried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Until patience ends; the executor connects again before."""
    with DaskCluster(tmp_path) as cluster:
        cluster.add_worker()
        async with connect(cluster.address, JOB) as workers:
            monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.01)
            monkeypatch.setattr(executor, "PATIENCE", 2.0)
            cluster.scheduler.kill()
            with pytest.raises(WorkersFailed, match=r"^no scheduler for 2 s: "):
                await workers.next_outcome()


async def test_cluster_without_workers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(executor, "PATIENCE", 0.0)
    with (
        DaskCluster(tmp_path) as cluster,
        pytest.raises(WorkersFailed, match=r"^no worker has connected in 0 s$"),
    ):
        await connect(cluster.address, JOB).__aenter__()


async def test_scheduler_of_other_versions(tmp_path: Path) -> None:
    with (
        DaskCluster(tmp_path, other_version(tmp_path)) as cluster,
        pytest.raises(
            WorkersFailed, match=r"^the scheduler is refused: msgspec is 9\.9 there and "
        ),
    ):
        await connect(cluster.address, JOB).__aenter__()


async def test_errors_of_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DaskCluster(tmp_path) as cluster:
        address = cluster.add_worker().address
        workers = cast(ClusterExecutor, connect(cluster.address, JOB))
        async with workers:
            with pytest.raises(Refused, match=r"^invalid literal for int"):
                await workers._call(address, int, "x")
            with pytest.raises(ConnectionLost):  # as if the worker were lost
                await workers._call(address, open, "/no/such/file")
            with monkeypatch.context() as silent:
                silent.setattr(clusters, "ANSWER_SECONDS", 0.0)
                await workers._admit(address, 1)
            assert workers._failure == f"; {address} could not be admitted: no answer within 0 s"


async def test_requests_after_the_end_are_lost(tmp_path: Path) -> None:
    with DaskCluster(tmp_path) as cluster:
        client: Any = await connect_client(cluster.address, Security())
        cluster.scheduler.kill()
        with pytest.raises(ConnectionLost):
            await answer(client.scheduler.identity())
        await close_client(client)
