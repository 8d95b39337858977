"""An arena server inside the test, and the bots that a test scripts move by move."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from arena.app import Arena
from arena.configuration import ArenaConfig
from arena.lobby.challenges import Challenges
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.model.time_control import TimeControl
from arena.network.connection import FIRST_UNITS
from arena.network.trace import MessageTrace
from arena.protocol.codec import decode_from_arena, encode
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Error,
    FromArena,
    FromBot,
    Hello,
    Move,
    Turn,
    Welcome,
)
from arena.server.admission import Admission
from arena.server.match_runner import OutputTail, no_output
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from core import GAMES
from core.game import Game, Position
from tests.support.polling import awaited

# Useless messages that a player can send at once: each takes a read and a frame, as the hello and
# the first pong do, and the request of the handshake takes a read.
MESSAGES_IN_BUDGET = (FIRST_UNITS - 5) // 2

M = TypeVar("M", bound=FromArena)


class ScriptedBot:
    """A bot whose messages a test sends and receives one by one."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.session = ""

    async def send(self, message: FromBot | str | bytes) -> None:
        frame = message if isinstance(message, str | bytes) else encode(message)
        await self.connection.send(frame)

    async def log_in(
        self,
        name: str,
        matches: int = 1,
        session: str | None = None,
        games: Sequence[str] = ("take_stones",),
        casual: bool = False,
    ) -> None:
        """Send hello and wait for the welcome."""
        await self.send(Hello(PROTOCOL_VERSION, name, [*games], matches, session, None, casual))
        self.session = (await self.receive(Welcome)).session

    async def receive(self, kind: type[M]) -> M:
        """Return the next message, which must be of this kind."""
        async with awaited(f"a message {kind.__name__}"):
            message = decode_from_arena(await self.connection.recv())
        assert isinstance(message, kind), message
        return message

    async def refusal(self) -> str:
        """Return the code of a refusal, which its message and the close reason have."""
        error = await self.receive(Error)
        assert await self.wait_closed() == (1008, error.code)
        return error.code

    async def play(self, move: int) -> Turn:
        """Wait for the turn, then send a move."""
        turn = await self.receive(Turn)
        await self.send(Move(turn.match, turn.ply, move))
        return turn

    async def play_to_end(self) -> None:
        """Play the smallest legal move at every turn until the connection ends."""
        with suppress(ConnectionClosed):
            while True:
                turn = decode_from_arena(await self.connection.recv())
                if isinstance(turn, Turn):
                    position = GAMES[turn.game].position(**turn.setup, moves=turn.moves)
                    await self.send(Move(turn.match, turn.ply, position.legal_moves()[0]))

    async def wait_closed(self) -> tuple[int | None, str | None]:
        """Wait for the end of the connection; return the arena's close code and reason."""
        async with awaited("the end of the connection"):
            await self.connection.wait_closed()
        return self.connection.close_code, self.connection.close_reason


class ArenaServer:
    """A listening arena, its database, and the connections that a test opens to it."""

    def __init__(self, db: Path, arena: Arena, connections: AsyncExitStack) -> None:
        self.db = db
        self.arena = arena
        self.url = arena.url
        self._connections = connections

    async def connect(self, headers: Mapping[str, str] | None = None) -> ScriptedBot:
        """Connect, with these headers, without sending hello."""
        connecting = connect(
            self.url, additional_headers=headers, compression=None, proxy=None, close_timeout=1
        )
        return ScriptedBot(await self._connections.enter_async_context(connecting))

    async def connect_bot(
        self, name: str, matches: int = 1, session: str | None = None
    ) -> ScriptedBot:
        """Connect and log in a bot."""
        player = await self.connect()
        await player.log_in(name, matches, session)
        return player

    async def connect_casual_player(
        self, name: str, matches: int = 1, session: str | None = None
    ) -> ScriptedBot:
        """Connect and log in a casual player."""
        player = await self.connect()
        await player.log_in(name, matches, session, casual=True)
        return player

    async def run_bot(
        self,
        name: str,
        matches: int = 1,
        games: Sequence[str] = ("take_stones",),
        casual: bool = False,
    ) -> None:
        """Connect a bot that plays by itself."""
        player = await self.connect()
        await player.log_in(name, matches, games=games, casual=casual)
        task = asyncio.create_task(player.play_to_end())
        self._connections.push_async_callback(asyncio.wait, [task])

    async def wait_until_connected(self, name: str) -> None:
        """Wait until a bot has connected."""
        async with awaited(f"the connection of {name}"):
            while self.arena.server.sessions.expect([name]):
                await self.arena.server.wait_for_change()

    async def wait_until_disconnected(self, name: str) -> None:
        """Wait until a bot or a casual player has disconnected."""
        sessions = self.arena.server.sessions
        async with awaited(f"{name} to disconnect"):
            while sessions.has_casual_player(name) or (
                name in sessions.bots and sessions.bots[name].connection
            ):
                await self.arena.server.wait_for_change()

    def start_match(
        self, one: str, two: str, *, opening: tuple[int, ...] = ()
    ) -> asyncio.Task[MatchRecord]:
        """Start a match with 7 stones."""
        return self.arena.server.start_match(pairing(one, two, opening=opening))

    def records(self) -> list[MatchRecord]:
        """Return the stored matches."""
        return read_matches(self.db)


async def two_bots(server: ArenaServer) -> tuple[ScriptedBot, ScriptedBot]:
    return await server.connect_bot("one"), await server.connect_bot("two")


def pairing(
    one: str, two: str, *, number: int | None = None, stones: int = 7, opening: tuple[int, ...] = ()
) -> Pairing:
    return Pairing(number, (one, two), "take_stones", {"stones": stones}, opening)


def read_matches(db: Path) -> list[MatchRecord]:
    with DatabaseReader(db) as records:
        return [*records.matches(moves=True)]


@asynccontextmanager
async def arena_server(
    db: Path,
    time: str = "20",
    grace: float = 20.0,
    max_credit: float = 0.0,
    games: Sequence[str] = ("take_stones",),
    observer: Observer | None = None,
    admission: Admission | None = None,
    host: str = "127.0.0.1",
    challenges: Challenges | None = None,
    trace: MessageTrace | None = None,
    output_tail: OutputTail = no_output,
) -> AsyncIterator[ArenaServer]:
    """Run an arena; at its end it closes the remaining connections."""
    control = TimeControl.parse(time)
    config = ArenaConfig(tuple(games), control, grace, max_credit, host, accepts_spectators=False)
    observers = [observer] if observer else []
    async with AsyncExitStack() as connections:
        with DatabaseWriter(db) as writer:
            async with Arena(
                config,
                writer,
                admission=admission,
                observers=observers,
                challenges=challenges,
                trace=trace,
                output_tail=output_tail,
            ) as arena:
                yield ArenaServer(db, arena, connections)


def broken_game(times: int) -> Game:
    """Return Take-Stones whose first `times` positions cannot be created."""
    left = times
    game = GAMES["take_stones"]

    def position(**setup: Any) -> Position:
        nonlocal left
        left -= 1
        if left >= 0:
            raise MemoryError("no room")
        return game.position(**setup)

    return game._replace(position=position)
