"""An arena with spectators inside the test, and spectators that a test scripts."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from arena.app import Arena
from arena.configuration import ArenaConfig
from arena.model.observer import Observer
from arena.model.time_control import TimeControl
from arena.protocol.spectator import About, ToSpectator
from arena.server.admission import Admission
from arena.storage.writer import DatabaseWriter
from tests.support.polling import awaited
from tests.support.servers.arena_server import ArenaServer, ScriptedBot, two_bots

GAMES = ("take_stones", "isolation")
CONTROL = TimeControl.parse("20")

T = TypeVar("T", bound=msgspec.Struct)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToSpectator)


class ScriptedSpectator:
    """A spectator whose messages a test sends and receives one by one."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, kind: str, **fields: object) -> None:
        await self.connection.send(json.dumps({"type": kind, **fields}))

    async def receive(self, kind: type[T]) -> T:
        """Return the next message of this kind; skip all others."""
        async with awaited(f"a message {kind.__name__}"):
            while True:
                message = _decoder.decode(await self.connection.recv())
                if isinstance(message, kind):
                    return message

    async def request(self, kind: str, reply: type[T], **fields: object) -> T:
        """Send request 1 and return its reply."""
        await self.send(kind, request=1, **fields)
        return await self.receive(reply)


class SpectatedArena(ArenaServer):
    """A listening arena with an endpoint for spectators."""

    async def connect_spectator(
        self, address: str = "127.0.0.1", compression: str | None = None
    ) -> ScriptedSpectator:
        """Connect a spectator that follows nothing, as a proxy does for a client's address.

        Its queue has no limit: a full one would leave pings unanswered while a test only plays.
        """
        url, headers = self.url.replace("/play", "/watch"), {"X-Real-IP": address}
        connecting = connect(
            url,
            compression=compression,
            proxy=None,
            close_timeout=1,
            additional_headers=headers,
            max_queue=None,
        )
        return ScriptedSpectator(await self._connections.enter_async_context(connecting))

    async def follow(self, match: int | None = None) -> ScriptedSpectator:
        """Connect a spectator that follows a match, or the lobby."""
        spectator = await self.connect_spectator()
        await spectator.receive(About)
        await spectator.send("watch", match=match)
        return spectator


@asynccontextmanager
async def spectated_arena(
    db: Path,
    observer: Observer | None = None,
    admission: Admission | None = None,
    games: Sequence[str] = GAMES,
    has_page: bool = False,
) -> AsyncIterator[SpectatedArena]:
    """Run an arena with spectators; at its end it closes the remaining connections."""
    config = ArenaConfig(tuple(games), CONTROL, grace=20.0, has_page=has_page)
    observers = [observer] if observer else []
    async with AsyncExitStack() as connections:
        with DatabaseWriter(db) as writer:
            async with Arena(config, writer, admission=admission, observers=observers) as arena:
                yield SpectatedArena(db, arena, connections)


async def play_match(server: SpectatedArena) -> int:
    """Play a match to its end and return its id."""
    for name in ("one", "two"):
        await server.run_bot(name)
    return (await server.start_match("one", "two")).id


async def begin_match(server: SpectatedArena) -> tuple[ScriptedBot, ScriptedBot]:
    """Start match 1 and take 3; the second bot has the turn."""
    one, two = await two_bots(server)
    server.start_match("one", "two")
    await one.play(3)
    return one, two
