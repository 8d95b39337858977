"""The arena's server: who comes in, under which name, and what they say.

What is said in matches goes to playing.py; which matches are played is for organiser.py to say.
"""

import asyncio
import gc
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from types import TracebackType
from typing import Self

from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import State

from arena.lobby.challenges import CasualPlayer, Challenges
from arena.model.clock import TimeControl
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.protocol.codec import DecodeError, decode_from_bot, encode
from arena.protocol.errors import RequestError
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Accept,
    Challenge,
    Error,
    FromBot,
    Hello,
    TakeBack,
    Welcome,
)
from arena.server.admission import Door
from arena.server.connection import Connection
from arena.server.handshake import checked
from arena.server.http import Routes, path_of, respond
from arena.server.match_runner import Bot, Playing
from arena.storage.writer import DatabaseWriter

MAX_FRAME = 64 * 1024  # bytes of one message
HELLO_SECONDS = 10.0  # for the handshake, and then again for the hello
PING_SECONDS = 20.0  # between two pings, and for the answer to one
CLOSE_SECONDS = 2.0  # that a bot may take to answer the end of its connection
UNREADABLE_LIMIT = 10  # messages of one connection
PATIENCE = 20  # messages that nobody asked for; each that was asked for makes up for one
ALLOCATIONS = 10_000  # of objects between two looks for garbage; Python's own number is 700
PAUSE = 0.05  # seconds that a connection is not read after each beyond those

# A stranger's broken handshake is no news: what matters of a connection shows in the matches.
LOGGER = logging.getLogger("arena.websockets")
LOGGER.addHandler(logging.NullHandler())
LOGGER.propagate = False
LOGGER.setLevel(logging.INFO)  # below, the library tells all that is said, secrets as well

NO_ROUTES: Routes = {}

Watch = Callable[[ServerConnection], Awaitable[None]]
"""Serves somebody who watches, from the handshake to the end of the connection."""


