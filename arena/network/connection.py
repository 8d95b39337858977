"""WebSocket connection of a client, with bounded cost for the rest of the arena."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from http import HTTPStatus
from typing import Any, TypeVar

from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from arena.model.addresses import is_loopback, network_of
from arena.network.budget import UNIT_SECONDS, Budget, ThrottledQueue
from arena.network.frames import FrameScanner, Outbox, read_text_message, text_frame
from arena.network.tcp_info import acknowledged_bytes, kernel_round_trip
from arena.network.trace import ConnectionTrace
from arena.network.work_time import work_time

READ_SIZE = 2048  # bytes read at once, which bounds how long one connection keeps the loop busy
READ_BUFFER = memoryview(bytearray(READ_SIZE))  # of all connections: it is emptied at once
DROPPED = memoryview(bytearray(65_536))  # the same for bytes that are not looked at
MAX_UNSENT = 1024 * 1024  # bytes of the send buffer beyond which a client gets no more data
MAX_REQUEST = 16 * 1024  # bytes, which the library keeps as long as the connection
END_OF_REQUEST = b"\r\n\r\n"
REQUEST_TIMEOUT = 10.0  # seconds for the HTTP request of the handshake
# Seconds in which a client must read this many bytes of what waits for it, or the rest.
STALL_TIMEOUT, LEAST_READ = 20.0, 64 * 1024
BRIEF_SECONDS = 2.0  # that a connection lasts at most while file descriptors are short
# An attribute of an enumeration is slow to read.
CONNECTING, OPEN = State.CONNECTING, State.OPEN
CONT, TEXT, BINARY = Opcode.CONT, Opcode.TEXT, Opcode.BINARY
DATA_OPCODES = CONT, TEXT, BINARY
TLS_HANDSHAKE = b"\x16"  # how TLS begins (RFC 8446, 5.1), and no request

# The budget of a connection, in units: one for each read and for each frame, and those that pay for
# the time that its input takes, whatever it is.
FIRST_UNITS = 40  # at the start
MAX_UNITS = 100
UNITS_PER_SECOND = 1.0
REFUND = 4  # for a useful message: its read, its frame, and those of a useless one
TURN_UNITS = 8  # for a turn in the throttled queue

T = TypeVar("T")

OnWork = Callable[[str, float], None]
"""Receives a client (`Connection.source`), and the seconds of work on its input."""

OnMessage = Callable[[str | bytes, float], bool]
"""Processes a message, a text or a binary one, that has arrived at a time of the event loop.

