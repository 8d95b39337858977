"""An arena that is watched over: plain HTTP from outside, and what its observer hears."""

import asyncio
import http.client
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.model.observer import CompositeObserver, Observer
from arena.model.time_control import TimeControl
from arena.server.admission import Admission
from arena.server.http import Routes
from arena.server.metrics import Metrics
from arena.server.server import Arena
from arena.storage.writer import DatabaseWriter
from tests.support.arena_server import TEST_TIMEOUT, ArenaServer


class Reply(NamedTuple):
    """What a client is told."""

    status: int
    headers: http.client.HTTPMessage
    body: str


def ask(url: str, path: str, method: str = "GET", body: str | None = None) -> Reply:
    """Ask the server of a URL for a path, by plain HTTP."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=TEST_TIMEOUT)) as client:
        client.request(method, path, body)
        response = client.getresponse()
        return Reply(response.status, response.headers, response.read().decode())


class Raw(NamedTuple):
    """What a client is told, byte by byte."""

    headers: http.client.HTTPMessage
    body: bytes


def fetch(url: str, path: str, encodings: str) -> Raw:
    """A path of the server of a URL, in one of some encodings."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=TEST_TIMEOUT)) as client:
        client.request("GET", path, headers={"Accept-Encoding": encodings})
        response = client.getresponse()
        return Raw(response.headers, response.read())


class Watched(ArenaServer):
    """An arena that listens, its database, and the bots that come."""

    async def ask(self, path: str, method: str = "GET", body: str | None = None) -> Reply:
        return await asyncio.to_thread(ask, self.url, path, method, body)

    async def get(self, path: str, encodings: str) -> Raw:
        return await asyncio.to_thread(fetch, self.url, path, encodings)


@asynccontextmanager
async def watched(
    db: Path,
    observer: Observer | None = None,
    routes: Routes | None = None,
    behind_proxy: bool = False,
) -> AsyncIterator[Watched]:
    """An arena with metrics, from its beginning to its end."""
    control = TimeControl.parse("20")
    async with AsyncExitStack() as connections:
        with DatabaseWriter(db) as store:
            async with Metrics(store) as metrics:
                found = metrics.routes() if routes is None else routes
                both = CompositeObserver([metrics, observer or Observer()])
                async with Arena(
                    store,
                    ["take_stones"],
                    control,
                    20.0,
                    both,
                    Admission(behind_proxy=behind_proxy),
                    found,
                ) as arena:
                    port = await arena.listen("127.0.0.1", 0)
                    yield Watched(db, arena, f"ws://127.0.0.1:{port}/play", connections)