class Arena:
    """A server for bots, from `async with` to its end.

    `games` are the names of those it plays, `grace` how many seconds a bot may be gone in a
    match; the observer hears of matches and bots; the door, if none is given, is open to anybody;
    `routes` are answered by plain HTTP, and `watch` serves those who come to /watch. Only with
    `challenges` casual players are let in: they are the `guests`, whose names are no matter of the
    `bots`. At the end all are told that it is over (1000) or, if an exception ended it, to come
    back later (1012).
    """

    def __init__(
        self,
        store: DatabaseWriter,
        games: Collection[str],
        control: TimeControl,
        grace: float,
        observer: Observer,
        door: Door | None = None,
        routes: Routes = NO_ROUTES,
        watch: Watch | None = None,
        challenges: Challenges | None = None,
    ) -> None:
        self.bots: dict[str, Bot] = {}
        self.guests: dict[str, Bot] = {}
        self._known = {False: self.bots, True: self.guests}  # by whether they are casual
        self._challenges = challenges
        self._games = games
        self._observer = observer
        self._door = door or Door()
        self._routes = routes
        self._watch = watch
        self._playing = Playing(store, control, grace, observer, self._failed)
        self._failure: Exception | None = None
        self._roster: Collection[str] = ()
        self._changed = asyncio.Event()
        self._server: Server | None = None

    async def listen(self, host: str, port: int) -> int:
        """Listen for bots; port 0 takes a free one. Returns the port. Raises OSError."""
        # What matches are made of lives long: looking through it all the time would be in vain.
        gc.set_threshold(ALLOCATIONS)
        self._server = await serve(
            self._serve,
            host,
            port,
            process_request=self._answer,
            origins=[None],  # the door adds those that are its own
            create_connection=Connection,
            compression=None,
            max_size=MAX_FRAME,
            open_timeout=HELLO_SECONDS,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
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
            for connection in self._server.all_connections:
                if connection.state is not State.OPEN:  # the library would wait for its handshake
                    connection.transport.abort()
            self._server.close(code=code)
            await self._server.wait_closed()

    # Matches

    def expect(self, names: Collection[str]) -> list[str]:
        """Remember these bots from now on when they are gone. Returns those not seen yet."""
        self._roster = names
        return [name for name in names if name not in self.bots]

    async def change(self, within: float | None = None) -> None:
        """Wait until a bot comes or goes, or a match is agreed or ends, or for so many seconds.

        Several may wait, if none waits for anything else between a look at the arena and this.
        Raises what the observer has raised meanwhile.
        """
        loop = asyncio.get_running_loop()
        timer = None if within is None else loop.call_later(within, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            if timer:  # or those that are not needed any more would pile up
                timer.cancel()
        self._changed.clear()
        if self._failure:
            raise self._failure

    def is_free(self, name: str) -> bool:
        """Whether a bot can begin another match: it may do so, and lose, even when it is gone."""
        return self._bot(name).is_free

    def has_guest(self, name: str) -> bool:
        """Whether a casual player is here."""
        return name in self.guests and self.guests[name].connection is not None

    def start(self, pairing: Pairing) -> asyncio.Task[MatchRecord]:
        """Play a match to its end: a task that does as Playing.play."""
        bots = [self._bot(name, pairing.casual) for name in pairing.players]
        for bot in bots:
            bot.booked += 1
        task = asyncio.create_task(self._playing.play(pairing, bots))
        task.add_done_callback(lambda _: self._free(bots))
        return task

    def _free(self, bots: Sequence[Bot]) -> None:
        for bot in bots:
            bot.booked -= 1
            self._forget_if_gone(bot)
        self._changed.set()

    def _failed(self, error: Exception) -> None:
        """Let `change` raise an error."""
        self._failure = error
        self._changed.set()

    # Connections

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to a request that begins no WebSocket; None lets one through."""
        if refusal := self._door.knock(connection, request):
            return refusal
        path = path_of(request)
        if (path == "/play" and self._games) or (path == "/watch" and self._watch):
            return None
        return respond(self._routes, connection, request)

    async def _serve(self, connection: ServerConnection) -> None:
        assert connection.request
        if self._watch and path_of(connection.request) == "/watch":
            await self._watch(connection)
        else:
            await self._connection(connection)

    async def _connection(self, connection: ServerConnection) -> None:
        """Serve a bot's connection from its hello to its end."""
        bot = None
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                bot = self._admit(connection, decode_from_bot(await connection.recv()))
            await connection.ping()  # the answer tells how long the network takes
            await self._listen(bot, connection)
        except ConnectionClosed:
            pass
        except (RequestError, DecodeError, TimeoutError) as error:
            code = error.code if isinstance(error, RequestError) else "expected_hello"
            text = str(error) or f"no hello within {HELLO_SECONDS:g} s"
            address = self._door.address(connection)
            self._playing.show(partial(self._observer.refused, code, address))
            broadcast([connection], encode(Error(code, text)))
            await connection.close(CloseCode.POLICY_VIOLATION, code)
        finally:
            if bot and bot.connection is connection:
                self._gone(bot)

    def _admit(self, connection: ServerConnection, message: FromBot) -> Bot:
        """The bot that says hello, with this connection. Raises RequestError."""
        hello = checked(message, self._games, self._challenges is not None)
        is_own = self._door.identify(connection, hello)
        bot = self._bot(hello.name, hello.casual)
        now = asyncio.get_running_loop().time()
        is_back = secrets.compare_digest(bot.session.encode(), (hello.session or "").encode())
        if bot.connection:
            if not is_back and bot.has_its_key(now):
                raise RequestError("name_taken", f"a bot named {hello.name} is already here")
            bot.connection.transport.abort()
            self._left(bot)
        if not (is_back and bot.session):
            bot.session = secrets.token_urlsafe(16)
        bot.games = frozenset(hello.games).intersection(self._games)
        bot.capacity = hello.matches
        bot.yields = is_own
        bot.connection = connection
        bot.here_since = now
        address = self._door.address(connection)
        self._playing.show(partial(self._observer.joined, bot.name, address))
        bot.send(Welcome(PROTOCOL_VERSION, bot.name, bot.session))
        self._playing.back(bot, now)
        self._changed.set()
        return bot

    async def _listen(self, bot: Bot, connection: ServerConnection) -> None:
        loop = asyncio.get_running_loop()
        unreadable, patience = 0, PATIENCE
        async for frame in connection:
            now = loop.time()
            try:
                message = decode_from_bot(frame)
            except DecodeError as error:
                bot.send(Error("unreadable", str(error)))
                self._playing.unreadable(bot)
                unreadable += 1
                if unreadable == UNREADABLE_LIMIT:
                    raise RequestError("unreadable", f"{unreadable} unreadable messages") from None
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
        if isinstance(message, Challenge | Accept):
            self._challenge(bot, message)
            return False  # so that a flood of them is one
        live = bot.matches.get(message.match)
        if live is None:
            text = f"match {message.match[:64]} is not one of yours, or is over"
            bot.send(Error("unknown_match", text, message.match[:64]))
            return False
        if isinstance(message, TakeBack):
            return self._playing.take_back(bot, live, now)
        return self._playing.receive(bot, live, message, now, credit)

    def _challenge(self, bot: Bot, message: Challenge | Accept) -> None:
        if not (bot.casual and self._challenges):
            bot.send(Error("not_casual", "challenges are for players with casual in their hello"))
            return
        player = CasualPlayer(bot.name, bot.games, bot.capacity)
        if answer := self._challenges.receive(player, message):
            bot.send(answer)
        self._changed.set()

    def _left(self, bot: Bot) -> None:
        """A bot's connection has ended, or is about to."""
        if bot.casual and self._challenges:
            self._challenges.withdraw(bot.name)
        self._playing.show(partial(self._observer.left, bot.name))

    def _gone(self, bot: Bot) -> None:
        bot.connection = None
        self._left(bot)
        bot.gone_since = asyncio.get_running_loop().time()
        self._playing.gone(bot, bot.gone_since)
        self._forget_if_gone(bot)
        self._changed.set()

    def _forget_if_gone(self, bot: Bot) -> None:
        if not bot.connection and not bot.booked and bot.name not in self._roster:
            del self._known[bot.casual][bot.name]

    def _bot(self, name: str, casual: bool = False) -> Bot:
        """The bot of that name; if it is not here, one that is gone."""
        known = self._known[casual]
        if name not in known:
            known[name] = Bot(name, asyncio.get_running_loop().time(), casual)
        return known[name]
