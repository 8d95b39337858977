"""The settings of hypothesis, and a vocabulary for tests that play in a real arena."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from arena.lobby.challenges import Challenges
from arena.model.clock import TimeControl
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.protocol.player import (
    PROTOCOL,
    Challenged,
    Error,
    Finished,
    FromBot,
    Hello,
    Move,
    Started,
    TakeBackAsked,
    Turn,
    Welcome,
    decode_from_arena,
    encode,
)
from arena.server.admission import Door
from arena.server.server import Arena
from arena.storage.reader import Records
from arena.storage.writer import Store
from core import GAMES
from core.game import Game, Position

settings.register_profile(
    "arena",
    max_examples=50,
    # A busy machine is slow now and then: that is no fault of the code under test.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("traced", settings.get_profile("arena"), max_examples=10)
settings.load_profile("arena")

# A shell ignores Ctrl-C in what it starts in the background, and processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["tests.support.arena_command", "tests.support.browser", "tests.support.sites"]

SECONDS = 300.0  # after which a test that hangs fails: far more than a slow machine needs

P = ParamSpec("P")
M = TypeVar("M", Welcome, Turn, Finished, Error, Challenged, Started, TakeBackAsked)


def in_loop(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """Run a test in an event loop of its own."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), SECONDS))

    return run


class Player:
    """A bot that does what the test says."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.session = ""

    async def say(self, message: FromBot | str | bytes) -> None:
        frame = message if isinstance(message, str | bytes) else encode(message)
        await self.connection.send(frame)

    async def enter(
        self,
        name: str,
        matches: int = 1,
        session: str | None = None,
        games: Sequence[str] = ("take_stones",),
        casual: bool = False,
    ) -> None:
        """Say hello and be welcome."""
        await self.say(Hello(PROTOCOL, name, [*games], matches, session, None, casual))
        self.session = (await self.hear(Welcome)).session

    async def hear(self, kind: type[M]) -> M:
        """The next message, which must be of this kind."""
        message = decode_from_arena(await self.connection.recv())
        assert isinstance(message, kind), message
        return message

    async def take(self, move: int) -> Turn:
        """Wait for the turn, then make a move."""
        turn = await self.hear(Turn)
        await self.say(Move(turn.match, turn.ply, move))
        return turn

    async def go_on(self) -> None:
        """Make the smallest legal move at every turn, until the end."""
        with suppress(ConnectionClosed):
            while True:
                turn = decode_from_arena(await self.connection.recv())
                if isinstance(turn, Turn):
                    position = GAMES[turn.game].position(**turn.setup, taken=turn.moves)
                    await self.say(Move(turn.match, turn.ply, position.legal_moves()[0]))

    async def closed(self) -> tuple[int | None, str | None]:
        """Wait for the end. Returns the code and the reason of the arena."""
        await self.connection.wait_closed()
        return self.connection.close_code, self.connection.close_reason


class Venue:
    """An arena that listens, its database, and the bots that come."""

    def __init__(self, db: Path, arena: Arena, url: str, guests: AsyncExitStack) -> None:
        self.db = db
        self.arena = arena
        self.url = url
        self._guests = guests

    async def stranger(self) -> Player:
        """A bot that is connected and has not said hello."""
        connecting = connect(self.url, compression=None, proxy=None, close_timeout=1)
        return Player(await self._guests.enter_async_context(connecting))

    async def bot(self, name: str, matches: int = 1, session: str | None = None) -> Player:
        """A bot that is welcome."""
        player = await self.stranger()
        await player.enter(name, matches, session)
        return player

    async def guest(self, name: str, matches: int = 1, session: str | None = None) -> Player:
        """A casual player that is welcome."""
        player = await self.stranger()
        await player.enter(name, matches, session, casual=True)
        return player

    async def robot(
        self,
        name: str,
        matches: int = 1,
        games: Sequence[str] = ("take_stones",),
        casual: bool = False,
    ) -> None:
        """A bot that plays by itself."""
        player = await self.stranger()
        await player.enter(name, matches, games=games, casual=casual)
        task = asyncio.create_task(player.go_on())
        self._guests.push_async_callback(asyncio.wait, [task])

    async def joins(self, name: str) -> None:
        """Wait until a bot has been here."""
        while self.arena.expect([name]):
            await self.arena.change()

    async def leaves(self, name: str) -> None:
        """Wait until a bot or a casual player is not here any more."""
        while self.arena.has_guest(name) or (
            name in self.arena.bots and self.arena.bots[name].connection
        ):
            await self.arena.change()

    def start(
        self, one: str, two: str, *, opening: tuple[int, ...] = ()
    ) -> asyncio.Task[MatchRecord]:
        """Start a match with 7 stones."""
        return self.arena.start(pairing(one, two, opening=opening))

    def records(self) -> list[MatchRecord]:
        """What is stored."""
        return read(self.db)


async def two_bots(here: Venue) -> tuple[Player, Player]:
    return await here.bot("one"), await here.bot("two")


def pairing(
    one: str, two: str, *, number: int | None = None, stones: int = 7, opening: tuple[int, ...] = ()
) -> Pairing:
    return Pairing(number, (one, two), "take_stones", {"stones": stones}, opening)


def read(db: Path) -> list[MatchRecord]:
    with Records(db) as records:
        return [*records.matches(moves=True)]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Where a new database may be."""
    return tmp_path / "arena.db"


@asynccontextmanager
async def venue(
    db: Path,
    time: str = "20",
    grace: float = 20.0,
    games: Sequence[str] = ("take_stones",),
    observer: Observer | None = None,
    door: Door | None = None,
    host: str = "127.0.0.1",
    challenges: Challenges | None = None,
) -> AsyncIterator[Venue]:
    """An arena from its beginning to its end; the bots that are still here then see it end."""
    control = TimeControl.parse(time)
    async with AsyncExitStack() as guests:
        with Store(db) as store:
            heard = observer or Observer()
            async with Arena(
                store, games, control, grace, heard, door, challenges=challenges
            ) as arena:
                port = await arena.listen(host, 0)
                yield Venue(db, arena, f"ws://{host}:{port}/play", guests)


def broken_game(times: int) -> Game:
    """Take-Stones that cannot be set up so often."""
    left = times
    game = GAMES["take_stones"]

    def position(**setup: Any) -> Position:
        nonlocal left
        left -= 1
        if left >= 0:
            raise MemoryError("no room")
        return game.position(**setup)

    return game._replace(position=position)
