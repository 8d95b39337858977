"""Process that removes what a run of tests leaves: processes, and temporary files.

Fixtures do that as well, but nobody runs them after SIGKILL. The process waits for the end of its
parent, then kills all processes that have inherited a variable from it.
"""

import os
import secrets
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress

import psutil

VARIABLE = "ARENA_TEST_RUN"  # one part for each pytest on the way to a process, as in "/1f/8a"
COVERAGE = "COVERAGE_PROCESS_CONFIG"

CHECK_SECONDS = 0.5
ATTEMPTS = 20  # a process may have started another one
ATTEMPT_SECONDS = 0.5
END_SECONDS = 20.0


def start() -> Callable[[], None]:
    """Start the process for this pytest; return a function that ends both its work and it.

    The first pytest of a run also gets a folder for the temporary files of all processes. Those of
    fixtures are not in it: pytest keeps them of failed tests.
    """
    outer = os.environ.get(VARIABLE, "")
    mark = f"{outer}/{secrets.token_hex(8)}"
    folder = "" if outer else _create_folder()
    environment = {name: value for name, value in os.environ.items() if name != COVERAGE}
    process = subprocess.Popen(
        [sys.executable, __file__, mark, folder],
        stdin=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # a terminal sends Ctrl-C to all processes of a session
    )
    os.environ[VARIABLE] = mark
    return lambda: _stop(process)


def _create_folder() -> str:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    tempfile.tempdir = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="arena-tests-")
    os.chmod(tempfile.tempdir, 0o1777)  # some tests run as another user
    return tempfile.tempdir


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.communicate(timeout=END_SECONDS)


def main(mark: str, folder: str) -> None:
    """Wait for the end of the parent or of the input, then remove what is left."""
    parent = os.getppid()
    while os.getppid() == parent:
        if select.select([sys.stdin], [], [], CHECK_SECONDS)[0]:
            break
    for _ in range(ATTEMPTS):
        found = processes_of(mark)
        if not found:
            break
        for process in found:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found, timeout=ATTEMPT_SECONDS)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def processes_of(mark: str) -> set[psutil.Process]:
    """Return the processes with a mark in their environment, and all of their children."""
    found = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(VARIABLE, "").startswith(mark):
                found |= {process, *process.children(recursive=True)}
    return {process for process in found if process.is_running() and not _is_zombie(process)}


def _is_zombie(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


if __name__ == "__main__":
    main(*sys.argv[1:])
