"""An arena that is watched over: plain HTTP from outside, and what its observer hears."""

import asyncio
import http.client
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.app import AdmissionConfig, App, ArenaConfig
from arena.model.observer import Observer
from arena.model.time_control import TimeControl
from arena.server.http import Routes
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
    config = ArenaConfig(
        games=("take_stones",),
        time=TimeControl.parse("20"),
        grace=20.0,
        admission=AdmissionConfig(behind_proxy=behind_proxy),
        accepts_spectators=False,
        has_metrics=True,
    )
    observers = [observer] if observer else []
    async with AsyncExitStack() as connections:
        with DatabaseWriter(db) as store:
            async with App(config, store, observers=observers, routes=routes) as app:
                yield Watched(db, app.server, app.url, connections)
