"""An arena inside a test that a fuzzer talks to, with honest bots and checks of all it must keep.

The event loop runs only while the fuzzer acts, so that a state machine of hypothesis can drive it.
"""

import asyncio
import json
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from arena.app import Arena
from arena.configuration import ArenaConfig
from arena.lobby.matchmaking import Matchmaker
from arena.model.results import MatchRecord, Termination
from arena.model.time_control import TimeControl
from arena.protocol.player import FromArena
from arena.protocol.spectator import ToSpectator
from arena.runner.organiser import Setups, run_lobby
from arena.server.server import LOGGER
from arena.storage.verify import find_differences
from arena.storage.writer import DatabaseWriter
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ArenaServer, pairing, read_matches
from tests.support.servers.raw_socket import (
    CLOSE,
    END,
    PING,
    PONG,
    TEXT,
    RawConnection,
    frame,
    no_leaks,
    raw_connection,
    request,
)

SETUPS: Setups = {"take_stones": [{"stones": 20}], "isolation": [{}]}
HONEST = ("one", "two")
TIME = TimeControl.parse("60")  # longer than a test: honest bots cannot lose on time

# Documented in docs/reference/protocol.md. 1011 is documented for pings that are not answered, for
# which no test waits: here it would be an internal error. A close frame of the client is echoed.
CLOSE_CODES = {1000, 1002, 1007, 1008, 1009, 1012}
INTERNAL_ERROR = 1011
CLOSE_BYTE = END | CLOSE  # with which a close frame begins
STATUSES = {101, 200, 400, 401, 403, 404, 405, 414, 426, 429, 431, 503, 505}

GRACE = 0.05  # seconds for which a fuzzer may be disconnected in a match
CYCLES = 20  # of the event loop after each action: enough for a message and its answer
SENT = 0.02  # seconds that the fuzzer waits for an arena that does not read

T = TypeVar("T")

_decoders: dict[str, msgspec.json.Decoder[Any]] = {
    "/play": msgspec.json.Decoder(FromArena),
    "/watch": msgspec.json.Decoder(ToSpectator),
}


class FuzzerConnection:
    """A connection of the fuzzer, and all that it has received.

    Attributes:
        path: The path of its WebSocket; empty if it has none.
        received: The bytes after the handshake, or all without one.
    """

    def __init__(self, raw: RawConnection, path: str) -> None:
        self.path = path
        self.received = b""
        self._raw = raw
        self._may_have_closed = False
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):
            while piece := await loop.sock_recv(self._raw.socket, 2**16):
                self.received += piece

    async def send(self, data: bytes) -> None:
        """Send bytes, as far as the arena reads them and keeps the connection."""
        self._may_have_closed |= CLOSE_BYTE in data
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(SENT):
                await self._raw.send(data)

    def stop_reading(self) -> None:
        """Leave everything unread from now on."""
        self._reading.cancel()

    def end_sending(self) -> None:
        """Close the sending direction."""
        with suppress(OSError):
            self._raw.socket.shutdown(1)

    async def wait_closed(self) -> None:
        """Wait until the arena has ended the connection."""
        await asyncio.wait([self._reading])

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages received so far."""
        found = whole_frames(self.received)
        return [json.loads(data) for opcode, data in found if opcode == TEXT]

    def latest(self, kind: str) -> dict[str, Any] | None:
        """Return the latest message of a type on a WebSocket, None if there is none."""
        messages = self.messages() if self.path else []
        return next((found for found in reversed(messages) if found["type"] == kind), None)

    async def wait_for_answers(self, number: int) -> None:
        """Wait until this many answers to questions have arrived, or the connection has ended."""
        while not self._reading.done():
            if sum("request" in message for message in self.messages()) >= number:
                return
            size = len(self.received)
            while len(self.received) == size and not self._reading.done():
                await asyncio.sleep(0)

    async def close(self) -> None:
        """Close the connection, and check what it has received."""
        self._reading.cancel()
        await asyncio.wait([self._reading])
        self._raw.socket.close()
        self.check()

    def check(self) -> None:
        """Check that all received bytes are as documented."""
        if not self.path:
            if self.received:
                status = int(self.received.split(b" ", 2)[1])
                assert status in STATUSES, self.received
            return
        for opcode, data in whole_frames(self.received):
            if opcode == TEXT:
                _decoders[self.path].decode(data)
            elif opcode == CLOSE:
                code = int.from_bytes(data[:2], "big")
                is_echo = self._may_have_closed and code != INTERNAL_ERROR
                assert code in CLOSE_CODES or is_echo, data
            else:
                assert opcode in {PING, PONG}, opcode


def whole_frames(received: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the frames that have arrived completely; the arena sends none in fragments."""
    at = 0
    while len(received) >= at + 2:
        assert received[at] & 0xF0 == 0x80, "a fragment or reserved bits"
        length, start = received[at + 1], at + 2
        assert length < 128, "a masked frame"
        if length >= 126:
            size = 2 if length == 126 else 8
            length, start = int.from_bytes(received[start : start + size], "big"), start + size
        if len(received) < start + length:
            return
        yield received[at] & 15, received[start : start + length]
        at = start + length


