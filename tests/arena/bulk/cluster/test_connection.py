"""Connections to schedulers that are absent, silent, or not what they should be."""

import socket
from pathlib import Path

import pytest

from arena.bulk.cluster import executor, session
from arena.bulk.cluster.connection import Connection, ConnectionLost, TaskFailed, is_stop
from arena.bulk.cluster.remote import RemoteCluster
from arena.bulk.cluster.start import connect
from arena.bulk.executor import WorkersFailed
from tests.support.computing.batch_runs import JOB
from tests.support.computing.dask_cluster import DaskCluster, other_version


@pytest.mark.parametrize(
    ("is_silent", "reason"), [(False, r"[^\n]+$"), (True, r"no answer within 0\.1 s$")]
)
async def test_no_scheduler(monkeypatch: pytest.MonkeyPatch, is_silent: bool, reason: str) -> None:
    monkeypatch.setattr(executor, "CONNECT_SECONDS", 0.1)
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
            monkeypatch.setattr(executor, "CONNECT_SECONDS", 0.01)
            monkeypatch.setattr(executor, "PATIENCE", 2.0)
            cluster.scheduler.kill()
            with pytest.raises(WorkersFailed, match=r"^no scheduler for 2 s: "):
                await workers.next_outcome()


async def test_cluster_without_workers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session, "PATIENCE", 0.0)
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


async def test_errors_of_workers(tmp_path: Path) -> None:
    with DaskCluster(tmp_path) as cluster:
        worker = cluster.add_worker()
        connection = await Connection.open(await RemoteCluster(cluster.address).locate(), 5.0)
        with pytest.raises(TaskFailed, match=r"^invalid literal for int"):
            await connection.run(worker.address, int, "x")
        with pytest.raises(TaskFailed, match=r"^invalid literal for int"):
            await connection.result(connection.submit(worker.address, "key", int, "x"))
        with pytest.raises(ConnectionLost):  # as if the worker were lost
            await connection.run(worker.address, open, "/no/such/file")
        task = connection.submit(worker.address, "other", int, "1")
        cluster.scheduler.kill()
        with pytest.raises(ConnectionLost):
            await connection.result(task)
        with pytest.raises(ConnectionLost):
            connection.submit(worker.address, "last", int, "1")
        await connection.close()


@pytest.mark.parametrize(
    ("actions", "is_stopped"),
    [
        (["add-worker"], False),
        (["add-worker", "remove-worker"], False),
        (["add-worker", "closing-worker", "remove-worker"], True),
        (["add-worker", "closing-worker", "remove-worker", "add-worker", "remove-worker"], False),
    ],
)
def test_a_worker_that_closes_has_been_stopped(actions: list[str], is_stopped: bool) -> None:
    """Also if another one, at the same address, has died."""
    assert is_stop([{"action": action, "expected": False} for action in actions]) == is_stopped
    assert is_stop([{"action": "add-worker"}, "x", {"action": "remove-worker", "expected": True}])


async def test_replaced_scheduler_is_noticed(tmp_path: Path) -> None:
    """Although Dask has connected to it, so that its workers do not pass for those of before."""
    with DaskCluster(tmp_path) as cluster:
        endpoint = await RemoteCluster(cluster.address).locate()
        before, connection = [await Connection.open(endpoint, 5.0) for _ in range(2)]
        await before.close()
        cluster.restart_scheduler()
        cluster.add_worker()  # needs the address, so the scheduler has started
        with pytest.raises(ConnectionLost):
            await connection.workers()
        await connection.close()
        now = await Connection.open(endpoint, 60.0)
        now._scheduler_id = before._scheduler_id  # as if Dask had connected it
        with pytest.raises(ConnectionLost, match=r"^another scheduler has taken its place$"):
            await now.workers()
        await now.close()