Returns whether it was useful.
"""


def do_nothing() -> None:
    """Do nothing."""


class Connection(ServerConnection, asyncio.BufferedProtocol):
    """A connection that is read as far as its budget goes, and then in turn with others.

    Its bytes are decoded one frame at a time, and only frames that it has units for. The library
    does that, except for messages of one text frame once `handle_messages` has been called.

    Attributes:
        address: Address of the client: that of the peer until the admission knows better.
        network: The network that counts as this address.
        asker: The client by which its questions take turns: its network; in a trusted network, also
            the port.
        source: The client to which the work of this connection is attributed: its network; for
            programs on this machine, also the port.
        is_brief: Whether it may last only for a plain request.
        trace: Where messages are written; None writes none.
    """

    # Slots, as a turn then reads few cache lines of a connection. Of more than 30 other attributes
    # each connection would have a table of its own.
    __slots__ = (
        "_budget",
        "_end_of_messages",
        "_fragments",
        "_held",
        "_is_direct",
        "_is_half_closed",
        "_is_local",
        "_is_queue_full",
        "_on_message",
        "_on_settled",
        "_on_work",
        "_outbox",
        "_request_size",
        "_request_tail",
        "_request_timer",
        "_scanner",
        "_stall_timer",
        "_throttled",
        "_throttled_address",
        "_useful_seconds",
        "_work",
        "address",
        "asker",
        "is_brief",
        "network",
        "source",
        "trace",
    )

    def __init__(
        self,
        protocol: ServerProtocol,
        server: Server,
        throttled: ThrottledQueue,
        outbox: Outbox,
        on_work: OnWork,
        is_brief: bool,
        on_settled: Callable[[], object],
        **settings: Any,
    ) -> None:
        """Create a connection.

        Args:
            protocol: The WebSocket protocol of the library.
            server: The server of the library.
            throttled: Where the connection waits for turns if its budget is used up.
            outbox: Where the messages wait that follow from several messages of one read.
            on_work: Receives the time of the work on its input.
            is_brief: Whether it may last only for a plain request, as file descriptors are short.
            on_settled: Called when it has become a WebSocket or has ended.
            settings: The settings of the library's connection.
        """
        super().__init__(protocol, server, **settings)
        self.address = self.network = self.source = self.asker = ""
        self.trace: ConnectionTrace | None = None
        self.is_brief = is_brief
        self._on_settled = on_settled
        self._throttled = throttled
        self._outbox = outbox
        self._on_work = on_work
        self._budget = Budget(FIRST_UNITS, MAX_UNITS, UNITS_PER_SECOND, self.loop.time())
        self._scanner = FrameScanner()
        self._held = b""  # read, and not decoded yet
        self._request_tail = b""  # the last decoded bytes of the request
        self._request_size = 0  # bytes of the request so far
        self._request_timer: asyncio.TimerHandle | None = None
        self._useful_seconds = 0.0  # of work on the useful messages of a read
        self._is_half_closed = False  # the client sends nothing more, and waits for its response
        self._is_queue_full = False
        self._throttled_address = ""  # under which it waits for a turn; empty while it does not
        self._on_message: OnMessage | None = None
        self._end_of_messages: asyncio.Future[None] = self.loop.create_future()
        self._fragments: list[Frame] = []  # of a message for `_on_message`
        self._stall_timer: asyncio.TimerHandle | None = None
        self._work: asyncio.Task[Any] | None = None  # on the response to a plain request

    @property
    def network_delay(self) -> float:
        """The round trip to the client, in seconds: the part of a turn that is not its own doing.

        It is the time of the latest pong, which the client can prolong, but not more than the
        kernel's, where that is of the client and not of a proxy. On this machine there is none.
        """
        if self._is_local:
            return 0.0
        if self._is_direct:
            end: socket.socket = self.transport.get_extra_info("socket")
            return min(self.latency, kernel_round_trip(end))
        return self.latency

    @property
    def accepts_compressed(self) -> bool:
        """Whether the client reads compressed frames."""
        return bool(self.protocol.extensions)

    def send_frame(self, frame: str) -> None:
        """Hand a message to the socket, without waiting; do nothing if the connection closes."""
        if self.trace:
            self.trace.sent(frame)
        self.write_frame(text_frame(frame))

    def write_frame(self, frame: bytes) -> None:
        """Hand an encoded frame to the socket in the same way."""
        if self.protocol.state is OPEN and self._can_send():
            self._outbox.write(self.transport, frame)

    async def handle_messages(self, on_message: OnMessage) -> None:
        """Call a function with each message as it arrives, until the connection is closed.

        Args:
            on_message: The function.

        Raises:
            ConnectionClosed: The connection was closed in the middle of an earlier message.
            Exception: The function has raised it. It is not called again.
        """
        while self.recv_messages.frames:  # of messages that were sent with an earlier one
            on_message(await self.recv(), self.loop.time())
        self._on_message = on_message
        await asyncio.wait([self._end_of_messages])  # which, unlike `await`, never cancels it
        try:
            self._end_of_messages.result()
        finally:  # the frames of an error refer to this
            self._end_of_messages = self.loop.create_future()

    async def work_on_response(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of work on the response to a plain request.

        If the client leaves, the work is cancelled, and this with it. A client that only sends
        nothing more looks the same.
        """
        if self._is_half_closed:
            self.transport.abort()
        self._work = running = asyncio.create_task(work)
        if self.transport.is_closing():
            running.cancel()
        try:
            return await running
        finally:
            self._work = None

    def set_address(self, address: str, is_trusted: bool = False) -> None:
        """Set the address of the client, and whether its network is trusted."""
        self.address = address
        self.network = network_of(address)
        self.source = self.network
        peer, port, *_ = self.remote_address or ("", 0)
        self._is_direct = address == peer
        self._is_local = is_loopback(address)
        self.asker = f"{address} port {port}" if is_trusted else self.network
        if self._is_local:
            self.source = f"{address} port {port}"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register with the server before the handshake, so that a shutdown closes it too."""
        super().connection_made(transport)
        self.set_address((self.remote_address or ("unknown",))[0])
        self.recv_messages.pause = lambda: self._set_queue_full(True)
        self.recv_messages.resume = lambda: self._set_queue_full(False)
        self.server.all_connections.add(self)
        self._request_timer = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)
        if self.is_brief:
            self.loop.call_later(BRIEF_SECONDS, self.transport.abort)
        if not self.server.is_serving():
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Deregister from the server: the library does so only after a successful handshake."""
        self._on_settled()
        self._wait_for_turn(False)
        self._stop_request_timer()
        self._stop_stall_timer()  # it would keep this connection in memory
        self.server.all_connections.discard(self)
        super().connection_lost(exc)
        self.recv_messages.pause = self.recv_messages.resume = do_nothing  # they refer to this
        self._drop_tracebacks()
        if self._work:
            self._work.cancel()
        self._on_message = None
        with suppress(asyncio.InvalidStateError):  # it has failed just now
            self._end_of_messages.set_result(None)

    async def handshake(self, *settings: Any) -> None:
        """Perform the handshake with these settings of the library."""
        try:
            await super().handshake(*settings)
        finally:
            self._drop_tracebacks()

    def _drop_tracebacks(self) -> None:
        """Drop those of the errors kept here: their frames would keep this until a collection."""
        protocol = self.protocol
        for error in (self.connection_exc, protocol.handshake_exc, protocol.parser_exc):
            if error:
                error.__traceback__ = None

    def start_keepalive(self) -> None:
        """Start the pings after the handshake, and decode the bytes behind the request."""
        super().start_keepalive()
        self._on_settled()
        self._on_settled = do_nothing  # which refers to nothing
        if self._is_half_closed:
            self._end()
        self._advance()

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio keeps the transport
        """Process the end of the client's data; return whether a response is still to be sent."""
        if self._work:
            self.transport.abort()  # which cancels it
            return False
        is_unanswered = self.protocol.state is CONNECTING and not self.protocol.eof_sent
        self._is_half_closed = bool(self.request) and is_unanswered
        if not self._is_half_closed:
            super().eof_received()
        return self._is_half_closed

    def _end(self) -> None:
        """End a connection; its client has sent its last data before."""
        super().eof_received()
        self.transport.close()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002
        """Return the buffer into which asyncio reads."""
        return DROPPED if self.protocol.eof_sent else READ_BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """Process the bytes that asyncio has read."""
        self._budget.spend(1)
        if not self.protocol.eof_sent:
            self._held += READ_BUFFER[:nbytes]
        self._advance()

    def process_event(self, event: Request | Response | Frame) -> None:
        """Process a request or a frame that the library has decoded."""
        if self._on_message and isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            self._fragments.append(event)
            if event.fin:
                self._join_fragments()
        else:
            self._stop_request_timer()
            super().process_event(event)

    def _stop_request_timer(self) -> None:
        if self._request_timer:
            self._request_timer.cancel()
            self._request_timer = None

    def _join_fragments(self) -> None:
        """Deliver a message: its last frame has arrived."""
        first, data = self._fragments[0], b"".join(frame.data for frame in self._fragments)
        self._fragments.clear()
        if first.opcode is not TEXT:
            self._deliver(data, self.loop.time())
            return
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            self.end(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")
        else:
            self._deliver(text, self.loop.time())

    def _deliver(self, message: str | bytes, now: float) -> None:
        """Let a message be processed; give units back for a useful one."""
        assert self._on_message
        started = work_time()
        try:
            if self._on_message(message, now):
                # A player must make its moves, also where they take long.
                self._useful_seconds += work_time() - started
                self._budget.add(REFUND)
        except Exception as error:  # `handle_messages` raises it
            self._on_message = None
            self._end_of_messages.set_exception(error)

    def _can_send(self) -> bool:
        """Return whether the socket takes data; disconnect a client that reads none."""
        if self.transport.is_closing():
            return False
        # Before the connection is open, the only data is the answer to the handshake. One message
        # may be longer than the limit: a client that reads gets it.
        is_stalled = self.transport.get_write_buffer_size() > MAX_UNSENT
        if is_stalled and self.state is OPEN:
            self.transport.abort()
            return False
        return True

    def send_data(self) -> None:
        """Hand pending data of the library to the socket without waiting."""
        pieces = self.protocol.data_to_send()
        if not self._can_send():
            return
        is_end = bool(pieces) and pieces[-1] == SEND_EOF
        if is_end:  # the library closes the connection when the buffer is as empty as this says
            self.transport.set_write_buffer_limits(0)
        if data := b"".join(pieces):  # a flood of pings makes many pieces
            self.transport.write(data)
        if pieces == [SEND_EOF]:
            self._answer_malformed()
        if is_end:
            self.transport.write_eof()
            if self._is_half_closed:
                self.transport.close()

    def pause_writing(self) -> None:
        """Wait for the client to read, which the library would do without a limit."""
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        """Write on: the client has read."""
        super().resume_writing()
        self._stop_stall_timer()

    def _stop_stall_timer(self) -> None:
        if self._stall_timer:
            self._stall_timer.cancel()
            self._stall_timer = None

    def _expect_reading(self) -> None:
        """Disconnect the client if it reads little in some time, and not all that it could."""
        self._stall_timer = self.loop.call_later(
            STALL_TIMEOUT, self._check_reading, self.read_by_client()
        )

    def read_by_client(self) -> int:
        """Return a number of bytes that grows by what the client reads."""
        acknowledged = acknowledged_bytes(self.transport.get_extra_info("socket"))
        # Without the kernel's number, what is sent meanwhile counts against the client.
        return -self.transport.get_write_buffer_size() if acknowledged is None else acknowledged

    def _check_reading(self, read_before: int) -> None:
        if self.read_by_client() - read_before >= LEAST_READ:
            self._expect_reading()
        else:
            self.transport.abort()

    def _answer_malformed(self) -> None:
        """Answer a request that the library cannot parse, before the end of the connection."""
        failure = self.protocol.handshake_exc
        if isinstance(failure, InvalidMessage) and not self.protocol.reader.eof:
            self.transport.write(self.respond_to_malformed(failure).serialize())

    def respond_to_malformed(self, error: BaseException) -> Response:
        """Return the response to a request that cannot be parsed, has a body or no valid host."""
        reason = str(error.__cause__ or error)
        return self.respond(HTTPStatus.BAD_REQUEST, f"Malformed request: {reason:.200}.\n")

    def charge(self, units: float) -> None:
        """Remove units for other work than reading."""
        self._budget.spend(units)

    def _advance(self) -> None:
        """Decode as much as the budget allows; then read on, or wait for a turn."""
        if self.transport.is_closing():
            return
        started, self._useful_seconds = work_time(), 0.0
        if self.protocol.eof_sent:  # the client has its answer: what it sends after that is dropped
            self._held = b""
        elif self._on_message or self.protocol.state is not CONNECTING:
            self._decode_frames(self.loop.time())
        else:
            self._decode_request()
        # Not the time of the wall, which a client does not cause where the machine is busy.
        seconds = work_time() - started
        self._on_work(self.source, seconds)
        self._budget.spend((seconds - self._useful_seconds) / UNIT_SECONDS)
        waits = self._budget.available(self.loop.time()) < 1
        if waits or self._throttled_address:
            self._wait_for_turn(waits)
            self._update_reading()

    def _decode_request(self) -> None:
        """Decode up to the end of the request; the rest waits until the handshake is over."""
        if self.request and len(self._held) > MAX_REQUEST:
            self.transport.abort()
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
        while self._held and (self._take_messages(now) or self._take_frames(now)):
            pass

    def _take_messages(self, now: float) -> bool:
        """Deliver the messages at the start of the bytes; return whether there are any."""
        if not self._take_message(now):
            return False
        if self._held:
            self._outbox.is_open = True
            while self._held and self._take_message(now):
                pass
            self._outbox.close()
        return True

    def _take_message(self, now: float) -> bool:
        """Deliver the next bytes if they are a message of one text frame; return whether so."""
        if (
            not self._on_message
            or self.protocol.current_size is not None  # of a message that is not complete
            or self.protocol.state is not OPEN
            or not self._scanner.is_between_frames
        ):
            return False
        message = read_text_message(self._held)
        if not message or not self._budget.try_spend(now):
            return False
        text, size = message
        self._held = self._held[size:]
        self._deliver(text, now)
        return True

    def _take_frames(self, now: float) -> bool:
        """Let the library decode the next bytes; return whether there are any that it may."""
        found = self._scanner.scan(self._held, max(0, int(self._budget.available(now))))
        self._budget.spend(found.frames)
        self._decode(found.size)
        if self._scanner.is_fragmented:
            self.end(CloseCode.POLICY_VIOLATION, "fragments")
        return found.size > 0

    def end(self, code: CloseCode, reason: str) -> None:
        """Close the connection, without waiting; nothing more that the client has sent counts."""
        self._on_message = None
        self.protocol.fail(code, reason)
        self._held = b""
        self.data_received(b"")  # the library sends the end
        self.loop.call_later(self.close_timeout or 0.0, self.transport.abort)

    def _decode(self, size: int) -> None:
        """Pass bytes on to the library."""
        if size:
            data, self._held = self._held[:size], self._held[size:]
            self.data_received(data)

    def _wait_for_turn(self, waits: bool) -> None:
        if waits and not self._throttled_address:
            self._throttled_address = self.network
            self._throttled.enter(self._throttled_address, self, TURN_UNITS, self._take_turn)
        elif self._throttled_address and not waits:
            self._throttled.leave(self._throttled_address, self)
            self._throttled_address = ""

    def _take_turn(self) -> None:
        self._throttled_address = ""
        self._budget.add(TURN_UNITS)
        self._update_reading()
        self._advance()

    def _set_queue_full(self, is_full: bool) -> None:
        self._is_queue_full = is_full
        self._update_reading()

    def _update_reading(self) -> None:
        if self._throttled_address or self._is_queue_full:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()
