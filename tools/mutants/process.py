"""Processes with a time limit, which leave none of their own behind."""

import os
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

MARK = "MUTANT_RUN"  # an environment variable: a test's servers have sessions of their own


class Ended(NamedTuple):
    """The end of a process: its status, None after the time limit, and its output."""

    status: int | None
    output: str


def run(command: Sequence[str], cwd: Path, env: Mapping[str, str], limit: float) -> Ended:
    """Run a command for at most `limit` seconds, and end all processes that it has started."""
    mark = uuid.uuid4().hex
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**os.environ, **env, MARK: mark},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        status = None
        try:
            with suppress(subprocess.TimeoutExpired):
                status = process.wait(limit)
        finally:
            process.kill()
            process.wait()
            _end_marked(mark)
        output.seek(0)
        return Ended(status, output.read())


def _end_marked(mark: str) -> None:
    """End the processes that have inherited a mark: only Linux shows the environment of others."""
    entry = f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if entry in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
