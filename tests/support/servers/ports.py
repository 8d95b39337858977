"""Ports that are known before a server listens at them."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserved_port() -> Iterator[int]:
    """Yield a port of 127.0.0.1 that nobody else is given until the end of the context.

    A server that sets SO_REUSEADDR, as those of asyncio and nginx do, can listen at it.
    """
    with socket.socket() as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        port = int(reserved.getsockname()[1])
        if sys.platform != "linux":  # elsewhere no server can listen beside it
            reserved.close()
        yield port
