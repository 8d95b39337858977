"""WebSocket connection of a client, with bounded cost for the rest of the arena."""

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode
from websockets.http11 import Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from arena.network.addresses import is_loopback, network_of
from arena.network.budget import Budget
from arena.network.frame_scanner import FrameScanner
from arena.network.slow_lane import SlowLane

READ_SIZE = 2048  # bytes read at once, which bounds how long one connection keeps the loop busy
READ_BUFFER = memoryview(bytearray(READ_SIZE))  # of all connections: it is emptied at once
MAX_UNSENT = 1024 * 1024  # bytes of the send buffer beyond which a client gets no more data
MAX_REQUEST = 16 * 1024  # bytes, which the library keeps as long as the connection
END_OF_REQUEST = b"\r\n\r\n"
TLS_HANDSHAKE = b"\x16"  # how TLS begins (RFC 8446, 5.1), and no request

# The budget of a connection, in units: one for each read and for each frame.
FIRST_UNITS = 40  # at the start
MAX_UNITS = 100
UNITS_PER_SECOND = 1.0
REFUND = 4  # for a useful message: its read, its frame, and those of a useless one
TURN_UNITS = 8  # for a turn in the slow lane

OnWork = Callable[["Connection", float], None]
"""Receives the seconds that the event loop has spent on the input of a connection."""


