"""WebSocket connection of a player, with bounded cost for the rest of the arena."""

import asyncio
from collections import deque
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidMessage
from websockets.frames import Frame, Opcode
from websockets.protocol import SEND_EOF, Event, State

from arena.server.http import respond_to_malformed

READ_SIZE = 2048  # bytes read at once, which bounds how long one connection keeps the loop busy
MAX_UNSENT = 1024 * 1024  # bytes of the send buffer beyond which a client is disconnected
TLS_HANDSHAKE = 22  # the first byte of a connection with TLS (RFC 8446, 5.1), and of no request
MAX_PINGS = 50  # pings and pongs within a second


class Connection(ServerConnection, asyncio.BufferedProtocol):
    """A connection that reads little at once and enforces limits on pings and the send buffer.

    The library answers every ping by itself as soon as it is read, without any limit.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._read_buffer = bytearray(READ_SIZE)
        self._ping_times: deque[float] = deque(maxlen=MAX_PINGS)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register with the server before the handshake, so that a shutdown closes it too."""
        super().connection_made(transport)
        self.server.all_connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Deregister from the server: the library does so only after a successful handshake."""
        self.server.all_connections.discard(self)
        super().connection_lost(exc)

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002
        """Return the buffer into which asyncio reads."""
        return self._read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Process the bytes that asyncio has read."""
        self.data_received(bytes(self._read_buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Parse data; TLS in place of a request is malformed at once."""
        if self.request is None and data[0] == TLS_HANDSHAKE:
            data = b"TLS\r\n"  # the parser would wait for the end of a line, which may never come
        super().data_received(data)

    def send_data(self) -> None:
        """Hand pending data to the socket without waiting; disconnect a client that reads none."""
        self._answer_malformed()
        super().send_data()
        # Before the connection is open, the only data is the answer to the handshake.
        if self.state is State.OPEN and self.transport.get_write_buffer_size() > MAX_UNSENT:
            self.transport.abort()

    def _answer_malformed(self) -> None:
        """Answer a request that the library cannot parse, before it ends the connection."""
        failure = self.protocol.handshake_exc
        is_ending = self.protocol.writes == [SEND_EOF] and not self.protocol.reader.eof
        if is_ending and isinstance(failure, InvalidMessage):
            self.transport.write(respond_to_malformed(self, failure).serialize())

    def process_event(self, event: Event) -> None:
        """Process a request or a frame; disconnect a client that floods with pings."""
        super().process_event(event)
        if isinstance(event, Frame) and event.opcode in {Opcode.PING, Opcode.PONG}:
            self._ping_times.append(self.loop.time())
            if (
                len(self._ping_times) == MAX_PINGS
                and self._ping_times[-1] - self._ping_times[0] < 1
            ):
                self.transport.abort()
