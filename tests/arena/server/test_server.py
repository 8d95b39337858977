"""The server: paths, changes that tasks wait for, and the end of an arena."""

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from arena.model.observer import Observer
from arena.model.results import MatchResult, Termination
from arena.model.time_control import TimeControl
from arena.protocol.player import PROTOCOL_VERSION, Finished, Hello, Resign, Turn
from arena.server.server import Server, abort_stalled
from arena.storage.writer import DatabaseWriter
from tests.support.polling import awaited
from tests.support.servers.arena_server import arena_server, two_bots
from tests.support.servers.raw_socket import frame, websocket
from tests.support.tournaments.observers import RecordingObserver

GAMES = ["take_stones"]


class ArenaFailure(Exception):
    """Exception that ends an arena."""


# Changes


async def test_a_connection_is_a_change(db: Path) -> None:
    async with arena_server(db) as server:
        await server.arena.server.wait_for_change(timeout=0.01)
        change = asyncio.create_task(server.arena.server.wait_for_change())
        await server.connect_bot("one")
        await change


async def test_the_end_of_a_match_is_a_change(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        await server.arena.server.wait_for_change()
        change = asyncio.create_task(server.arena.server.wait_for_change())
        task = server.start_match("one", "two")
        await one.send(Resign((await one.receive(Turn)).match))
        await change
        assert task.done()


# The end of the arena


async def test_a_regular_end_closes_with_1000(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
    assert (await bot.wait_closed())[0] == 1000


async def test_a_client_that_does_not_read_does_not_delay_the_end(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.server.CLOSE_TIMEOUT", 0.01)
    monkeypatch.setattr("arena.server.server.PING_INTERVAL", None)
    async with (
        AsyncExitStack() as clients,
        awaited("the end of the arena"),
        arena_server(db) as server,
    ):
        deaf = await clients.enter_async_context(websocket(server.url, receive_buffer=4096))
        await deaf.send(frame(Hello(PROTOCOL_VERSION, "deaf", GAMES)))
        await server.wait_until_connected("deaf")
        connection = server.arena.server.sessions.bots["deaf"].connection
        assert connection
        while not connection.paused:
            connection.send_frame("x" * 2**16)


class Reader:
    """Connection of a client that has read this many bytes before and after each timeout."""

    def __init__(self, *read: int) -> None:
        self.transport = self
        self.is_aborted = False
        self._read = iter(read)

    def read_by_client(self) -> int:
        return next(self._read)

    def abort(self) -> None:
        self.is_aborted = True


async def test_a_client_that_reads_on_gets_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.server.CLOSE_TIMEOUT", 0)
    monkeypatch.setattr("arena.server.server.SLOW_TIMEOUTS", 2)
    slow, deaf = Reader(7, 8, 8, 9), Reader(7, 7, 7, 7)
    clients: Any = {slow, deaf}
    ending = asyncio.create_task(abort_stalled(clients))
    await asyncio.sleep(0)  # the first timeout begins,
    await asyncio.sleep(0)  # and ends
    assert (slow.is_aborted, deaf.is_aborted) == (False, True)
    await ending
    assert slow.is_aborted


async def test_an_exception_closes_with_1012(db: Path) -> None:
    bots = []
    with suppress(ArenaFailure):
        async with arena_server(db) as server:
            bots.append(await server.connect_bot("one"))
            raise ArenaFailure
    assert [(await bot.wait_closed())[0] for bot in bots] == [1012]


async def test_a_cancelled_match_is_stored_as_aborted_and_not_announced(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(1)
        await two.receive(Turn)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    [record] = server.records()
    assert record.result == MatchResult(Termination.ABORTED, None, "the arena was stopped")
    assert [move.move for move in record.moves] == [1]
    assert [line[0] for line in observer.lines] == ["started", "moved"]
    with pytest.raises(ConnectionClosed):
        await two.receive(Finished)


async def test_a_match_cancelled_before_it_begins_is_not_stored(db: Path) -> None:
    async with arena_server(db) as server:
        await two_bots(server)
        task = server.start_match("one", "two")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (server.arena.server.sessions.is_free("one"), server.records()) == (True, [])


async def listen(writer: DatabaseWriter, port: int) -> None:
    async with Server(writer, GAMES, TimeControl(1), 1, 0, Observer()) as server:
        await server.listen("127.0.0.1", port)


async def test_a_port_in_use_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        port = urlsplit(server.url).port or 0
        with (
            DatabaseWriter(db.with_name("other.db")) as writer,
            pytest.raises(OSError, match="in use"),
        ):
            await listen(writer, port)
