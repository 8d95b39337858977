"""Attacks on an arena: each gets its defined answer, and honest bots play on undisturbed."""

import asyncio
import sys
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from arena.model.results import MatchRecord, Termination
from arena.protocol.player import PROTOCOL_VERSION, Hello, Resign
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ArenaServer, arena_server, pairing
from tests.support.servers.raw_socket import (
    BINARY,
    CONTINUATION,
    END,
    PING,
    PONG,
    RESERVED,
    TEXT,
    UNKNOWN,
    RawConnection,
    frame,
    frames,
    no_leaks,
    raw_connection,
    request,
    websocket,
)

MAX_KEPT = 200_000  # bytes of memory for a connection and its task
HELLO = Hello(PROTOCOL_VERSION, "evil", ["take_stones"])
USELESS = frame(Resign("\1" * 64))


async def play_until(server: ArenaServer, stop: asyncio.Event) -> list[MatchRecord]:
    """Let honest bots play until `stop`, at least one match."""
    records = [await server.arena.server.start_match(pairing("one", "two", stones=50))]
    while not stop.is_set():
        records.append(await server.arena.server.start_match(pairing("one", "two", stones=50)))
    return records


def set_timeouts(patch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set the timeouts of a new connection."""
    patch.setattr("arena.network.connection.REQUEST_TIMEOUT", seconds)
    patch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", seconds)


@asynccontextmanager
async def attacked(db: Path) -> AsyncIterator[ArenaServer]:
    """Run an arena in which honest bots play; check their matches and all resources at the end."""
    async with no_leaks(), arena_server(db) as server:
        with pytest.MonkeyPatch.context() as patch:  # a busy machine may be slow to connect them
            set_timeouts(patch, TEST_TIMEOUT)
            for name in ("one", "two"):
                await server.run_bot(name)
        stop = asyncio.Event()
        playing = asyncio.create_task(play_until(server, stop))
        try:
            yield server
        finally:
            stop.set()
            records = await playing
        assert {record.result.termination for record in records} == {Termination.NO_LEGAL_MOVE}
        assert server.records() == records


@asynccontextmanager
async def admitted(
    server: ArenaServer, receive_buffer: int | None = None
) -> AsyncIterator[RawConnection]:
    """Connect an attacker that sends a valid hello."""
    async with websocket(server.url, receive_buffer) as attacker:
        await attacker.send(frame(HELLO))
        await server.wait_until_connected("evil")
        yield attacker


async def wait_for_matches(server: ArenaServer, number: int) -> None:
    """Wait until this many more matches have ended."""
    for _ in range(number):
        await server.arena.server.wait_for_change()


@pytest.fixture
def short_close_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the timeout of the closing handshake."""
    monkeypatch.setattr("arena.server.server.CLOSE_TIMEOUT", 0.05)


@pytest.fixture
def short_timeouts(short_close_timeout: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Shorten all timeouts of a connection."""
    set_timeouts(monkeypatch, 0.2)


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read all that a client sends."""
    monkeypatch.setattr("arena.network.connection.FIRST_UNITS", sys.maxsize)
    monkeypatch.setattr("arena.network.connection.MAX_UNITS", sys.maxsize)


@pytest.fixture
def long_timeouts(short_close_timeout: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Make all timeouts longer than a test."""
    set_timeouts(monkeypatch, 2 * TEST_TIMEOUT)
    monkeypatch.setattr("arena.server.server.PING_INTERVAL", 2 * TEST_TIMEOUT)


# Handshakes


@pytest.mark.usefixtures("short_timeouts")
async def test_a_slow_handshake_is_closed(db: Path) -> None:
    async with attacked(db) as server, raw_connection(server.url) as attacker:
        with pytest.raises(ConnectionError):  # noqa: PT012
            while True:
                await attacker.send(b"G")
                await wait_for_matches(server, 1)


@pytest.mark.usefixtures("short_timeouts")
@pytest.mark.parametrize("start", [b"", request()[:-2], b"\0"])
async def test_an_incomplete_handshake_is_closed(db: Path, start: bytes) -> None:
    async with attacked(db) as server, raw_connection(server.url) as attacker:
        await attacker.send(start)
        assert await attacker.read_to_end() == b""


@pytest.mark.usefixtures("long_timeouts")
@pytest.mark.parametrize("start", [b"", request()[:-2]])
async def test_the_end_does_not_wait_for_an_incomplete_handshake(db: Path, start: bytes) -> None:
    async with no_leaks(), AsyncExitStack() as attackers:
        async with arena_server(db) as server:
            attacker = await attackers.enter_async_context(raw_connection(server.url))
            await attacker.send(start)
            await server.connect_bot("one")
        assert await attacker.read_to_end() == b""


@pytest.mark.usefixtures("short_close_timeout")
@loop_over(
    "sent, status",
    (b"GET /play HTTP/1.0\r\n\r\n", 505),
    (b"GET /play HTTP/1.1\r\nHost: x\r\n\r\n", 426),
    (request("/elsewhere"), 404),
    (request("/" + "x" * 9000), 414),
    (request(headers="X: " + "x" * 9000 + "\r\n"), 431),
    (request(headers="X: x\r\n" * 200), 431),
    (request(headers="X: " + "x" * 8150 + "\r\n" + "Y: " + "y" * 8150 + "\r\n"), 431),
    (request().replace(b"websocket", b"irc"), 426),
    (request().replace(b": 13", b": 12"), 400),
    (request().replace(b"AAAA", b"!"), 400),
)
async def test_invalid_requests_get_an_http_error(db: Path, sent: bytes, status: int) -> None:
    async with attacked(db) as server, raw_connection(server.url) as attacker:
        await attacker.send(sent)
        line = (await attacker.read_to_end()).partition(b"\r\n")[0]
        assert line.startswith(f"HTTP/1.1 {status} ".encode()), line


@pytest.mark.usefixtures("short_timeouts")
async def test_a_flood_after_a_refusal_is_answered_once(db: Path) -> None:
    async with attacked(db) as server, raw_connection(server.url) as attacker:
        await attacker.send(request(headers="X: " + "x" * 9000 + "\r\n"))
        with suppress(ConnectionError):  # the arena ends the connection meanwhile
            await attacker.send(b"Y: " + b"y" * 8000 + b"\r\n" * 100)
        assert (await attacker.read_to_end()).count(b"HTTP/1.1") <= 1


LONG_HEADERS = ("X: " + "x" * 8000 + "\r\n") * 120
BODY = bytes(2**23)  # more than the kernel keeps


@pytest.mark.usefixtures("no_limits")
@loop_over(
    "sent",
    request(headers=LONG_HEADERS)[:-2],
    request(headers=LONG_HEADERS),
    request("/elsewhere") + BODY,
    request(headers=f"Content-Length: {len(BODY)}\r\n") + BODY,
    request(headers="Transfer-Encoding: chunked\r\n") + b"800000\r\n" + BODY,
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" + BODY,
)
async def test_long_requests_and_bodies_are_not_kept(db: Path, sent: bytes) -> None:
    async with arena_server(db) as server, AsyncExitStack() as many:
        attackers = [await many.enter_async_context(raw_connection(server.url)) for _ in range(4)]
        tracemalloc.start()
        many.callback(tracemalloc.stop)
        results = [attacker.send(sent) for attacker in attackers]
        await asyncio.gather(*results, return_exceptions=True)  # the arena closes meanwhile
        await asyncio.gather(*(attacker.read_to_end() for attacker in attackers))
        assert tracemalloc.get_traced_memory()[1] < MAX_KEPT * len(attackers)


async def test_compression_is_declined(db: Path) -> None:
    async with attacked(db) as server, raw_connection(server.url) as attacker:
        offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
        assert b"extensions" not in (await attacker.handshake(offer)).lower()


# Silent connections


async def test_pings_do_not_replace_a_hello(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", 0.2)
    async with attacked(db) as server, websocket(server.url) as attacker:
        await attacker.send(frame(b"", PING) * 5)
        assert await attacker.wait_closed() == 1008


@pytest.mark.usefixtures("short_timeouts")
@pytest.mark.parametrize("start", [b"", request()[:-2], request()])
async def test_two_hundred_silent_connections_are_closed(db: Path, start: bytes) -> None:
    async with attacked(db) as server, AsyncExitStack() as many:
        attackers = [await many.enter_async_context(raw_connection(server.url)) for _ in range(200)]
        for attacker in attackers:
            await attacker.send(start)
        ends = await asyncio.gather(*(attacker.read_to_end() for attacker in attackers))
        assert any(b"\x03\xf0expected_hello" in end for end in ends) == (start == request())


# Invalid frames


@loop_over(
    "sent, code",
    (frame(b"x" * 70_000), 1009),
    (frame(b"x" * 10)[:1] + b"\xff" + (2**62).to_bytes(8, "big"), 1009),
    (frame(HELLO, mask=False), 1002),
    (frame(HELLO, UNKNOWN), 1002),
    (frame(HELLO, bits=END | RESERVED), 1002),
    (frame(b"x", CONTINUATION), 1002),
    (frame(b"x", bits=0) + frame(b"y"), 1002),
    (frame(b"x", PING, bits=0), 1002),
    (frame(b"x" * 126, PING), 1002),
    (frame(b"\xff"), 1007),
    (frame(b"\xed\xa0\x80"), 1007),
    (frame(b"x" * 1024, bits=0) + frame(b"x" * 1024, CONTINUATION, bits=0) * 100, 1009),
    (frame(b"x" * 1023, bits=0) + frame(b"x" * 1023, CONTINUATION, bits=0) * 8, 1008),
    (frame(b"", bits=0) + frame(b"", CONTINUATION, bits=0) * 8, 1008),
    (frame(b"", bits=0) + (frame(b"", PING) + frame(b"", CONTINUATION, bits=0)) * 8, 1008),
)
@loop_over("first", [b"", frame(HELLO)])
@pytest.mark.usefixtures("short_close_timeout")
async def test_invalid_frames_close_it(db: Path, first: bytes, sent: bytes, code: int) -> None:
    async with attacked(db) as server, websocket(server.url) as attacker:
        await attacker.send(first + sent)
        assert await attacker.wait_closed() == code


@pytest.mark.usefixtures("long_timeouts")
@pytest.mark.parametrize(
    ("sent", "code"), [(frame(b"{", bits=0), 1000), (frame(b"", UNKNOWN), 1002)]
)
async def test_the_end_does_not_wait_for_clients(db: Path, sent: bytes, code: int) -> None:
    async with no_leaks(), AsyncExitStack() as attackers:
        async with arena_server(db) as server:
            attacker = await attackers.enter_async_context(admitted(server))
            await attacker.send(sent)
            await server.connect_bot("one")
        assert await attacker.wait_closed() == code


# Invalid messages

DEEP = b"[" * 30_000


@loop_over(
    "sent",
    frame(DEEP + b"]" * 30_000),
    frame(b'{"type":"move","match":"1","ply":0,"move":1,"x":' + DEEP + b"]" * 30_000 + b"}"),
    frame(b'{"a":' * 12_000),
    frame(b'{"type":"move","match":"1","ply":0,"move":' + b"9" * 10_000 + b"}"),
    frame(b'{"type":"move","match":"1","ply":' + b"-" + b"9" * 10_000 + b',"move":1}'),
    frame(b'{"type":"move","match":"1","ply":0,"move":1e999999999}'),
    frame(b'{"type":"resign","match":"\\ud800"}'),
    frame(b"{}", BINARY),
)
@pytest.mark.usefixtures("short_close_timeout")
async def test_unreadable_messages_close_the_connection(db: Path, sent: bytes) -> None:
    async with attacked(db) as server, admitted(server) as attacker:
        await attacker.send(sent * 10)
        received = [*frames(await attacker.read_to_end())]
        errors = [data for opcode, data in received if opcode == TEXT and b'"unreadable"' in data]
        assert (len(errors), received[-1][1]) == (11, b"\x03\xf0unreadable")


# Floods


@pytest.mark.parametrize("sent", [USELESS, frame(b"", PING), frame(b"", PONG)])
async def test_a_flood_is_rate_limited(db: Path, sent: bytes) -> None:
    async with attacked(db) as server, admitted(server) as attacker:
        flooding = asyncio.create_task(attacker.flood(sent))
        await wait_for_matches(server, 50)
        assert not flooding.done()
        flooding.cancel()
        await asyncio.wait([flooding])


async def test_a_client_must_read_its_pongs(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.network.connection.TURN_UNITS", sys.maxsize)
    monkeypatch.setattr("arena.network.connection.MAX_UNITS", sys.maxsize)
    monkeypatch.setattr("arena.network.connection.MAX_UNSENT", 2**16)
    # Without honest bots, which only the limits on what is read protect.
    async with (
        no_leaks(),
        arena_server(db) as server,
        admitted(server, receive_buffer=4096) as attacker,
    ):
        with pytest.raises(ConnectionError):
            await attacker.flood(frame(b"x" * 125, PING))
        await server.wait_until_disconnected("evil")


async def test_two_hundred_connections_that_are_dropped_at_once(db: Path) -> None:
    async with attacked(db) as server:
        for _ in range(200):
            async with raw_connection(server.url) as attacker:
                await attacker.send(request() + frame(HELLO))
        await server.wait_until_disconnected("evil")
