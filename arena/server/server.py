"""The arena's server: listening, routing of requests, and starting of matches."""

import asyncio
import gc
import logging
import math
from collections.abc import Awaitable, Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from types import TracebackType
from typing import Self, cast

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from arena.lobby.challenges import Challenges
from arena.model.observer import Observer, Report, no_report
from arena.model.results import MatchRecord, Pairing
from arena.model.time_control import TimeControl
from arena.network.budget import ThrottledQueue
from arena.network.connection import Connection
from arena.network.frames import Outbox, SharedDeflateFactory
from arena.network.listener import Listener
from arena.network.trace import MessageTrace
from arena.server.admission import Admission
from arena.server.http import (
    FindSlowRoute,
    Requested,
    Routes,
    forwarded_address,
    no_slow_route,
    request_path,
    respond,
    respond_slowly,
)
from arena.server.match_runner import MatchRunner, OutputTail, no_output
from arena.server.player_endpoint import PlayerEndpoint
from arena.server.sessions import Session, Sessions
from arena.storage.writer import DatabaseWriter

MAX_FRAME = 64 * 1024  # bytes of one message
PING_INTERVAL = 20.0  # seconds between two pings, and for the answer to one
CLOSE_TIMEOUT = 2.0  # seconds in which a client can answer the end of its connection
SLOW_TIMEOUTS = 5  # for a client that reads in each of them what it was sent before
# Allocations between two garbage collections; Python's default is 700. With 1,000 matches a
# collection stops the arena for 2 to 250 ms, and the few cycles come from connections that end.
GC_THRESHOLD = 50_000

# A client's broken handshake is no error of the arena: its effect shows in the matches.
LOGGER = logging.getLogger("arena.websockets")
LOGGER.addHandler(logging.NullHandler())
LOGGER.propagate = False
LOGGER.setLevel(logging.INFO)  # at DEBUG the library logs every message, secrets included

# Units per second of all connections that have exceeded their budgets: about 5 % of a processor
# while matches are played, and half of it otherwise, as when the bots of a tournament connect.
BUSY_RATE, IDLE_RATE = 400.0, 4000.0

COMPRESSION = SharedDeflateFactory()
NO_ROUTES: Routes = {}

SpectatorHandler = Callable[[Connection], Awaitable[None]]
"""Serves a spectator, from the handshake to the end of the connection."""


