"""What the commands that run an arena share."""

import argparse
import asyncio
import itertools
import os
import signal
import socket
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from arena.cli.arguments import Refused, origins
from arena.server.admission import Door, is_loopback
from arena.server.server import Arena
from arena.server.tokens import Identities, TokensError

T = TypeVar("T")

EVERYWHERE = {"0.0.0.0", "::"}  # hosts to listen on, but no places to go to


def door(arguments: argparse.Namespace) -> Door:
    """Who is let in. Raises Refused if that may be any stranger and nobody has said so."""
    is_alone = is_only_here(arguments)
    if not (arguments.tokens or arguments.open or is_alone):
        raise Refused(
            f"--host {arguments.host} lets strangers in: give --tokens FILE, or --open if any name"
            " is free for anybody"
        )
    try:
        identities = Identities(arguments.tokens, say) if arguments.tokens else None
    except TokensError as error:
        raise Refused(str(error)) from None
    is_behind = getattr(arguments, "behind_proxy", False)  # which no tournament is
    return Door(
        identities,
        origins(arguments),
        arguments.connections,
        behind_proxy=is_behind,
        any_name=is_behind or not is_alone,
    )


def is_only_here(arguments: argparse.Namespace) -> bool:
    """Whether the host is this machine alone, by all of its addresses. Raises Refused."""
    if not arguments.host:  # which stands for all of them
        return False
    try:
        found = socket.getaddrinfo(arguments.host, None)
    except (OSError, UnicodeError) as error:
        raise _cannot_listen(arguments, error) from None
    return all(is_loopback(str(address[0])) for *_, address in found)


async def listen(arena: Arena, arguments: argparse.Namespace) -> str:
    """Start listening. Returns the URL for bots. Raises Refused."""
    try:
        port = await arena.listen(arguments.host, arguments.port)
    except (OSError, OverflowError, UnicodeError) as error:
        raise _cannot_listen(arguments, error) from None
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    return f"ws://{host}:{port}/play"


def page_of(url: str) -> str:
    """Where a browser finds the page of an arena that bots find at a URL."""
    address = urlsplit(url)
    host = "localhost" if address.hostname in EVERYWHERE else address.netloc.rpartition(":")[0]
    return f"http://{host}:{address.port}/"


def _cannot_listen(arguments: argparse.Namespace, error: Exception) -> Refused:
    errno = error.errno if isinstance(error, OSError) else None
    # The numbers below 0 are those of a failed look-up of the host.
    reason = os.strerror(errno) if errno and errno > 0 else error
    return Refused(f"cannot listen on {arguments.host} port {arguments.port}: {reason}")


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
