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
from arena.model.observer import Observer, Observers
from arena.protocol.spectator import About, ToViewer
from arena.server.admission import Door
from arena.server.server import Arena
from arena.spectators.broadcaster import Viewers
from arena.spectators.live_state import Feed
from arena.storage.writer import Store
from tests.conftest import Venue

CONTROL = "20"

T = TypeVar("T", bound=msgspec.Struct)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ToViewer)


class Onlooker:
    """Somebody who watches."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def say(self, kind: str, **facts: object) -> None:
        await self.connection.send(json.dumps({"type": kind, **facts}))

    async def hear(self, kind: type[T]) -> T:
        """The next message of this kind; others are passed over."""
        while True:
            message = _decoder.decode(await self.connection.recv())
            if isinstance(message, kind):
                return message

    async def ask(self, kind: str, answer: type[T], **facts: object) -> T:
        await self.say(kind, request=1, **facts)
        return await self.hear(answer)


class Theatre(Venue):
    """An arena with a feed and viewers."""

    feed: Feed
    viewers: Viewers

    async def newcomer(self) -> Onlooker:
        """Somebody who has not been told anything yet."""
        url = self.url.replace("/play", "/watch")
        connecting = connect(url, compression=None, proxy=None, close_timeout=1)
        return Onlooker(await self._guests.enter_async_context(connecting))

    async def onlooker(self, match: int | None = None) -> Onlooker:
        """Somebody who follows a match, or the lobby."""
        result = await self.newcomer()
        await result.hear(About)
        await result.say("watch", match=match)
        return result


@asynccontextmanager
async def theatre(
    db: Path, observer: Observer | None = None, door: Door | None = None
) -> AsyncIterator[Theatre]:
    """An arena that is watched, from its beginning to its end."""
    games = ["take_stones", "isolation"]
    async with AsyncExitStack() as guests:
        with Store(db) as store:
            feed, about = feed_of(db, CONTROL), about_arena(games, CONTROL)
            observers = Observers([feed, observer or Observer()])
            control = TimeControl.parse(CONTROL)
            viewers = viewers_of(feed, store, lambda: about)
            async with (
                Arena(store, games, control, 20.0, observers, door, watch=viewers.serve) as arena,
                viewers,
            ):
                port = await arena.listen("127.0.0.1", 0)
                here = Theatre(db, arena, f"ws://127.0.0.1:{port}/play", guests)
                here.feed, here.viewers = feed, viewers
                yield here