class Server:
    """A server for players and spectators, from `async with` to its end.

    At the end all connections are closed with code 1000 or, if an exception ended the arena, with
    1012, which asks clients to reconnect later.

    Attributes:
        sessions: The connected and the remembered players.
        matches: The running matches.
    """

    def __init__(
        self,
        writer: DatabaseWriter,
        games: Collection[str],
        control: TimeControl,
        grace: float,
        max_credit: float,
        observer: Observer,
        admission: Admission | None = None,
        routes: Routes = NO_ROUTES,
        serve_spectator: SpectatorHandler | None = None,
        challenges: Challenges | None = None,
        trace: MessageTrace | None = None,
        find_slow_route: FindSlowRoute = no_slow_route,
        report_descriptors: Report = no_report,
        output_tail: OutputTail = no_output,
    ) -> None:
        """Create a server that does not listen yet.

        Args:
            writer: Database that stores the matches.
            games: Names of the games that the arena plays; without any, /play does not exist.
            control: Time control of pairings without one.
            grace: Seconds that a player of a rated match may stay disconnected.
            max_credit: Network credit that each player of a match has in reserve. Seconds.
            observer: Receives the events of matches and connections.
            admission: Rules for connections and names; by default every client is admitted.
            routes: Paths that are answered with plain HTTP.
            serve_spectator: Serves connections to /watch; without it, /watch does not exist.
            challenges: Challenges of casual players; without them, casual players are refused.
            trace: Receives the messages of players; without it, none are written.
            find_slow_route: Returns the functions of paths that `routes` lacks.
            report_descriptors: Receives whether file descriptors are short.
            output_tail: For the record of a match that a bot has forfeited without sending a log.
        """
        self.sessions = Sessions()
        self._games = games
        self._observer = observer
        self._admission = admission or Admission()
        self._routes = routes
        self._find_slow_route = find_slow_route
        self._serve_spectator = serve_spectator
        self._report_descriptors = report_descriptors
        self.matches = MatchRunner(
            writer, control, grace, max_credit, observer, self._observer_failed, output_tail
        )
        self._throttled = ThrottledQueue(lambda: BUSY_RATE if self.matches.running else IDLE_RATE)
        self._outbox = Outbox()
        self._changed = asyncio.Event()
        self._players = PlayerEndpoint(
            self.sessions,
            self.matches,
            games,
            self._admission,
            observer,
            challenges,
            self._changed.set,
            trace,
        )
        self._observer_error: Exception | None = None
        self._server: WebSocketServer | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server:
            code = CloseCode.NORMAL_CLOSURE if kind is None else CloseCode.SERVICE_RESTART
            connections = cast(AbstractSet[Connection], self._server.all_connections)
            _abort(connections - self._server.connections)  # the library would wait for handshakes
            self._server.close(code=code)
            # The library would wait until each client has read all that it was sent before.
            aborting = asyncio.create_task(abort_stalled(connections))
            await self._server.wait_closed()
            aborting.cancel()
            self._throttled.close()

    async def listen(self, host: str, port: int) -> int:
        """Listen for connections.

        Args:
            host: Address to bind to.
            port: Port to bind to; 0 takes a free one.

        Returns:
            The port.

        Raises:
            OSError: The address cannot be bound.
        """
        # The objects of a match live long: frequent collections would find nothing to free.
        gc.set_threshold(GC_THRESHOLD)
        server = serve(
            self._serve,
            process_request=self._process_request,
            open_timeout=None,  # a request, a slow route and a response have limits of their own
            logger=LOGGER,
        )
        connect = partial(self._connect, server)

        async def bind() -> Listener:
            loop = asyncio.get_running_loop()
            # The listener accepts the connections, not this server.
            bound = await loop.create_server(asyncio.Protocol, host, port, start_serving=False)
            limits = self._admission.limits
            find_client = forwarded_address if self._admission.behind_proxy else None
            return Listener(
                bound,
                connect,
                server.all_connections,
                self._throttled,
                self._report_descriptors,
                limits,
                find_client,
            )

        server.create_server = bind  # type: ignore[assignment]  # has the methods that are used
        self._server = await server
        return next(iter(server.sockets)).getsockname()[1]  # type: ignore[no-any-return]

    def _connect(
        self, server: WebSocketServer, is_brief: bool, on_settled: Callable[[], object]
    ) -> Connection:
        """Return the protocol of a new connection."""
        return Connection(
            # The admission adds the allowed origins of each connection.
            ServerProtocol(origins=[None], max_size=MAX_FRAME, logger=LOGGER),
            server,
            self._throttled,
            self._outbox,
            self.matches.lag.charge,
            is_brief,
            on_settled,
            ping_interval=PING_INTERVAL,
            ping_timeout=PING_INTERVAL,
            close_timeout=CLOSE_TIMEOUT,
        )

    def start_match(self, pairing: Pairing) -> asyncio.Task[MatchRecord]:
        """Start a match.

        Args:
            pairing: The match to play; its players need not be connected.

        Returns:
            A task that plays the match as `MatchRunner.play` does.
        """
        players = [self.sessions.get_or_create(name, pairing.casual) for name in pairing.players]
        for session in players:
            session.assigned_matches += 1
        task = asyncio.create_task(self.matches.play(pairing, players))
        task.add_done_callback(lambda _: self._release(players))
        return task

    async def wait_for_change(self, timeout: float | None = None) -> None:
        """Wait until a player connects or disconnects, a match is agreed or ends, or the timeout.

        Several tasks may wait, if each checks the arena and waits here without an await between.

        Args:
            timeout: Seconds to wait at most.

        Raises:
            Exception: The observer has raised it.
        """
        loop = asyncio.get_running_loop()
        timer = None if timeout is None else loop.call_later(timeout, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            if timer:  # or obsolete timers would pile up
                timer.cancel()
        self._changed.clear()
        if self._observer_error:
            raise self._observer_error

    def remove_clients(self) -> None:
        """End the connections that the admission would refuse."""
        self._players.remove_withdrawn()
        for connection in [*(self._server.all_connections if self._server else ())]:
            assert isinstance(connection, Connection)
            is_open = connection.state is State.OPEN  # others are admitted or not in a moment
            if is_open and self._admission.is_banned(connection.address):
                connection.end(CloseCode.POLICY_VIOLATION, "banned")

    def announce_change(self) -> None:
        """Let `wait_for_change` return."""
        self._changed.set()

    def _release(self, players: Sequence[Session]) -> None:
        """Free the players of a match that has ended."""
        for session in players:
            session.assigned_matches -= 1
            self.sessions.discard_if_unused(session)
        self._changed.set()

    def _observer_failed(self, error: Exception) -> None:
        """Let `wait_for_change` raise an error."""
        self._observer_error = error
        self._changed.set()

    def _process_request(
        self, connection: ServerConnection, request: Request
    ) -> Response | Awaitable[Response] | None:
        """Return the response to a plain HTTP or refused request; None for a WebSocket."""
        assert isinstance(connection, Connection)
        if refusal := self._admission.admit(connection, request):
            code = f"http_{refusal.status_code}"
            self.matches.notify(self._observer.refused, code, connection.address)
            return refusal
        path = request_path(request)
        if path == "/play" and self._games:
            return None
        if path == "/watch" and self._serve_spectator:
            connection.protocol.available_extensions = [COMPRESSION]
            return None
        if path not in self._routes and (route := self._find_slow_route(path)):
            requested = Requested(self._admission.base_url(request), connection.network)
            return respond_slowly(route, requested, connection, request)
        return respond(self._routes, connection, request)

    async def _serve(self, connection: ServerConnection) -> None:
        assert isinstance(connection, Connection)
        assert connection.request
        if self._serve_spectator and request_path(connection.request) == "/watch":
            await self._serve_spectator(connection)
        else:
            await self._players.serve(connection)


def _abort(connections: AbstractSet[ServerConnection]) -> None:
    for connection in connections:
        connection.transport.abort()


async def abort_stalled(connections: AbstractSet[Connection]) -> None:
    """Abort each connection whose client reads nothing for CLOSE_TIMEOUT seconds; finally all."""
    for _ in range(SLOW_TIMEOUTS):
        before = {each: each.read_by_client() for each in connections}
        await asyncio.sleep(CLOSE_TIMEOUT)
        _abort({e for e in connections if e.read_by_client() <= before.get(e, math.inf)})
    _abort(connections)
