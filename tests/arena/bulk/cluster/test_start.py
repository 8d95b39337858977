"""Refusals before a run on a cluster starts."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import dask
import pytest

from arena.bulk.cluster import start
from arena.bulk.cluster.start import connect
from arena.bulk.job import Job
from tests.support.computing.batch_runs import JOB
from tests.support.servers.certificates import make_certificates, tls_of

ADDRESS = "tcp://127.0.0.1:8786"


@pytest.mark.parametrize(
    ("address", "job", "workers", "error"),
    [
        *[
            (address, JOB, None, r"invalid cluster .*expected local, tcp://HOST:PORT or")
            for address in ("", "lokal", "127.0.0.1:8786", "http://a:1", "tcp://a", "tls://a:b")
        ],
        (ADDRESS, JOB, 2, "--workers is for a local cluster; tcp://"),
        *[
            (ADDRESS, replace(JOB, bots={"mine": spec}), None, "bot mine on a cluster needs --bot-")
            for spec in ("python:mybot:MyBot", "stdio:./mybot", "program:./mybot")
        ],
        (ADDRESS, replace(JOB, bot_files=Path("/absent")), None, ".*are not a folder"),
        ("tls://127.0.0.1:8786", JOB, None, r"tls needs distributed\.comm\.tls\.ca-file in Dask's"),
    ],
)
def test_a_cluster_refuses_runs(address: str, job: Job, workers: int | None, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{error}"):
        connect(address, job, workers)


def test_dask_is_imported_for_a_cluster_and_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "MODULES", ("no_such_module",))
    with pytest.raises(ValueError, match=r"needs Dask: pip install no_such_module$"):
        connect(ADDRESS, JOB)
    code = "import arena.bulk.cluster.start, sys; print('distributed' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout == b"False\n"


def test_unreadable_certificates(tmp_path: Path) -> None:
    settings = tls_of(make_certificates(tmp_path))
    (tmp_path / "key").write_text("no key")
    with (
        dask.config.set(settings),
        pytest.raises(ValueError, match=r"^cannot load the certificates of Dask's configuration: "),
    ):
        connect("tls://127.0.0.1:8786", JOB)
