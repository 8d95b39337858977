"""An arena that is watched over WebSockets, and those who watch it."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from arena.cli.watching import about_arena, feed_of, viewers_of
from arena.model.clock import TimeControl
from arena.model.observer import CompositeObserver, Observer
from arena.protocol.spectator import About, ToSpectator
from arena.server.admission import Door
from arena.server.server import Arena
from arena.spectators.broadcaster import SpectatorEndpoint
from arena.spectators.live_state import LiveState
from arena.storage.writer import DatabaseWriter
from tests.support.arena_server import ArenaServer

CONTROL = "20"

T = TypeVar("T", bound=msgspec.Struct)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToSpectator)


class Onlooker:
    """Somebody who watches."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, kind: str, **facts: object) -> None:
        await self.connection.send(json.dumps({"type": kind, **facts}))

    async def receive(self, kind: type[T]) -> T:
        """The next message of this kind; others are passed over."""
        while True:
            message = _decoder.decode(await self.connection.recv())
            if isinstance(message, kind):
                return message

    async def ask(self, kind: str, answer: type[T], **facts: object) -> T:
        await self.send(kind, request=1, **facts)
        return await self.receive(answer)


class Theatre(ArenaServer):
    """An arena with a feed and viewers."""

    feed: LiveState
    viewers: SpectatorEndpoint

    async def newcomer(self) -> Onlooker:
        """Somebody who has not been told anything yet."""
        url = self.url.replace("/play", "/watch")
        connecting = connect(url, compression=None, proxy=None, close_timeout=1)
        return Onlooker(await self._guests.enter_async_context(connecting))

    async def onlooker(self, match: int | None = None) -> Onlooker:
        """Somebody who follows a match, or the lobby."""
        result = await self.newcomer()
        await result.receive(About)
        await result.send("watch", match=match)
        return result


@asynccontextmanager
async def theatre(
    db: Path, observer: Observer | None = None, door: Door | None = None
) -> AsyncIterator[Theatre]:
    """An arena that is watched, from its beginning to its end."""
    games = ["take_stones", "isolation"]
    async with AsyncExitStack() as guests:
        with DatabaseWriter(db) as store:
            feed, about = feed_of(db, CONTROL), about_arena(games, CONTROL)
            observers = CompositeObserver([feed, observer or Observer()])
            control = TimeControl.parse(CONTROL)
            viewers = viewers_of(feed, store, lambda: about)
            async with (
                Arena(store, games, control, 20.0, observers, door, watch=viewers.serve) as arena,
                viewers,
            ):
                port = await arena.listen("127.0.0.1", 0)
                server = Theatre(db, arena, f"ws://127.0.0.1:{port}/play", guests)
                server.feed, server.viewers = feed, viewers
                yield server
