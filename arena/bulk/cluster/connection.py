"""Connection to the scheduler of a Dask cluster."""

import asyncio
import logging
import warnings
from collections.abc import Awaitable
from concurrent.futures import CancelledError
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

from distributed import Client
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 20.0  # timeout of a request to the scheduler or to workers
CLOSE_SECONDS = 5.0
# Dask logs every lost connection, at times with a traceback; the executor reports what matters.
LOGGERS = "distributed", "distributed.client", "distributed.gc", "tornado.application"

Cluster = AbstractAsyncContextManager[tuple[str, Security]]
"""A cluster in use: the address of its scheduler, and the certificates."""


class ConnectionLost(Exception):
    """The scheduler has ended, cannot be reached or does not answer. The text is one line."""


async def connect_client(address: str, security: Security) -> Client:
    """Return a client that is connected. Raises ConnectionLost."""
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client = Client(
        address,
        asynchronous=True,
        timeout=CONNECT_SECONDS,
        security=security,
        set_as_default=False,
        direct_to_workers=False,  # the driver need not reach the workers
    )
    try:
        # The arena compares the versions itself, and only of the workers that it uses.
        with warnings.catch_warnings(category=VersionMismatchWarning, action="ignore"):
            await answer(client, CONNECT_SECONDS)
    except ConnectionLost:
        await close_client(client)
        raise
    return client


async def close_client(client: Client) -> None:
    """Close a connection; the scheduler drops its tasks and its run."""
    with suppress(OSError, TimeoutError):
        await asyncio.wait_for(client._close(), CLOSE_SECONDS)


async def answer(request: Awaitable[Any], seconds: float | None = None) -> Any:
    """Wait for an answer, at most `ANSWER_SECONDS` by default. Raises ConnectionLost."""
    seconds = ANSWER_SECONDS if seconds is None else seconds
    try:
        return await asyncio.wait_for(request, seconds)
    except TimeoutError:
        raise ConnectionLost(f"no answer within {seconds:g} s") from None
    except (OSError, ImportError, CancelledError) as error:
        raise ConnectionLost(one_line(error)) from None


def one_line(error: BaseException) -> str:
    """Return an error as text without line breaks."""
    return " ".join(str(error).split()) or type(error).__name__
