"""Listener: accepts connections, and lets hasty ones wait before their handshake.

asyncio's own server accepts connections without a limit, and the library creates a task and
a parser for each connection: a client that reconnects without pause would occupy the event loop.
"""

import asyncio
import logging
import math
import resource
import socket
import sys
from collections.abc import Callable, Sized
from contextlib import suppress
from functools import partial
from itertools import count
from struct import pack

from arena.model.addresses import (
    CONNECTIONS_PER_ADDRESS,
    AddressLimits,
    is_loopback,
    network_of,
)
from arena.model.fair_shares import WaitingRoom
from arena.model.observer import Report
from arena.network.budget import Budget, Budgets, ThrottledQueue

BACKLOG = 1024  # connections that the kernel keeps for the listener
BURST = 80  # connections of an address that begin at once: the page needs up to 63
RATE = 5.0  # connections per second of an address that are added to this burst
# The same of all addresses together, which may be many in one hand: about 5 % of a processor.
TOTAL_BURST, TOTAL_RATE = 200, 50.0
HEAD_SIZE = 16 * 1024  # bytes of a proxy's request in which the client's address is looked for
HEAD_TIMEOUT = 10.0  # seconds for the first bytes of it
HANDSHAKE_UNITS = 10  # of the throttled queue, for each connection beyond that
MAX_WAITING = 1000  # connections that wait; beyond them, those of the largest crowd make way
ACCEPT_BURST, ACCEPT_RATE = 200, 1000.0  # connections, and connections per second, of all addresses
ACCEPT_BATCH = 10  # connections that are accepted after a pause: each pause has its own cost
# Plain HTTP connections for each free file descriptor, so that they take at most three quarters of
# the free ones: 700 of 1024. A class of 100 browsers opens 600, six each.
PLAIN_PER_FREE = 3
# File descriptors for plain requests, such as those of monitoring, and for the arena's own files.
RESERVE = 32
RETRY_SECONDS = 1.0  # after an error such as a lack of file descriptors
RESET = pack("ii", 1, 0)  # socket(7), SO_LINGER: closing sends RST

LOGGER = logging.getLogger("arena.listener")

FindClient = Callable[[bytes], str | None]
"""Returns the client's address in the first bytes of a proxy's request; None if it has none."""


CreateConnection = Callable[[bool, Callable[[], object]], asyncio.BaseProtocol]
"""Returns the protocol of a new connection.

It is given whether the connection may last only for a plain request, and a function to be called
when it has become a WebSocket or has ended.
"""


class _Accepted:
    """A connection that is no WebSocket so far.

    Attributes:
        socket: Its socket.
        network: The network of its client, or of the proxy while that alone is known.
        share: The share of that network for which it counts; "" if it counts for none.
        handover: Hands the socket over to a transport; None before that.
    """

    __slots__ = ("handover", "network", "share", "socket")

    def __init__(self, accepted: socket.socket) -> None:
        self.socket = accepted
        self.network = self.share = ""
        self.handover: asyncio.Task[asyncio.Transport | None] | None = None