class FuzzedArena:
    """An arena with spectators, a page, metrics, a ladder, casual matches, and two honest bots.

    The honest bots play one match after the other. `close` checks that all of them were decided on
    the board, that all stored matches agree with the rules, that nothing has failed inside the
    arena, and that tasks and descriptors are freed.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._connections: list[FuzzerConnection] = []
        self._ready: asyncio.Future[ArenaServer] = self._loop.create_future()
        self._running = self._loop.create_task(self._run())
        self._running.add_done_callback(lambda _: self._ready.cancel())
        self.act(asyncio.wait([self._ready]))

    def act(self, action: Coroutine[object, object, T]) -> T:
        """Run an action, then the arena for a while; raise what either raises."""

        async def both() -> T:
            result = await asyncio.wait_for(action, TEST_TIMEOUT)
            for _ in range(CYCLES):
                await asyncio.sleep(0)
            if self._running.done():
                await self._running
            return result

        return self._loop.run_until_complete(both())

    async def connect(self, path: str = "", receive_buffer: int | None = None) -> FuzzerConnection:
        """Open a TCP connection, and with a path a WebSocket."""
        url = (await self._ready).url
        raw = await self._exits.enter_async_context(raw_connection(url, receive_buffer))
        if path:
            await raw.send(request(path))
            await raw.read(b"\r\n\r\n")
        result = FuzzerConnection(raw, path)
        self._connections.append(result)
        return result

    async def is_healthy(self) -> bool:
        """Return whether the arena answers /healthz with 200 on a new connection."""
        connection = await self.connect()
        await connection.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await connection.wait_closed()
        return connection.received.startswith(b"HTTP/1.1 200 ")

    def close(self) -> None:
        """End the arena, after all checks."""
        self._over.set()
        self._loop.call_later(TEST_TIMEOUT, self._running.cancel)
        try:
            self._loop.run_until_complete(self._running)
        finally:
            self._loop.close()

    async def _open_database(self) -> None:
        """Ask for games: the first question opens the database for all of them."""
        viewer = await self.connect("/watch")
        await viewer.send(frame(b'{"type": "find_games", "request": 1}'))
        while b'"games"' not in viewer.received.rpartition(b'{"type":')[2]:
            await asyncio.sleep(0)
        await viewer.close()

    async def _run(self) -> None:
        """Run the arena to its end."""
        async with AsyncExitStack() as self._exits:
            folder = Path(self._exits.enter_context(tempfile.TemporaryDirectory()))
            patch = self._exits.enter_context(pytest.MonkeyPatch.context())
            patch.setattr("arena.server.match_runner.CASUAL_GRACE", GRACE)
            errors = self._exits.enter_context(internal_errors())
            async with fuzzed_app(folder) as (arena, server):
                records = await self._attacked(arena, server)
            stored = read_matches(folder / "arena.db")
        assert [line for record in stored for line in find_differences(record)] == []
        assert not errors, "\n".join(errors)
        assert {record.result.termination for record in records} == {Termination.NO_LEGAL_MOVE}

    async def _attacked(self, arena: Arena, server: ArenaServer) -> list[MatchRecord]:
        """Let honest bots play until the end; return their matches after all fuzzers have left."""
        for name in HONEST:
            await server.run_bot(name)
        self._ready.set_result(server)
        await self._open_database()
        async with no_leaks(sockets):
            async with lobby(arena):
                records = [await server.arena.server.start_match(pairing(*HONEST, stones=50))]
                while not self._over.is_set():
                    records.append(
                        await server.arena.server.start_match(pairing(*HONEST, stones=50))
                    )
                assert await self.is_healthy()
            for connection in self._connections:
                await connection.close()
        return records


@contextmanager
def fuzzed_arena() -> Iterator[FuzzedArena]:
    """Run an arena, and check it at the end."""
    arena = FuzzedArena()
    try:
        yield arena
    finally:
        arena.close()


@asynccontextmanager
async def fuzzed_app(folder: Path) -> AsyncIterator[tuple[Arena, ArenaServer]]:
    """Run an arena with all that `arena serve` has, but for house bots and matchmaking."""
    config = ArenaConfig(
        tuple(SETUPS),
        TIME,
        GRACE,
        has_page=True,
        has_metrics=True,
        house_bots={},
        log=str(folder / "log"),
    )
    db = folder / "arena.db"
    async with AsyncExitStack() as connections:
        with DatabaseWriter(db) as writer:
            async with Arena(config, writer) as arena:
                yield arena, ArenaServer(db, arena, connections)


@asynccontextmanager
async def lobby(arena: Arena) -> AsyncIterator[None]:
    """Let the arena pair the fuzzers' bots, which have free names, and play their challenges."""
    assert arena.challenges
    running = asyncio.create_task(
        run_lobby(arena.server, SETUPS, Matchmaker(), 4, arena.challenges, arena.ensure_house_bot)
    )
    yield
    assert not running.done(), running
    running.cancel()
    await asyncio.wait([running])


def sockets() -> int:
    """Return the number of open sockets: the database opens files when it needs them."""
    found = 0
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the listing's own
            found += os.readlink(f"/proc/self/fd/{number}").startswith("socket:")
    return found


@contextmanager
def internal_errors() -> Iterator[list[str]]:
    """Yield a list of the errors that this process logs meanwhile."""
    errors: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(self.format(record))

    collector = Collector(logging.ERROR)
    loggers = LOGGER, logging.getLogger()
    for logger in loggers:
        logger.addHandler(collector)
    try:
        yield errors
    finally:
        for logger in loggers:
            logger.removeHandler(collector)