class Connection(ServerConnection, asyncio.BufferedProtocol):
    """A connection that is read as far as its budget goes, and then in turn with others.

    Its bytes are decoded one frame at a time, and only frames that it has units for.

    Attributes:
        address: Address of the client: that of the peer until the admission knows better.
        network: The network that counts as this address.
        source: The client to which the work of this connection is attributed: its network; for
            programs on this machine, also the port.
    """

    def __init__(
        self,
        protocol: ServerProtocol,
        server: Server,
        lane: SlowLane,
        on_work: OnWork,
        **settings: Any,
    ) -> None:
        """Create a connection.

        Args:
            protocol: The WebSocket protocol of the library.
            server: The server of the library.
            lane: Where the connection waits for turns if its budget is used up.
            on_work: Receives the time spent on its input.
            settings: The settings of the library's connection.
        """
        super().__init__(protocol, server, **settings)
        self.address = self.network = self.source = ""
        self._lane = lane
        self._on_work = on_work
        self._budget = Budget(FIRST_UNITS, MAX_UNITS, UNITS_PER_SECOND, self.loop.time())
        self._scanner = FrameScanner()
        self._held = b""  # read, and not decoded yet
        self._request_tail = b""  # the last decoded bytes of the request
        self._request_size = 0  # bytes of the request so far
        self._is_queue_full = False
        self._lane_address = ""  # under which it waits for a turn; empty while it does not

    def set_address(self, address: str) -> None:
        """Set the address of the client."""
        self.address = address
        self.network = network_of(address)
        self.source = self.network
        if is_loopback(address):
            self.source = f"{address} port {(self.remote_address or (0, 0))[1]}"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register with the server before the handshake, so that a shutdown closes it too."""
        super().connection_made(transport)
        self.set_address((self.remote_address or ("unknown",))[0])
        self.recv_messages.pause = lambda: self._set_queue_full(True)
        self.recv_messages.resume = lambda: self._set_queue_full(False)
        self.server.all_connections.add(self)
        if not self.server.is_serving():
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Deregister from the server: the library does so only after a successful handshake."""
        self._wait_for_turn(False)
        self.server.all_connections.discard(self)
        super().connection_lost(exc)

    def start_keepalive(self) -> None:
        """Start the pings after the handshake, and decode the bytes behind the request."""
        super().start_keepalive()
        self._advance()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002
        """Return the buffer into which asyncio reads."""
        return READ_BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """Process the bytes that asyncio has read."""
        self._budget.spend(1)
        self._held += READ_BUFFER[:nbytes]
        self._advance()

    def send_data(self) -> None:
        """Hand pending data to the socket without waiting; disconnect a client that reads none."""
        pieces = self.protocol.data_to_send()
        if self.transport.is_closing():
            return
        # Before the connection is open, the only data is the answer to the handshake. One message
        # may be longer than the limit: a client that reads gets it.
        if self.state is State.OPEN and self.transport.get_write_buffer_size() > MAX_UNSENT:
            self.transport.abort()
            return
        if data := b"".join(pieces):  # a flood of pings makes many pieces
            self.transport.write(data)
        if pieces == [SEND_EOF]:
            self._answer_malformed()
        if pieces and pieces[-1] == SEND_EOF:
            self.transport.write_eof()

    def _answer_malformed(self) -> None:
        """Answer a request that the library cannot parse, before the end of the connection."""
        failure = self.protocol.handshake_exc
        if isinstance(failure, InvalidMessage) and not self.protocol.reader.eof:
            self.transport.write(self.respond_to_malformed(failure).serialize())

    def respond_to_malformed(self, error: BaseException) -> Response:
        """Return the response to a request that cannot be parsed, has a body or no valid host."""
        reason = str(error.__cause__ or error)
        return self.respond(HTTPStatus.BAD_REQUEST, f"Malformed request: {reason:.200}.\n")

    def refund(self) -> None:
        """Give units back for a useful message."""
        self._budget.add(REFUND)
        if self._lane_address:
            self._advance()

    def charge(self, units: float) -> None:
        """Remove units for other work than reading."""
        self._budget.spend(units)

    def _advance(self) -> None:
        """Decode as much as the budget allows; then read on, or wait for a turn."""
        if self.transport.is_closing():
            return
        started = self.loop.time()
        if self.state is State.CONNECTING:
            self._decode_request()
        else:
            self._decode_frames(started)
        now = self.loop.time()
        self._on_work(self, now - started)
        waits = self._budget.available(now) < 1
        if waits or self._lane_address:
            self._wait_for_turn(waits)
            self._update_reading()

    def _decode_request(self) -> None:
        """Decode up to the end of the request; the rest waits until the handshake is over."""
        if self.protocol.eof_sent:  # the request is answered, and more is not read
            self._held = b""
        if self.request or not self._held:
            return
        if not self._request_tail and self._held.startswith(TLS_HANDSHAKE):
            self._held = b"TLS\r\n"  # the parser would wait for the end of a line
        seen = self._request_tail + self._held
        end = seen.find(END_OF_REQUEST)
        size = end + len(END_OF_REQUEST) - len(self._request_tail) if end >= 0 else len(self._held)
        self._request_tail = bytes(seen[1 - len(END_OF_REQUEST) :])
        self._request_size += size
        if self._request_size > MAX_REQUEST:
            self._refuse_long_request()
        else:
            self._decode(size)

    def _refuse_long_request(self) -> None:
        """Answer as the library does where a line is too long."""
        text = f"A request must have at most {MAX_REQUEST} bytes.\n"
        response = self.respond(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, text)
        self.protocol.send_response(response)
        self._held = b""
        self.data_received(b"")  # the library sends it

    def _decode_frames(self, now: float) -> None:
        found = self._scanner.scan(self._held, max(0, int(self._budget.available(now))))
        self._budget.spend(found.frames)
        self._decode(found.size)
        if self._scanner.is_fragmented:
            self.protocol.fail(CloseCode.POLICY_VIOLATION, "fragments")
            self._held = b""
            self.data_received(b"")  # the library sends the end
            self.loop.call_later(self.close_timeout or 0.0, self.transport.abort)

    def _decode(self, size: int) -> None:
        """Pass bytes on to the library."""
        if size:
            data, self._held = self._held[:size], self._held[size:]
            self.data_received(data)

    def _wait_for_turn(self, waits: bool) -> None:
        if waits and not self._lane_address:
            self._lane_address = self.network
            self._lane.enter(self._lane_address, self, TURN_UNITS, self._take_turn)
        elif self._lane_address and not waits:
            self._lane.leave(self._lane_address, self)
            self._lane_address = ""

    def _take_turn(self) -> None:
        self._lane_address = ""
        self._budget.add(TURN_UNITS)
        self._update_reading()
        self._advance()

    def _set_queue_full(self, is_full: bool) -> None:
        self._is_queue_full = is_full
        self._update_reading()

    def _update_reading(self) -> None:
        if self._lane_address or self._is_queue_full:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()
