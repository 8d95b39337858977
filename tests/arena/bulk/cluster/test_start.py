"""Refusals before a run on a cluster starts."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import dask
import pytest

from arena.bulk.cluster import start
from arena.bulk.cluster.start import connect
from tests.support.computing.batch_runs import JOB
from tests.support.servers.certificates import make_certificates, tls_of

ADDRESS = "tcp://127.0.0.1:8786"


@pytest.mark.parametrize(
    "address", ["", "lokal", "127.0.0.1:8786", "http://a:1", "tcp://a", "tls://a:b"]
)
def test_invalid_addresses(address: str) -> None:
    with pytest.raises(ValueError, match=r"^invalid cluster .*expected local, tcp://HOST:PORT or"):
        connect(address, JOB)


def test_number_of_workers_of_a_cluster_elsewhere() -> None:
    with pytest.raises(ValueError, match=r"^--workers is for a local cluster; tcp://"):
        connect(ADDRESS, JOB, 2)


def test_missing_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "MODULES", ("no_such_module",))
    with pytest.raises(ValueError, match=r"pip install 'take-stones-arena\[cluster\]'$"):
        connect(ADDRESS, JOB)


def test_dask_is_imported_only_for_a_cluster() -> None:
    code = "import arena.bulk.cluster.start, sys; print('distributed' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout == b"False\n"


@pytest.mark.parametrize("spec", ["python:mybot:MyBot", "stdio:./mybot", "program:./mybot"])
def test_users_bots_need_their_files(spec: str) -> None:
    job = replace(JOB, bots={"mine": spec})
    with pytest.raises(ValueError, match=r"^bot mine on a cluster needs --bot-files"):
        connect(ADDRESS, job)


def test_missing_folder_of_bot_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="are not a folder"):
        connect(ADDRESS, replace(JOB, bot_files=tmp_path / "absent"))


def test_missing_certificates() -> None:
    with pytest.raises(ValueError, match=r"^tls needs distributed\.comm\.tls\.ca-file in Dask's"):
        connect("tls://127.0.0.1:8786", JOB)


def test_unreadable_certificates(tmp_path: Path) -> None:
    settings = tls_of(make_certificates(tmp_path))
    (tmp_path / "key").write_text("no key")
    with (
        dask.config.set(settings),
        pytest.raises(ValueError, match=r"^cannot load the certificates of Dask's configuration: "),
    ):
        connect("tls://127.0.0.1:8786", JOB)
