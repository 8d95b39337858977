"""An arena with metrics inside the test, and requests to it over plain HTTP."""

import asyncio
import http.client
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.app import Arena
from arena.configuration import AdmissionConfig, ArenaConfig
from arena.model.observer import Observer
from arena.model.time_control import TimeControl
from arena.server.http import Routes
from arena.storage.writer import DatabaseWriter
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ArenaServer


class Reply(NamedTuple):
    """Response with the body as text."""

    status: int
    headers: http.client.HTTPMessage
    body: str


def request(url: str, path: str, method: str = "GET", body: str | None = None) -> Reply:
    """Request a path from the server of a WebSocket URL."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=TEST_TIMEOUT)) as client:
        client.request(method, path, body)
        response = client.getresponse()
        return Reply(response.status, response.headers, response.read().decode())


class RawReply(NamedTuple):
    """Response with the body as bytes."""

    headers: http.client.HTTPMessage
    body: bytes


def fetch(url: str, path: str, encodings: str) -> RawReply:
    """Request a path with a header Accept-Encoding."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=TEST_TIMEOUT)) as client:
        client.request("GET", path, headers={"Accept-Encoding": encodings})
        response = client.getresponse()
        return RawReply(response.headers, response.read())


class MonitoredServer(ArenaServer):
    """A listening arena with metrics, and requests to it."""

    async def request(self, path: str, method: str = "GET", body: str | None = None) -> Reply:
        return await asyncio.to_thread(request, self.url, path, method, body)

    async def get(self, path: str, encodings: str) -> RawReply:
        return await asyncio.to_thread(fetch, self.url, path, encodings)


@asynccontextmanager
async def monitored_server(
    db: Path,
    observer: Observer | None = None,
    routes: Routes | None = None,
    behind_proxy: bool = False,
) -> AsyncIterator[MonitoredServer]:
    """Run an arena with metrics."""
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
        with DatabaseWriter(db) as writer:
            async with Arena(config, writer, observers=observers, routes=routes) as arena:
                yield MonitoredServer(db, arena, connections)
