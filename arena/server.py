"""The arena's server, and the only user of websockets.

It pumps frames to and from the referees of the matches, tells them the time, and stores what they
decide before anybody hears of it. Which matches are played is for organiser.py to say.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from types import TracebackType
from typing import Self

from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import State

from arena.clock import TimeControl
from arena.lag import Lag
from arena.match import Match, Outgoing
from arena.messages import (
    PROTOCOL,
    Error,
    FromArena,
    FromBot,
    Hello,
    Move,
    Unreadable,
    Welcome,
    decode_from_bot,
    encode,
)
from arena.observer import Observer
from arena.results import MatchRecord, Pairing
from arena.store import Store

MAX_FRAME = 64 * 1024  # bytes of one message
MAX_UNSENT = 1024 * 1024  # bytes that a bot may leave unread before it counts as gone
HELLO_SECONDS = 10.0
CLOSE_SECONDS = 2.0  # that a bot may take to answer the end of its connection
UNREADABLE_LIMIT = 10  # messages of one connection
PATIENCE = 20  # messages that nobody asked for; each that was asked for makes up for one
PAUSE = 0.05  # seconds that a connection is not read after each beyond those

# A stranger's broken handshake is no news: what matters of a connection shows in the matches.
LOGGER = logging.getLogger("arena.websockets")
LOGGER.addHandler(logging.NullHandler())
LOGGER.propagate = False


class Bot:
    """A bot by name: here, or gone for a while."""

    def __init__(self, name: str, now: float) -> None:
        self.name = name
        self.session = ""
        self.games: frozenset[str] = frozenset()  # of the arena's, those that it plays
        self.capacity = 1  # matches at once
        self.connection: ServerConnection | None = None
        self.gone_since = now
        self.booked = 0  # matches that are being played or prepared
        self.matches: dict[str, Live] = {}

    @property
    def is_free(self) -> bool:
        """Whether another match may begin."""
        return self.booked < self.capacity

    def send(self, message: FromArena) -> None:
        """Hand a message to the socket, without waiting; a bot that does not read is cut off."""
        if self.connection:
            broadcast([self.connection], encode(message))
            if self.connection.transport.get_write_buffer_size() > MAX_UNSENT:
                self.connection.transport.abort()


class Live:
    """A match in progress, with the bots that play it."""

    def __init__(self, match: Match, bots: Sequence[Bot]) -> None:
        self.match = match
        self.bots = bots
        self.over = asyncio.Event()
        self.timer: asyncio.TimerHandle | None = None

    def player(self, bot: Bot) -> int:
        """1 or 2."""
        return self.bots.index(bot) + 1


class Arena:
    """A server for bots, from `async with` to its end.

    `games` are the names of those it plays, `grace` how many seconds a bot may be gone in a
    match; the observer hears of the matches. At the end the bots are told that it is over (1000)
    or, if an exception ended it, to come back later (1012).
    """

    def __init__(
        self,
        store: Store,
        games: Collection[str],
        control: TimeControl,
        grace: float,
        observer: Observer,
    ) -> None:
        self.bots: dict[str, Bot] = {}
        self._store = store
        self._games = games
        self._control = control
        self._grace = grace
        self._observer = observer
        self._failure: Exception | None = None
        self._roster: Collection[str] = ()
        self._changed = asyncio.Event()
        self._server: Server | None = None
        self._lag = Lag()
        self._playing = 0

    async def listen(self, host: str, port: int) -> int:
        """Listen for bots; port 0 takes a free one. Returns the port. Raises OSError."""
        self._server = await serve(
            self._connection,
            host,
            port,
            process_request=_route,
            compression=None,
            max_size=MAX_FRAME,
            close_timeout=CLOSE_SECONDS,
            logger=LOGGER,
        )
        return next(iter(self._server.sockets)).getsockname()[1]  # type: ignore[no-any-return]

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
            self._server.close(code=code)
            await self._server.wait_closed()

    # Matches

    def expect(self, names: Collection[str]) -> list[str]:
        """Remember these bots from now on when they are gone. Returns those not seen yet."""
        self._roster = names
        return [name for name in names if name not in self.bots]

    async def change(self, within: float | None = None) -> None:
        """Wait until a bot comes or goes or a match ends, or for so many seconds.

        Raises what the observer has raised meanwhile.
        """
        if within is not None:
            asyncio.get_running_loop().call_later(within, self._changed.set)
        await self._changed.wait()
        self._changed.clear()
        if self._failure:
            raise self._failure

    def is_free(self, name: str) -> bool:
        """Whether a bot can begin another match: it may do so, and lose, even when it is gone."""
        return self._bot(name).is_free

    def start(self, pairing: Pairing) -> asyncio.Task[MatchRecord]:
        """Play a match to its end. The task gives its record once it is stored.

        It raises StoreError. When it is cancelled, and when anything else goes wrong, a match that
        has begun is stored as aborted.
        """
        bots = [self._bot(name) for name in pairing.players]
        for bot in bots:
            bot.booked += 1
        task = asyncio.create_task(self._play(pairing, bots))
        task.add_done_callback(lambda _: self._free(bots))
        return task

    def _free(self, bots: Sequence[Bot]) -> None:
        for bot in bots:
            bot.booked -= 1
            self._forget_if_gone(bot)
        self._changed.set()

    async def _play(self, pairing: Pairing, bots: Sequence[Bot]) -> MatchRecord:
        """Play a match to its end, store it, then tell the bots."""
        started_at = time.time()
        control = str(self._control)
        number = await asyncio.wrap_future(self._store.begin(pairing, control, started_at))
        match = Match(str(number), pairing, self._control, self._grace)
        live = Live(match, bots)

        try:
            try:
                self._show(partial(self._observer.started, number, pairing))
                self._begin(live)
                await live.over.wait()
            except asyncio.CancelledError:
                match.abort("the arena was stopped")
                raise
            finally:
                assert match.result
                record = MatchRecord(
                    number,
                    pairing,
                    control,
                    started_at,
                    time.time(),
                    match.result,
                    tuple(match.moves),
                    match.fault,
                )
                stored = self._store.finish(record)
            await asyncio.wrap_future(stored)
        finally:
            self._end(live)
        self._show(partial(self._observer.finished, record))
        for player, bot in enumerate(bots, 1):
            bot.send(match.finished(player))
        return record

    def _begin(self, live: Live) -> None:
        self._lag.start()
        self._playing += 1
        now = asyncio.get_running_loop().time()
        for player, bot in enumerate(live.bots, 1):
            bot.matches[live.match.id] = live
            if bot.connection is None:
                live.match.disconnected(player, bot.gone_since)
        self._tell(live, partial(live.match.start, now))

    def _end(self, live: Live) -> None:
        self._playing -= 1
        if not self._playing:
            self._lag.stop()
        if live.timer:
            live.timer.cancel()
        for bot in live.bots:
            bot.matches.pop(live.match.id, None)

    def _tell(self, live: Live, report: Callable[[], Outgoing]) -> None:
        """Report to the referee, send what it says, and wake it when it wants to see the clock.

        Whatever goes wrong with the referee is the arena's own fault, and no player's.
        """
        known = len(live.match.moves)
        try:
            outgoing = report()
        except Exception as error:
            live.match.abort(f"{type(error).__name__}: {error}")
            outgoing = []
        for player, message in outgoing:
            live.bots[player - 1].send(message)
        for move in live.match.moves[known:]:
            self._show(partial(self._observer.moved, int(live.match.id), move))
        if live.timer:
            live.timer.cancel()
        deadline = live.match.deadline
        if deadline is None:
            live.over.set()
        else:
            live.timer = asyncio.get_running_loop().call_at(deadline, self._tick, live)

    def _tick(self, live: Live) -> None:
        now = asyncio.get_running_loop().time()
        lag = self._lag.since(live.match.turn_since, now)
        self._tell(live, partial(live.match.tick, now, lag))

    def _show(self, show: Callable[[], None]) -> None:
        """Let the observer hear; what it raises is raised by `change`."""
        try:
            show()
        except Exception as error:
            self._failure = error
            self._changed.set()

    # Connections

    async def _connection(self, connection: ServerConnection) -> None:
        """Serve one connection from its hello to its end."""
        bot = None
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                bot = self._admit(connection, decode_from_bot(await connection.recv()))
            await connection.ping()  # the answer tells how long the network takes
            await self._listen(bot, connection)
        except ConnectionClosed:
            pass
        except (_Refused, Unreadable, TimeoutError) as error:
            code = error.code if isinstance(error, _Refused) else "expected_hello"
            text = str(error) or f"no hello within {HELLO_SECONDS:g} s"
            broadcast([connection], encode(Error(code, text)))
            await connection.close(CloseCode.POLICY_VIOLATION, code)
        finally:
            if bot and bot.connection is connection:
                self._gone(bot)

    def _admit(self, connection: ServerConnection, hello: FromBot) -> Bot:
        """The bot that says hello, with this connection. Raises _Refused."""
        if not isinstance(hello, Hello):
            raise _Refused("expected_hello", "the first message must be hello")
        if hello.protocol != PROTOCOL:
            raise _Refused(
                "unknown_protocol", f"protocol {hello.protocol} is unknown, known is {PROTOCOL}"
            )
        games = frozenset(hello.games).intersection(self._games)
        if not games:
            raise _Refused("unknown_game", f"this arena plays {', '.join(self._games)}")
        bot = self._bot(hello.name)
        is_back = secrets.compare_digest(bot.session.encode(), (hello.session or "").encode())
        if bot.connection:
            if not is_back:
                raise _Refused("name_taken", f"a bot named {hello.name} is already here")
            bot.connection.transport.abort()
        if not (is_back and bot.session):
            bot.session = secrets.token_urlsafe(16)
        bot.games = games
        bot.capacity = hello.matches
        bot.connection = connection
        bot.send(Welcome(PROTOCOL, bot.name, bot.session))
        now = asyncio.get_running_loop().time()
        for live in [*bot.matches.values()]:
            self._tell(live, partial(live.match.reconnected, live.player(bot), now))
        self._changed.set()
        return bot

    async def _listen(self, bot: Bot, connection: ServerConnection) -> None:
        loop = asyncio.get_running_loop()
        unreadable, patience = 0, PATIENCE
        async for frame in connection:
            now = loop.time()
            try:
                message = decode_from_bot(frame)
            except Unreadable as error:
                bot.send(Error("unreadable", str(error)))
                for live in [*bot.matches.values()]:
                    self._tell(live, partial(live.match.unreadable, live.player(bot)))
                unreadable += 1
                if unreadable == UNREADABLE_LIMIT:
                    raise _Refused("unreadable", f"{unreadable} unreadable messages") from None
            else:
                if self._receive(bot, message, now, connection.latency):
                    patience = min(patience + 1, PATIENCE)
                elif patience:
                    patience -= 1
                else:  # a flood: what is not read fills the sender's own buffers
                    await asyncio.sleep(PAUSE)
                    if connection.state is not State.OPEN:
                        return

    def _receive(self, bot: Bot, message: FromBot, now: float, credit: float) -> bool:
        """Whether the message has been of any use."""
        if isinstance(message, Hello):
            bot.send(Error("unexpected", "hello has been said already"))
            return False
        live = bot.matches.get(message.match)
        if live is None:
            text = f"match {message.match[:64]} is not one of yours, or is over"
            bot.send(Error("unknown_match", text, message.match[:64]))
            return False
        player, turn = live.player(bot), live.match.ply
        if isinstance(message, Move):
            lag = self._lag.since(live.match.turn_since, now)
            self._tell(live, partial(live.match.move, player, message, now, credit, lag))
        else:
            self._tell(live, partial(live.match.resign, player, message))
        return live.match.ply > turn or live.match.result is not None

    def _gone(self, bot: Bot) -> None:
        bot.connection = None
        bot.gone_since = asyncio.get_running_loop().time()
        for live in [*bot.matches.values()]:
            self._tell(live, partial(live.match.disconnected, live.player(bot), bot.gone_since))
        self._forget_if_gone(bot)
        self._changed.set()

    def _forget_if_gone(self, bot: Bot) -> None:
        if not bot.connection and not bot.booked and bot.name not in self._roster:
            del self.bots[bot.name]

    def _bot(self, name: str) -> Bot:
        """The bot of that name; if it is not here, one that is gone."""
        if name not in self.bots:
            self.bots[name] = Bot(name, asyncio.get_running_loop().time())
        return self.bots[name]


class _Refused(Exception):
    """A connection that the arena does not want, with the error code that tells why."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def _route(connection: ServerConnection, request: Request) -> Response | None:
    """Let bots through to /play and answer everything else."""
    if request.path.partition("?")[0] == "/play":
        return None
    return connection.respond(404, "Bots connect to /play with WebSockets.\n")
