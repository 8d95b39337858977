"""Programs in sandboxes, and what is left of them."""

from pathlib import Path
from typing import Protocol

import psutil

from arena.sandbox.limits import Limits
from arena.sandbox.run import Run
from arena.sandbox.sandbox import Sandbox
from tests.support.polling import wait_until


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
    wait_until(lambda: not processes_with(marker), f"the end of the processes with {marker}")
