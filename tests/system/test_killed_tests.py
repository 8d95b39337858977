"""Runs of the tests that are killed: neither processes nor temporary files are left."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from tests.support.polling import wait_until
from tests.support.reaper import VARIABLE

ROOT = Path(__file__).parents[2]
MARK = "ARENA_TEST_MARK"

HANGS = """
import os, signal, tempfile
from pathlib import Path
from tests.support.servers.arena_command import COMMAND, wait_for_url

FOLDER = Path(os.environ["FOLDER"])

def test_first(launch, tmp_path):
    server = launch(*COMMAND, "serve", "--db", tmp_path / "arena.db", "--port", "0")
    wait_for_url(server)
    launch("sleep", "3600")
    Path(tempfile.mkdtemp(), "file").touch()
    (FOLDER / "new").write_text(str(os.getpid()))
    (FOLDER / "new").rename(FOLDER / "pid")
    signal.pause()
"""


class HangingRun:
    """A run of tests that hangs while a server runs."""

    def __init__(self, folder: Path, mark: str, process: subprocess.Popen[str]) -> None:
        self.folder = folder
        self.process = process
        self._mark = mark

    def kill(self) -> None:
        """Kill the first process of the run, when a test hangs."""
        wait_until((self.folder / "pid").exists, "the test to hang")
        assert [*self.folder.glob("tmp/arena-tests-*/*/file")]
        assert {"sleep", "serve"} <= {word for words in self.commands() for word in words}
        self.process.kill()

    def commands(self) -> list[list[str]]:
        """Return the command lines of the processes of the run."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get(MARK) == self._mark:
                    found.append(process.cmdline())
        return found


@contextmanager
def hanging_tests(folder: Path, *options: str) -> Iterator[HangingRun]:
    (folder / "tmp").mkdir()
    (folder / "test_hanging.py").write_text(HANGS)
    mark = str(uuid.uuid4())
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name != VARIABLE and not name.startswith("PYTEST_")
    }
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    with subprocess.Popen(
        [*command, "-p", "no:randomly", *options, "--rootdir", folder, folder / "test_hanging.py"],
        cwd=ROOT,
        env={
            **inherited,
            MARK: mark,
            "FOLDER": str(folder),
            "TMPDIR": str(folder / "tmp"),
            "PYTEST_DEBUG_TEMPROOT": str(folder),
        },
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield HangingRun(folder, mark, process)
        finally:
            process.kill()


@pytest.mark.parametrize("options", [(), ("--numprocesses", "1")], ids=["alone", "with a worker"])
def test_a_killed_run_leaves_nothing(tmp_path: Path, options: tuple[str, ...]) -> None:
    with hanging_tests(tmp_path, *options) as tests:
        tests.kill()
        wait_until(lambda: not tests.commands(), "the end of all processes")
        wait_until(lambda: not [*tmp_path.glob("tmp/*")], "the removal of the temporary files")
