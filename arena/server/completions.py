"""Results of another thread, delivered to the event loop by one wake-up for many of them.

`asyncio.wrap_future` writes to the loop's pipe for each future, and lets the loop run, while the
other thread is about to complete the next one.
"""

import asyncio
import threading
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class Completions:
    """Futures of another thread that tasks of one event loop wait for."""

    def __init__(self) -> None:
        self._done: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._lock = threading.Lock()

    def wait(self, future: Future[T]) -> asyncio.Future[T]:
        """Return an awaitable for the result of a future, which goes on if that is cancelled."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()
        future.add_done_callback(partial(self._complete, loop, waiting))
        return waiting

    def _complete(
        self, loop: asyncio.AbstractEventLoop, waiting: asyncio.Future[T], done: Future[T]
    ) -> None:
        """Wake the loop up, unless it is going to look.

        Called in the other thread, or in the loop's for a future that is done already.
        """
        with self._lock:  # of two threads that append at once, one must see that it is the first
            self._done.append((waiting, done))
            is_first = len(self._done) == 1
        if is_first:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        while self._done:
            waiting, done = self._done.popleft()
            if waiting.done():  # cancelled
                continue
            if error := done.exception():
                waiting.set_exception(error)
            else:
                waiting.set_result(done.result())
