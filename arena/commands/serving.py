"""What the commands that run an arena share."""

import argparse
import asyncio
import itertools
import os
import signal
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import TypeVar

from arena.arguments import Refused
from arena.server import Arena

T = TypeVar("T")


async def listen(arena: Arena, arguments: argparse.Namespace) -> str:
    """Start listening. Returns the URL for bots. Raises Refused."""
    try:
        port = await arena.listen(arguments.host, arguments.port)
    except (OSError, OverflowError, UnicodeError) as error:
        errno = error.errno if isinstance(error, OSError) else None
        # The numbers below 0 are those of a failed look-up of the host.
        reason = os.strerror(errno) if errno and errno > 0 else error
        raise Refused(
            f"cannot listen on {arguments.host} port {arguments.port}: {reason}"
        ) from None
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    return f"ws://{host}:{port}/play"


def new_database() -> Path:
    """A file that is not there yet, named after the time."""
    folder = Path("results")
    folder.mkdir(exist_ok=True)
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    names = itertools.chain([stamp], (f"{stamp}-{number}" for number in itertools.count(2)))
    return next(path for name in names if not (path := folder / f"{name}.db").exists())


def run_until_terminated(coroutine: Coroutine[object, object, T]) -> T:
    """Run to the end. SIGTERM stops it in the same order as Ctrl-C. Returns what it returns."""

    async def until_terminated() -> T:
        task = asyncio.current_task()
        assert task
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await coroutine

    return asyncio.run(until_terminated())


def say(text: str) -> None:
    """Tell the user something on standard error."""
    print(f"arena: {text}", file=sys.stderr, flush=True)
