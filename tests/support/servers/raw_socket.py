"""A raw TCP connection, for tests that send any bytes and control every read."""

import asyncio
import base64
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from arena.protocol.codec import encode
from arena.protocol.player import FromBot
from tests.support.polling import awaited

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
CONTINUATION, UNKNOWN = 0, 3
END, RESERVED = 0x80, 0x40  # bits before the opcode

KEY = base64.b64encode(bytes(16)).decode()
UPGRADE = (
    "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n"
)


def request(path: str = "/play", headers: str = "", method: str = "GET") -> bytes:
    """Return the request of a WebSocket handshake."""
    return f"{method} {path} HTTP/1.1\r\n{UPGRADE}{headers}\r\n".encode()


def frame(data: bytes | FromBot, opcode: int = TEXT, bits: int = END, mask: bool = True) -> bytes:
    """Return a WebSocket frame, valid or not, with a mask of zeros."""
    data = data if isinstance(data, bytes) else encode(data).encode()
    if len(data) < 126:
        length = bytes([len(data) | mask << 7])
    elif len(data) < 2**16:
        length = bytes([126 | mask << 7]) + len(data).to_bytes(2, "big")
    else:
        length = bytes([127 | mask << 7]) + len(data).to_bytes(8, "big")
    return bytes([bits | opcode]) + length + bytes(4 * mask) + data


def frames(received: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield opcode and data of each received frame; the arena's frames are not masked."""
    while received:
        opcode, length, start = received[0] & 15, received[1], 2
        if length == 126:
            length, start = int.from_bytes(received[2:4], "big"), 4
        yield opcode, received[start : start + length]
        received = received[start + length :]


class RawConnection:
    """Client end of a TCP connection."""

    def __init__(self, end: socket.socket) -> None:
        self.socket = end
        self._loop = asyncio.get_running_loop()

    async def send(self, data: bytes) -> None:
        """Send all bytes. Raises ConnectionError."""
        await self._loop.sock_sendall(self.socket, data)

    async def flood(self, data: bytes) -> None:
        """Send the bytes repeatedly until the arena disconnects. Raises ConnectionError."""
        while True:
            await self.send(data * 100)

    async def read(self, end: bytes) -> bytes:
        """Read up to and including some bytes."""
        received = b""
        async with awaited(f"{end!r} from the arena"):
            while not received.endswith(end):
                piece = await self._loop.sock_recv(self.socket, 1)
                assert piece, received
                received += piece
        return received

    async def read_to_end(self) -> bytes:
        """Read up to the end of the connection, regular or not."""
        received = b""
        async with awaited("the end of the connection"):
            with suppress(ConnectionError):
                while piece := await self._loop.sock_recv(self.socket, 2**16):
                    received += piece
        return received

    async def handshake(self, headers: str = "") -> bytes:
        """Open a WebSocket; return the response of the arena."""
        await self.send(request(headers=headers))
        return await self.read(b"\r\n\r\n")

    async def wait_closed(self) -> int | None:
        """Read to the end; return the close code of the arena, None if it sent none."""
        received = [*frames(await self.read_to_end())]
        codes = [int.from_bytes(data[:2], "big") for opcode, data in received if opcode == CLOSE]
        return codes[0] if codes else None


@asynccontextmanager
async def raw_connection(
    url: str, receive_buffer: int | None = None
) -> AsyncIterator[RawConnection]:
    """Open a TCP connection to an arena."""
    address = urlsplit(url)
    with socket.socket() as end:
        end.setblocking(False)
        if receive_buffer:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(end, (address.hostname, address.port))
        yield RawConnection(end)


@asynccontextmanager
async def websocket(url: str, receive_buffer: int | None = None) -> AsyncIterator[RawConnection]:
    """Open a WebSocket without sending a message."""
    async with raw_connection(url, receive_buffer) as result:
        await result.handshake()
        yield result


@asynccontextmanager
async def no_leaks(count: Callable[[], int] | None = None) -> AsyncIterator[None]:
    """Wait at the end until all new tasks have ended and all new descriptors are closed.

    Args:
        count: Returns the number of descriptors that count; by default all do.
    """
    count = count or _descriptors
    tasks, held = asyncio.all_tasks(), count()
    yield
    async with awaited("the end of all tasks and descriptors"):
        while asyncio.all_tasks() - tasks - {asyncio.current_task()} or count() > held:
            await asyncio.sleep(0)


def _descriptors() -> int:
    """Return the number of open descriptors, including one for this listing."""
    return len(os.listdir("/proc/self/fd"))
