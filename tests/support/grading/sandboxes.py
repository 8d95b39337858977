"""Programs in sandboxes, and what is left of them."""

import time
from pathlib import Path
from typing import Protocol

import psutil

from arena.sandbox.limits import Limits
from arena.sandbox.run import Run
from arena.sandbox.sandbox import Sandbox
from tests.support.servers.arena_server import TEST_TIMEOUT

POLL_INTERVAL = 0.02  # seconds


class Runner(Protocol):
    """Function that runs a program in Python and returns its end."""

    def __call__(
        self,
        text: str,
        *arguments: object,
        limits: Limits = ...,
        writable: tuple[Path, ...] = ...,
        network: bool = ...,
        seconds: float = ...,
        sandbox: Sandbox = ...,
    ) -> Run: ...


def processes_with(marker: str) -> list[int]:
    """Return the processes with a word in their command lines."""
    found = psutil.process_iter(["pid", "cmdline", "status"])
    return [
        process.pid
        for process in found
        if marker in (process.info["cmdline"] or ())
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def wait_for_end_of(marker: str) -> None:
    """Wait until there is no process with a word in its command line."""
    deadline = time.monotonic() + TEST_TIMEOUT
    while left := processes_with(marker):
        assert time.monotonic() < deadline, f"processes {left} are still running"
        time.sleep(POLL_INTERVAL)
