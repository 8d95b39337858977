"""Waits for the state of another process or thread that no event announces.

They leave the processor to what they wait for: a busy loop would take half of a small machine.
"""

import asyncio
import time
from collections.abc import Callable

POLL_INTERVAL = 0.01  # seconds


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    while not condition():
        time.sleep(POLL_INTERVAL)


async def until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds, while the event loop runs."""
    while not condition():
        await asyncio.sleep(POLL_INTERVAL)
