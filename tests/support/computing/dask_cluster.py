"""Schedulers and workers of Dask in processes of their own, on 127.0.0.1."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.support.polling import TEST_TIMEOUT, join, missed

LOCALHOST = "127.0.0.1"
QUIET = ["--no-dashboard", "--dashboard-address", f"{LOCALHOST}:0"]


class DaskProcess:
    """`dask scheduler` or `dask worker`; its log tells when it has started.

    Attributes:
        address: The address at which it listens.
    """

    def __init__(
        self, folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--host", LOCALHOST, *QUIET],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        self._address: str | None = None
        self._lines: list[str] = []
        self._has_started = threading.Event()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self._lines.append(line)
            found = re.search(r"(?:Scheduler|Start worker) at: +(\S+)", line)
            if found:
                self._address = found[1]
            if "Scheduler at:" in line or "Registered to:" in line:
                self._has_started.set()
        self._has_started.set()

    @property
    def address(self) -> str:
        assert self._has_started.wait(TEST_TIMEOUT), missed("the start of Dask")
        assert self._address, "".join(self._lines)
        return self._address

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait(self) -> None:
        self._process.wait(TEST_TIMEOUT)

    def kill(self) -> None:
        self._process.kill()
        self._end()

    def stop(self) -> None:
        """End it as a user does; its coverage is stored."""
        self._process.terminate()
        self._end()

    def _end(self) -> None:
        self._process.wait(TEST_TIMEOUT)
        join(self._reader)
        assert self._process.stderr
        with suppress(OSError):
            self._process.stderr.close()


def other_version(folder: Path) -> dict[str, str]:
    """Return the environment of processes that seem to have another version of msgspec, 9.9."""
    info = folder / "other" / "msgspec-9.9.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: msgspec\nVersion: 9.9\n")
    return {"PYTHONPATH": str(info.parent)}


class DaskCluster:
    """A scheduler and its workers, from `with` to its end."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str] | None = None, protocol: str = "tcp"
    ) -> None:
        self._folder = folder
        self._environment = environment or {}
        self._protocol = ["--protocol", protocol]
        self.scheduler = self._start_scheduler("0")
        self.workers: list[DaskProcess] = []

    def _start_scheduler(self, port: str) -> DaskProcess:
        arguments = ["scheduler", "--port", port, *self._protocol]
        return DaskProcess(self._folder, *arguments, environment=self._environment)

    @property
    def address(self) -> str:
        return self.scheduler.address

    def add_worker(
        self, threads: int = 1, environment: Mapping[str, str] | None = None
    ) -> DaskProcess:
        number = len(self.workers)
        folder = self._folder / f"worker{number}"
        folder.mkdir(exist_ok=True)
        options = ["--no-nanny", "--nthreads", str(threads), "--local-directory", str(folder)]
        worker = DaskProcess(
            self._folder,
            "worker",
            self.address,
            *options,
            *self._protocol,
            environment={**self._environment, **(environment or {})},
        )
        self.workers.append(worker)
        return worker

    def restart_scheduler(self) -> None:
        """Kill the scheduler and start one at its address; workers end with the old one."""
        port = self.address.rpartition(":")[2]
        self.scheduler.kill()
        self.scheduler = self._start_scheduler(port)

    def __enter__(self) -> "DaskCluster":
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
