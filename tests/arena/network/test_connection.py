"""Connections: messages of all kinds, clients that do not read, and the budget."""

import asyncio
import base64
import gc
import json
import socket
import sys
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidMessage

from arena.model.observer import Observer
from arena.model.results import PlayedMove
from arena.network.connection import FIRST_UNITS, REFUND
from arena.network.work_time import work_time
from arena.protocol.codec import UNREADABLE_LIMIT, encode
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Move, Resign, Turn
from arena.server.admission import Admission
from arena.server.server import MAX_FRAME
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT, until
from tests.support.servers.arena_server import (
    MESSAGES_IN_BUDGET,
    ArenaServer,
    arena_server,
    two_bots,
)
from tests.support.servers.raw_socket import (
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    RawConnection,
    frame,
    frames,
    no_leaks,
    raw_connection,
    request,
    websocket,
)

GAMES = ["take_stones"]


# The time for the request


async def test_the_time_for_the_request_ends_with_it(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.connection.REQUEST_TIMEOUT", 0.2)
    clock = asyncio.get_running_loop().time
    async with arena_server(db) as server:
        bot = None
        while not bot:  # on a slow machine it may take longer
            with suppress(ConnectionError, InvalidMessage):
                bot = await server.connect()
        end = clock() + 0.2
        await until(lambda: clock() > end, "the end of the time")
        await bot.log_in("one")


# Oversized messages


async def test_an_oversized_message_closes_the_connection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        await bot.send("x" * (MAX_FRAME + 1))
        assert (await bot.wait_closed())[0] == 1009


# Messages of several frames, and other kinds


HELLO = frame(Hello(PROTOCOL_VERSION, "one", GAMES))
MAX_QUEUE = 16  # messages, beyond which the library pauses reading


def question(match: str) -> bytes:
    """Return a message whose answer names a match."""
    return encode(Resign(match)).encode()


async def read_answers(bot: RawConnection, last: str) -> list[str]:
    """Return the matches in the answers to questions, up to the last one."""
    received = await bot.read(f'"match":"{last}"}}'.encode())
    sent = [json.loads(data) for opcode, data in frames(received) if opcode == TEXT]
    return [message["match"] for message in sent if message["type"] == "error"]


@asynccontextmanager
async def joined(db: Path) -> AsyncIterator[tuple[ArenaServer, RawConnection]]:
    """Run an arena with a bot named one."""
    async with arena_server(db) as server, websocket(server.url) as bot:
        await bot.send(HELLO)
        await server.wait_until_connected("one")
        yield server, bot


async def test_messages_behind_the_hello_are_answered(db: Path) -> None:
    async with arena_server(db) as server, websocket(server.url) as bot:
        whole = b"".join(frame(question(f"{number}")) for number in range(MAX_QUEUE + 1))
        begun, rest = question("begun")[:5], question("begun")[5:]
        await bot.send(HELLO + whole + frame(begun, bits=0))
        await bot.send(frame(rest, CONTINUATION) + frame(question("last")))
        expected = [*map(str, range(MAX_QUEUE + 1)), "begun", "last"]
        assert await read_answers(bot, "last") == expected


async def test_messages_and_a_ping_are_answered_in_order(db: Path) -> None:
    async with joined(db) as (_, bot):
        first, second = question("2")[:5], question("2")[5:]
        await bot.send(
            frame(question("1"))
            + frame(first, bits=0)
            + frame(b"now?", PING)
            + frame(second, CONTINUATION)
            + frame(question("3"))
        )
        assert await read_answers(bot, "1") == ["1"]
        assert [*frames(await bot.read(b"now?"))][-1] == (PONG, b"now?")
        assert await read_answers(bot, "3") == ["2", "3"]


async def test_a_message_may_arrive_byte_by_byte(db: Path) -> None:
    async with joined(db) as (_, bot):
        for byte in frame(question("1")) + frame(question("2")):
            await bot.send(bytes([byte]))
            await asyncio.sleep(0)
        assert await read_answers(bot, "2") == ["1", "2"]


@loop_over(
    "invalid, reason",
    (frame(b"\xff"), b"\x03\xefinvalid start byte at position 0"),
    (
        frame(b"", bits=0) + frame(b"\xff", CONTINUATION),
        b"\x03\xefinvalid start byte at position 0",
    ),
    (frame(b"{") * UNREADABLE_LIMIT, b"\x03\xf0unreadable"),
)
async def test_messages_after_invalid_ones_are_not_read(
    db: Path, invalid: bytes, reason: bytes
) -> None:
    async with joined(db) as (_, bot):
        await bot.send(frame(question("1")) + invalid + frame(question("2")))
        received = [*frames(await bot.read_to_end())]
        assert received[-1] == (CLOSE, reason)
        assert b'"match":"2"' not in b"".join(data for _, data in received)


# Clients that do not read


KEY = base64.b64encode(bytes(16)).decode()


HANDSHAKE = (
    "GET /play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def connect_without_reading(url: str) -> socket.socket:
    """Connect a bot that sends hello and never reads."""
    result = socket.socket()
    result.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    address = urlsplit(url)
    result.settimeout(TEST_TIMEOUT)
    result.connect((address.hostname, address.port))
    result.sendall(HANDSHAKE.encode() + frame(Hello(PROTOCOL_VERSION, "deaf", GAMES)))
    return result


def flood(bot: socket.socket) -> None:
    """Send messages that cause answers until the arena disconnects."""
    questions = frame(Resign("\1" * 64)) * 100
    while True:
        bot.sendall(questions)


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read all that a client sends, and disconnect it soon if it does not read."""
    monkeypatch.setattr("arena.network.connection.TURN_UNITS", sys.maxsize)
    monkeypatch.setattr("arena.network.connection.MAX_UNITS", sys.maxsize)
    monkeypatch.setattr("arena.network.connection.MAX_UNSENT", 2**16)


@pytest.mark.usefixtures("no_limits")
async def test_a_bot_that_never_reads_is_disconnected_and_delays_no_other(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        with await asyncio.to_thread(connect_without_reading, server.url) as bot:
            flooding = asyncio.create_task(asyncio.to_thread(flood, bot))
            task = server.start_match("one", "two", opening=(1, 4, 2, 6))
            await one.play(3)
            assert (await task).winner == "one"
            with pytest.raises(ConnectionError):
                await flooding
            await server.wait_until_disconnected("deaf")
        assert "deaf" not in server.arena.server.sessions.bots


@asynccontextmanager
async def with_unread_data(db: Path) -> AsyncIterator[tuple[ArenaServer, RawConnection]]:
    """Run an arena with a bot named one that has not read what fills its send buffer."""
    async with arena_server(db) as server, websocket(server.url) as bot:
        await bot.send(HELLO)
        await server.wait_until_connected("one")
        connection = server.arena.server.sessions.bots["one"].connection
        assert connection
        while not connection.paused:
            connection.send_frame("x" * 2**16)
        yield server, bot


async def test_a_client_that_reads_nothing_for_long_is_disconnected(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.connection.STALL_TIMEOUT", 0.01)
    async with with_unread_data(db) as (server, _):
        await server.wait_until_disconnected("one")


async def test_a_client_that_reads_on_stays_connected(db: Path) -> None:
    async with with_unread_data(db) as (server, bot):
        connection = server.arena.server.sessions.bots["one"].connection
        assert connection
        assert connection._stall_timer
        loop = asyncio.get_running_loop()
        while connection.paused:
            await loop.sock_recv(bot.socket, 2**20)
        assert not connection._stall_timer


# The budget


async def test_many_messages_at_once_are_all_read(db: Path) -> None:
    async with joined(db) as (_, bot):
        await bot.send(frame(Resign("x")) * MESSAGES_IN_BUDGET)
        for _ in range(MESSAGES_IN_BUDGET):
            await bot.read(b'"unknown_match"')


@pytest.mark.usefixtures("no_turns")
async def test_a_useful_message_lets_more_be_read(db: Path) -> None:
    async with joined(db) as (server, bot):
        await server.connect_bot("two")
        server.start_match("one", "two")
        await bot.read(b'"type":"turn"')
        # One read: after the hello there are units for some 36 frames, the first of which gives
        # back four.
        await bot.send(frame(Move("1", 0, 1)) + frame(Resign("x")) * FIRST_UNITS)
        for _ in range(FIRST_UNITS - 4 + REFUND - 2):
            await bot.read(b'"unknown_match"')


@pytest.mark.usefixtures("no_turns")
async def test_the_time_that_a_message_takes_is_charged(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with joined(db) as (server, bot):
        monkeypatch.setattr("arena.network.connection.UNIT_SECONDS", 1e-9)
        await bot.send(frame(Resign("x")))
        connection = server.arena.server.sessions.bots["one"].connection
        assert connection
        assert connection.transport.is_reading()
        await bot.read(b'"unknown_match"')
        assert not connection.transport.is_reading()


class Working(Observer):
    """Observer that works for a second on each move, by a clock of its own."""

    seconds = 0.0

    def moved(self, match: int, move: PlayedMove) -> None:  # noqa: ARG002
        self.seconds += 1


@pytest.mark.usefixtures("no_turns")
async def test_the_time_that_a_useful_message_takes_is_not_charged(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    observer = Working()
    async with arena_server(db, observer=observer) as server:
        one, two = await two_bots(server)
        connection = server.arena.server.sessions.bots["one"].connection
        assert connection
        monkeypatch.setattr("arena.network.connection.UNIT_SECONDS", 1e-9)
        monkeypatch.setattr("arena.network.connection.work_time", lambda: observer.seconds)
        server.start_match("one", "two")
        await one.play(1)
        await two.receive(Turn)
        assert observer.seconds == 1
        assert connection.transport.is_reading()
        monkeypatch.setattr("arena.network.connection.work_time", work_time)
        await one.send(Resign("x"))
        assert (await one.receive(Error)).code == "unknown_match"
        assert not connection.transport.is_reading()


# The network delay


async def test_a_client_on_this_machine_has_no_network_delay(db: Path) -> None:
    async with arena_server(db) as server:
        await server.connect_bot("one")
        connection = server.arena.server.sessions.bots["one"].connection
        assert connection
        connection.latency = 5.0
        assert connection.network_delay == 0.0


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells no round trip")
async def test_a_client_that_delays_its_pongs_gains_nothing(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.connection.is_loopback", lambda _: False)
    async with arena_server(db) as server:
        await server.connect_bot("one")
        connection = server.arena.server.sessions.bots["one"].connection
        assert connection
        connection.latency = 1e9
        assert 0 < connection.network_delay < 1e9
        connection.latency = 1e-9
        assert connection.network_delay == 1e-9


async def test_behind_a_proxy_the_pong_measures_the_delay(db: Path) -> None:
    async with arena_server(db, admission=Admission(behind_proxy=True)) as server:
        one = await server.connect({"X-Real-IP": "192.0.2.1"})
        await one.log_in("one")
        connection = server.arena.server.sessions.bots["one"].connection
        assert connection
        connection.latency = 5.0
        assert connection.network_delay == 5.0


# Memory


async def test_a_connection_has_few_enough_attributes_to_share_their_names(db: Path) -> None:
    async with arena_server(db) as server:
        await server.connect_bot("one")
        connection = server.arena.server.sessions.bots["one"].connection
        assert len(vars(connection)) <= 30  # more make a table of their own in CPython


@pytest.fixture
def no_collections() -> Iterator[None]:
    """Free only what nothing refers to."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collections")
@loop_over(
    "sent",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    request(headers="Origin: http://foreign.example\r\n"),
    request() + HELLO + frame(b"\x03\xe8", CLOSE),
    request() + frame(b"\xff"),
    request() + HELLO + frame(b"{") * UNREADABLE_LIMIT,
)
async def test_a_connection_is_freed_at_its_end(db: Path, sent: bytes) -> None:
    async with arena_server(db) as server:
        assert server.arena.server._server
        connections = server.arena.server._server.all_connections
        async with raw_connection(server.url) as client:
            await until(lambda: connections, "the connection")
            connection = weakref.ref(next(iter(connections)))
            await client.send(sent)
            await client.read_to_end()
        await until(lambda: not connection(), "the end of the connection")


async def test_a_plain_connection_ends_with_its_client(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.server.CLOSE_TIMEOUT", 1e6)
    async with arena_server(db) as server, no_leaks(), raw_connection(server.url) as client:
        await client.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await client.read_to_end()).startswith(b"HTTP/1.1 404")
