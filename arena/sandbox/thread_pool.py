"""Thread pool for work on programs in a sandbox, which can be stopped at any time."""

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from arena.sandbox.process import kill_running

KILL_INTERVAL = 0.1  # seconds

T = TypeVar("T")
S = TypeVar("S")


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
                # Again and again: work whose program is killed may start another one.
                while wait(begun, KILL_INTERVAL).not_done:
                    kill_running()

    def check(self) -> None:
        """Raise Stopped if all work is to stop: a program that has ended may have been killed."""
        if self._is_stopped.is_set():
            raise Stopped
