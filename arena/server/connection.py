"""A bot's connection, which costs the others little whoever is at its other end."""

import asyncio
from collections import deque
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State

READ_SIZE = 2048  # bytes read at once: what is in them is all that others wait for
MAX_UNSENT = 1024 * 1024  # bytes that a bot may leave unread before it counts as gone
MAX_PINGS = 50  # pings and pongs within a second


class Connection(ServerConnection, asyncio.BufferedProtocol):
    """Reads little at once, and cuts off who floods it with pings or does not read the answers.

    The library answers pings by itself, as soon as they are read and however many there are.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._piece = bytearray(READ_SIZE)
        self._pings: deque[float] = deque(maxlen=MAX_PINGS)  # when the last ones came

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the server know of it before its handshake, so that it can be ended with it."""
        super().connection_made(transport)
        self.server.all_connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the server forget it: the library would only if the handshake has succeeded."""
        self.server.all_connections.discard(self)
        super().connection_lost(exc)

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002
        """Where asyncio puts what it reads."""
        return self._piece

    def buffer_updated(self, nbytes: int) -> None:
        """Take what asyncio has read."""
        self.data_received(bytes(self._piece[:nbytes]))

    def send_data(self) -> None:
        """Hand to the socket what is to be sent, without waiting."""
        super().send_data()
        # What comes before the connection is open is the answer to the handshake, and the last.
        if self.state is State.OPEN and self.transport.get_write_buffer_size() > MAX_UNSENT:
            self.transport.abort()

    def process_event(self, event: Event) -> None:
        """Take a request or a frame."""
        super().process_event(event)
        if isinstance(event, Frame) and event.opcode in {Opcode.PING, Opcode.PONG}:
            self._pings.append(self.loop.time())
            if len(self._pings) == MAX_PINGS and self._pings[-1] - self._pings[0] < 1:
                self.transport.abort()
