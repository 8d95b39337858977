"""A connection of an attacker, below or with WebSockets, and its end."""

import asyncio
import math
import socket
import struct
import time
from collections.abc import Awaitable

from bench.arena.simulated_bots import PING, PONG, frame

HOST = "127.0.0.1"
ADDRESSES = "127.0.0.%d"  # from 2 on: attackers do not share the address of the honest bots
IP_BIND_ADDRESS_NO_PORT = 24  # ip(7); Python has no name for it
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends RST
SEND_BUFFER = 128 * 1024  # bytes in the kernel, so that a connection that is not read is noticed
MAX_UNREAD = 2**20  # bytes that a client keeps
STALLED = 0.5  # seconds without progress, from which on a connection counts as throttled
LASTING = 2.0  # seconds from which on an open connection that is not stalled counts

UPGRADE = (
    "Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)
CLOSE = 0x88  # first byte of a close frame


def request(path: str, headers: str = UPGRADE, method: str = "GET") -> bytes:
    """Return a request, by default a WebSocket handshake."""
    return f"{method} {path} HTTP/1.1\r\n{headers}\r\n".encode()


class Client(asyncio.Protocol):
    """One connection of an attacker.

    Attributes:
        number: The number of the connection, different in each of an attack.
        ignores_close: Whether to go on after a close frame, until the arena closes the socket;
            else the client reconnects at once.
    """

    transport: asyncio.Transport

    def __init__(self, port: int, number: int, addresses: int) -> None:
        self.number = number
        self.sent = 0  # bytes that the kernel has taken
        self.ignores_close = False
        self._port = port
        self._address = ADDRESSES % (2 + number % addresses)
        self._received = b""  # since the last answer
        self._arrived = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._waiting_since: float | None = None
        self._connected_at = math.inf
        self._is_open = False

    # Of the library

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._connected_at = time.monotonic()
        self._is_open = True
        transport.set_write_buffer_limits(0)

    def data_received(self, data: bytes) -> None:
        """Store the end of the data for `receive`, and answer pings that come alone."""
        if data[0] == 0x80 | PING and len(data) == 2 + data[1]:
            self.transport.write(frame(PONG, data[2:]))
        self._received = (self._received + data)[-MAX_UNREAD:]
        self._arrived.set()
        if not self.ignores_close and self.close_code:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Let waiting calls fail."""
        self._is_open = False
        self._arrived.set()
        self._writable.set()

    def pause_writing(self) -> None:
        """Let `send` wait."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Let `send` go on."""
        self._writable.set()

    # For scripts

    async def connect(self, receive_buffer: int = 0) -> None:
        """Open the TCP connection."""
        loop = asyncio.get_running_loop()
        end = socket.socket()
        end.setblocking(False)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)  # or ports would run out
        end.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        if receive_buffer:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        end.bind((self._address, 0))
        try:
            await self._wait(loop.sock_connect(end, (HOST, self._port)))
        except BaseException:
            end.close()
            raise
        await loop.create_connection(lambda: self, sock=end)

    async def open(self, path: str, headers: str = "", receive_buffer: int = 0) -> None:
        """Open a WebSocket. Raises Refused."""
        await self.connect(receive_buffer)
        await self.send(request(path, UPGRADE + headers))
        status = await self.status()
        if status != 101:
            raise Refused(status)

    async def send(self, data: bytes) -> None:
        """Send bytes, and wait until the kernel has taken them."""
        self.transport.write(data)
        if not self._writable.is_set():
            await self._wait(self._writable.wait())
        await asyncio.sleep(0)
        if not self._is_open:
            raise ConnectionError
        self.sent += len(data)

    async def flood(self, data: bytes) -> None:
        """Send bytes repeatedly until the connection ends."""
        while True:
            await self.send(data)

    async def receive(self, end: bytes = b"") -> bytes:
        """Return the bytes received since the last call, at least up to `end`."""
        while end not in self._received or not self._received:
            self._arrived.clear()
            if not self._is_open:
                raise ConnectionError
            await self._wait(self._arrived.wait())
        result, self._received = self._received, b""
        return result

    async def status(self) -> int:
        """Wait for an HTTP response and return its status."""
        head = await self.receive(b"\r\n\r\n")
        return int(head.split(b" ", 2)[1])

    async def wait_closed(self) -> None:
        """Wait until the arena ends the connection; it always raises ConnectionError."""
        while self._is_open:
            self._arrived.clear()
            await self._arrived.wait()
        raise ConnectionError

    def abort(self) -> None:
        """Close the connection at once, if it is open."""
        if self._is_open:
            self.transport.abort()

    # For the report

    @property
    def is_stalled(self) -> bool:
        """Whether the connection has something to send or awaits an answer for a while."""
        since = self._waiting_since
        return since is not None and time.monotonic() - since >= STALLED

    @property
    def is_lasting(self) -> bool:
        """Whether the connection has been open for a while, and is not stalled."""
        return not self.is_stalled and time.monotonic() - self._connected_at >= LASTING

    @property
    def close_code(self) -> int | None:
        """The code of the close frame at the end of the received data."""
        data = self._received
        for at in range(max(0, len(data) - 127), len(data) - 3):
            if data[at] == CLOSE and data[at + 1] == len(data) - at - 2:
                return int.from_bytes(data[at + 2 : at + 4], "big")
        return None

    async def _wait(self, what: Awaitable[object]) -> None:
        self._waiting_since = time.monotonic()
        await what
        self._waiting_since = None


class Refused(ConnectionError):
    """An HTTP status instead of a WebSocket."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
