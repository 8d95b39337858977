"""Limits of the tests, and waits for the state of another process or thread.

Where no event announces a state, waits poll. They leave the processor to what they wait for: a
busy loop would take half of a small machine.
"""

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from multiprocessing.process import BaseProcess
from typing import ParamSpec

# A factor for machines that are slow or busy.
PATIENCE = float(os.environ.get("ARENA_TEST_PATIENCE", "1"))

TEST_TIMEOUT = 30.0 * PATIENCE  # seconds that a test waits for one thing
LOOP_TIMEOUT = 3 * TEST_TIMEOUT  # that a test's event loop runs
TEST_LIMIT = 4 * TEST_TIMEOUT  # that a test takes with its fixtures: for pytest-timeout
LONG_TEST_LIMIT = 20 * TEST_TIMEOUT  # that a test of releases takes, which may install packages
EXIT_FACTOR = 1.25  # times the limit, after which the process of a test that hangs in C code exits

POLL_INTERVAL = 0.01  # seconds

P = ParamSpec("P")


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds; fail after TEST_TIMEOUT seconds.

    Args:
        condition: What is checked at intervals.
        what: Names the condition in the message of the failure.
    """
    end = time.monotonic() + TEST_TIMEOUT
    while not condition():
        assert time.monotonic() < end, missed(what)
        time.sleep(POLL_INTERVAL)


async def until(condition: Callable[[], object], what: str) -> None:
    """Wait as `wait_until` does, while the event loop runs."""
    async with awaited(what):
        while not condition():
            await asyncio.sleep(POLL_INTERVAL)


def join(thread: threading.Thread | BaseProcess) -> None:
    """Wait for the end of a thread, or of a process that was forked."""
    thread.join(TEST_TIMEOUT)
    assert not thread.is_alive(), missed(f"the end of {thread.name}")


@asynccontextmanager
async def awaited(what: str) -> AsyncIterator[None]:
    """Fail with the name of what is awaited if the block takes longer than TEST_TIMEOUT seconds."""
    limit = asyncio.timeout(TEST_TIMEOUT)
    try:
        async with limit:
            yield
    except TimeoutError as error:
        if not limit.expired():  # another one's, which the block has raised
            raise
        raise AssertionError(missed(what)) from error


def in_event_loop(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """Run a test in an event loop of its own."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), LOOP_TIMEOUT))

    return run


def missed(what: str) -> str:
    """Return the message for something that has not come in time."""
    return f"waited {TEST_TIMEOUT:g} s in vain for {what}"
