"""Runs of programs in a sandbox to their end, with limited time and output; also in threads."""

import os
import selectors
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from arena.sandbox.limits import Limits, View
from arena.sandbox.private_copy import private_copy
from arena.sandbox.process import WATCH_INTERVAL, SandboxedProcess, kill_running, start
from arena.sandbox.sandbox import Sandbox

MAX_OUTPUT = 64 * 1024  # bytes of each of the two outputs that are kept
READ_SIZE = 64 * 1024  # bytes
LAST_OUTPUT_SECONDS = 1.0  # timeout for the last output of a program that has ended
KILL_INTERVAL = 0.1  # seconds
T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True)
class Run:
    """End of a program.

    Attributes:
        status: The exit status; below 0 for a signal.
        output: The standard output.
        errors: The last bytes of standard error.
        seconds: The wall-clock time.
        excess: The limit that it was killed for, as a clause ("took more than 10 s"), or None.
        is_late: Whether that limit was the time.
    """

    status: int
    output: bytes
    errors: bytes
    seconds: float
    excess: str | None
    is_late: bool = False


class _Reader:
    """Reader of both outputs of a process.

    Attributes:
        output: The first bytes of standard output.
        errors: The last bytes of standard error.
        count: The number of bytes of standard output.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.output = self.errors = b""
        self.count = 0
        self._selector = selectors.DefaultSelector()
        for stream, add in ((process.stdout, self._add_output), (process.stderr, self._add_errors)):
            assert stream
            self._selector.register(stream, selectors.EVENT_READ, add)

    def read(self, seconds: float) -> bool:
        """Read the output of up to `seconds` seconds; return whether more may follow."""
        for key, _ in self._selector.select(seconds):
            if chunk := os.read(key.fd, READ_SIZE):
                key.data(chunk)
            else:
                self._selector.unregister(key.fileobj)
        return bool(self._selector.get_map())

    def close(self) -> None:
        """Stop to read."""
        self._selector.close()

    def _add_output(self, chunk: bytes) -> None:
        self.count += len(chunk)
        self.output += chunk[: MAX_OUTPUT - len(self.output)]

    def _add_errors(self, chunk: bytes) -> None:
        self.errors = (self.errors + chunk)[-MAX_OUTPUT:]


def run(
    sandbox: Sandbox, command: Sequence[str], view: View, limits: Limits, seconds: float
) -> Run:
    """Run a program without input and return its end; it never outlives this call.

    Args:
        sandbox: The sandbox.
        command: The program and its arguments.
        view: The files that it may see.
        limits: Its limits.
        seconds: The wall-clock time after which it is killed.

    Raises:
        OSError: It cannot be started, or its folder cannot be copied.
    """
    with private_copy(sandbox, view) as view:
        return _run(sandbox, command, view, limits, seconds)


def _run(
    sandbox: Sandbox, command: Sequence[str], view: View, limits: Limits, seconds: float
) -> Run:
    late = f"took more than {seconds:.3g} s"
    process = start(sandbox, command, view, limits, stderr=subprocess.PIPE)
    begin = time.monotonic()  # a start may wait for others
    with process.process:
        reader = _Reader(process.process)
        try:
            _follow(process, reader, begin + seconds, late)
        finally:
            status = process.end()
            reader.close()
    elapsed = time.monotonic() - begin
    excess = process.excess
    return Run(status, reader.output, reader.errors, elapsed, excess, excess == late)


def _follow(process: SandboxedProcess, reader: _Reader, deadline: float, late: str) -> None:
    """Read the outputs of a process until its end; kill it if it exceeds a limit."""
    while True:
        is_open = reader.read(WATCH_INTERVAL)
        now = time.monotonic()
        if reader.count > MAX_OUTPUT:  # also of a program that has just ended
            process.kill(f"wrote more than {MAX_OUTPUT} bytes")
        if process.has_ended(0 if is_open else WATCH_INTERVAL):
            # In the background, its children may run and keep the outputs open.
            process.kill()
            if not is_open or now > deadline:
                return
            deadline = min(deadline, now + LAST_OUTPUT_SECONDS)
        elif now > deadline:
            process.kill(late)
        else:
            process.check()


class Stopped(Exception):
    """The end of work because all of it is to stop; its outcome does not count."""


class ProgramThreads:
    """Threads that run programs, and kill what still runs at the end."""

    def __init__(self) -> None:
        self._is_stopped = threading.Event()

    @contextmanager
    def run(
        self, work: Callable[[T], S], items: Iterable[T], threads: int
    ) -> Iterator[list[Future[S]]]:
        """Do the work for each item, in order; stop what is not finished at the end.

        Args:
            work: A function that runs programs, and calls `check` after each of them.
            items: Its arguments.
            threads: The number of items at a time.
        """
        with ThreadPoolExecutor(threads, "programs") as pool:
            futures = [pool.submit(work, item) for item in items]
            try:
                yield futures
            finally:
                self._is_stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                begun = [future for future in futures if not future.cancelled()]
                # Again and again: work may start another program after one was killed.
                while wait(begun, KILL_INTERVAL).not_done:
                    kill_running()

    def check(self) -> None:
        """Raise Stopped if all work is to stop: a program that has ended may have been killed."""
        if self._is_stopped.is_set():
            raise Stopped