class Listener:
    """Listening sockets, with the methods of `asyncio.Server` that the library calls."""

    def __init__(
        self,
        server: asyncio.Server,
        create_connection: CreateConnection,
        connections: Sized,
        throttled: ThrottledQueue,
        report: Report,
        limits: AddressLimits,
        find_client: FindClient | None = None,
    ) -> None:
        """Listen.

        Args:
            server: A server that is bound and does not listen.
            create_connection: Returns the protocol of a new connection.
            connections: All open connections of such protocols.
            throttled: Where connections beyond these bursts wait.
            report: Receives whether file descriptors are short or connections are refused for it.
            limits: The limits of addresses. One with more connections than usual may also open more
                at once, and a trusted one have more that are no WebSockets.
            find_client: Returns the client's address in the request of a proxy; None if clients
                connect directly.
        """
        self._server = server
        self._create_connection = create_connection
        self._connections = connections
        self._throttled = throttled
        self._limits = limits
        self._find_client = find_client
        self._report = report
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._first_of_reserve = soft - RESERVE if soft != resource.RLIM_INFINITY else math.inf
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._accepts = Budget(ACCEPT_BURST, ACCEPT_BURST, ACCEPT_RATE, now)
        self._total = Budget(TOTAL_BURST, TOTAL_BURST, TOTAL_RATE, now)
        self._budgets = Budgets(BURST, RATE)
        self._plain: WaitingRoom[_Accepted] = WaitingRoom(sys.maxsize, sys.maxsize)
        self._unread: dict[_Accepted, asyncio.TimerHandle] = {}  # without a request so far
        self._waiting: WaitingRoom[_Accepted] = WaitingRoom(MAX_WAITING, MAX_WAITING)
        self._connecting: set[asyncio.Task[asyncio.Transport | None]] = set()
        self._turns = count()  # of connections of trusted addresses, for their shares
        self._timer: asyncio.TimerHandle | None = None
        # The descriptors of `server` cannot be used for listening, copies of them can.
        self._sockets = [socket.socket(fileno=socket.dup(s.fileno())) for s in server.sockets]
        for listening in self._sockets:
            listening.setblocking(False)
            listening.listen(BACKLOG)
        self._own = 1 + max(listening.fileno() for listening in self._sockets)
        self._start()

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        """The listening sockets."""
        return tuple(self._sockets)

    def is_serving(self) -> bool:
        """Return whether connections are accepted."""
        return bool(self._sockets)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """Return the event loop."""
        return self._loop

    def close(self) -> None:
        """Stop listening, and close the connections that wait."""
        self._stop()
        for accepted in [*self._unread, *self._waiting]:
            self._forget(accepted).close()
        for listening in self._sockets:
            listening.close()
        self._sockets.clear()
        self._server.close()

    async def wait_closed(self) -> None:
        """Wait until no connection is being handed over to its protocol."""
        await asyncio.gather(*self._connecting, return_exceptions=True)

    def _start(self) -> None:
        self._timer = None
        for listening in self._sockets:
            # By its number: the loop describes a socket that it does not know at some cost.
            self._loop.add_reader(listening.fileno(), self._accept, listening)

    def _stop(self) -> None:
        for listening in self._sockets:
            self._loop.remove_reader(listening.fileno())
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _pause(self, seconds: float) -> None:
        """Leave new connections to the kernel for some time."""
        self._stop()
        self._timer = self._loop.call_later(seconds, self._start)

    def _accept(self, listening: socket.socket) -> None:
        """Accept one connection: others are served before the next one."""
        try:
            accepted, (host, *_) = listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as error:
            self._report(f"cannot accept a connection: {error.strerror}")
            LOGGER.error("cannot accept a connection: %s", error)
            self._pause(RETRY_SECONDS)
            return
        accepted.setblocking(False)
        # The lowest free descriptor is taken: those before it are in use, and others may be.
        used = self._own + len(self._connections) + len(self._unread) + len(self._waiting)
        free = self._first_of_reserve - max(accepted.fileno(), used)
        if free <= 0:
            self._admit_briefly(_Accepted(accepted), host)
        else:
            self._plain.total = PLAIN_PER_FREE * free
            if 2 * len(self._plain) <= self._plain.total:  # or each refusal would be reported anew
                self._report("")
            if self._find_client:
                self._identify(_Accepted(accepted), host)
            else:
                self._admit(_Accepted(accepted), host)
        self._accepts.spend(1)
        if (left := self._accepts.available(self._loop.time())) < 1:
            self._pause((ACCEPT_BATCH - left) / ACCEPT_RATE)

    def _identify(self, accepted: _Accepted, proxy: str) -> None:
        """Admit a connection of a proxy for its client, as soon as its request has arrived."""
        assert self._find_client
        try:
            request = accepted.socket.recv(HEAD_SIZE, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            if self._find_room(accepted, proxy):
                timer = self._loop.call_later(HEAD_TIMEOUT, self._give_up, accepted)
                self._unread[accepted] = timer
                self._loop.add_reader(accepted.socket.fileno(), self._read_on, accepted, proxy)
        except OSError:
            accepted.socket.close()
        else:
            self._admit(accepted, self._find_client(request) or proxy)

    def _read_on(self, accepted: _Accepted, proxy: str) -> None:
        self._forget(accepted)
        self._identify(accepted, proxy)

    def _give_up(self, accepted: _Accepted) -> None:
        self._forget(accepted).close()

    def _admit(self, accepted: _Accepted, address: str) -> None:
        """Connect a socket at once or let it wait; end it or another one if there are too many."""
        network = network_of(address)
        if not self._find_room(accepted, address):
            return
        if self._may_connect(address, network):
            self._connect(accepted)
            return
        refused = self._waiting.add(network, accepted)
        if refused is not accepted:
            self._throttled.enter(
                network, accepted, HANDSHAKE_UNITS, lambda: self._end_wait(accepted)
            )
        if refused:
            self._refuse(refused)

    def _find_room(self, accepted: _Accepted, address: str) -> bool:
        """Count a plain connection; return whether it may stay, perhaps in place of another."""
        accepted.network = network_of(address)
        if is_loopback(address) and not self._find_client:
            return True  # monitoring and local bots use the descriptors that are left
        shares = (self._limits.trusted(address) or 0) // CONNECTIONS_PER_ADDRESS
        turn = next(self._turns) % shares if shares else 0
        accepted.share = f"{accepted.network} {turn}"
        refused = self._plain.add(accepted.share, accepted)
        if refused:
            self._report("connections without a WebSocket are refused")
            self._refuse(refused)
        return refused is not accepted

    def _end_wait(self, accepted: _Accepted) -> None:
        self._waiting.discard(accepted.network, accepted)
        self._connect(accepted)

    def _refuse(self, accepted: _Accepted) -> None:
        """End a connection for which there is no room."""
        self._forget(accepted)
        if accepted.handover:
            accepted.handover.add_done_callback(_abort)
            return
        # Without the packets and the memory that the kernel spends on a regular end.
        with suppress(OSError):  # some systems refuse it once the client has reset it
            accepted.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        accepted.socket.close()

    def _forget(self, accepted: _Accepted) -> socket.socket:
        """Count a connection no longer, and let it wait no longer."""
        self._plain.discard(accepted.share, accepted)
        self._waiting.discard(accepted.network, accepted)
        self._throttled.leave(accepted.network, accepted)
        if timer := self._unread.pop(accepted, None):
            timer.cancel()
            self._loop.remove_reader(accepted.socket.fileno())
        return accepted.socket

    def _admit_briefly(self, accepted: _Accepted, address: str) -> None:
        """Connect a socket that takes a descriptor of the reserve, or close it."""
        text = "file descriptors are short: new bots and spectators are refused"
        self._report(text)
        LOGGER.error(text)
        # Monitoring is on this machine.
        if is_loopback(address) or self._may_connect(address, network_of(address)):
            self._connect(accepted, is_brief=True)
        else:
            accepted.socket.close()

    def _may_connect(self, address: str, network: str) -> bool:
        """Return whether a connection of an address may begin at once, and count it if so."""
        now = self._loop.time()
        trusted = self._limits.trusted(address)
        if self._waiting.number_of(network):
            return False
        if trusted is None and self._total.available(now) < 1:
            return False
        weight = max(1.0, (trusted or self._limits.connections) / CONNECTIONS_PER_ADDRESS)
        if not self._budgets.try_spend(network, now, weight):
            return False
        if trusted is None:
            self._total.spend(1)
        return True

    def _connect(self, accepted: _Accepted, is_brief: bool = False) -> None:
        accepted.handover = self._loop.create_task(self._hand_over(accepted, is_brief))
        self._connecting.add(accepted.handover)
        accepted.handover.add_done_callback(self._connecting.discard)

    async def _hand_over(self, accepted: _Accepted, is_brief: bool) -> asyncio.Transport | None:
        """Hand a socket over to the protocol of its connection; return the transport."""
        create = partial(self._create_connection, is_brief, partial(self._forget, accepted))
        try:
            transport, _ = await self._loop.connect_accepted_socket(create, accepted.socket)
        except OSError:  # some systems set no option of a socket that the client has reset
            self._forget(accepted).close()
            return None
        return transport


def _abort(handover: asyncio.Task[asyncio.Transport | None]) -> None:
    if transport := handover.result():
        transport.abort()
