"""Strangers who attack an arena by every means: they get their answer, and nobody else notices."""

import asyncio
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from arena.model.results import MatchRecord, Termination
from arena.protocol.player import PROTOCOL_VERSION, Hello, Resign
from tests.support.arena_server import (
    TEST_TIMEOUT,
    ArenaServer,
    arena_server,
    in_event_loop,
    pairing,
)
from tests.support.raw_socket import (
    BINARY,
    CONTINUATION,
    END,
    PING,
    PONG,
    RESERVED,
    TEXT,
    UNKNOWN,
    Raw,
    frame,
    frames,
    nothing_left,
    raw,
    request,
    websocket,
)

CHARGED = 1.0  # seconds that no move of an honest bot may cost, on however busy a machine
HELLO = Hello(PROTOCOL_VERSION, "evil", ["take_stones"])
USELESS = frame(Resign("\1" * 64))


async def play_on(server: ArenaServer, enough: asyncio.Event) -> list[MatchRecord]:
    """Let honest bots play, one match at least."""
    records = [await server.arena.start_match(pairing("one", "two", stones=50))]
    while not enough.is_set():
        records.append(await server.arena.start_match(pairing("one", "two", stones=50)))
    return records


@asynccontextmanager
async def attacked(db: Path) -> AsyncIterator[ArenaServer]:
    """An arena where honest bots play on, whatever happens. At its end nothing is left."""
    async with nothing_left(), arena_server(db) as server:
        for name in ("one", "two"):
            await server.run_bot(name)
        enough = asyncio.Event()
        playing = asyncio.create_task(play_on(server, enough))
        try:
            yield server
        finally:
            enough.set()
            records = await playing
        assert {record.result.termination for record in records} == {Termination.NO_LEGAL_MOVE}
        assert max(move.charged for record in records for move in record.moves) < CHARGED
        assert server.records() == records


@asynccontextmanager
async def admitted(server: ArenaServer, receive_buffer: int | None = None) -> AsyncIterator[Raw]:
    """A stranger that has said hello."""
    async with websocket(server.url, receive_buffer) as stranger:
        await stranger.send(frame(HELLO))
        await server.wait_until_connected("evil")
        yield stranger


async def see_matches(server: ArenaServer, number: int) -> None:
    """Wait until some more have ended."""
    for _ in range(number):
        await server.arena.wait_for_change()


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is told to go is given little time."""
    monkeypatch.setattr("arena.server.server.CLOSE_TIMEOUT", 0.05)


@pytest.fixture
def hasty(brisk: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """All strangers are."""
    monkeypatch.setattr("arena.server.server.HANDSHAKE_TIMEOUT", 0.2)
    monkeypatch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", 0.2)


@pytest.fixture
def patient(brisk: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Strangers are given more time than a test has."""
    monkeypatch.setattr("arena.server.server.HANDSHAKE_TIMEOUT", 2 * TEST_TIMEOUT)
    monkeypatch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", 2 * TEST_TIMEOUT)
    monkeypatch.setattr("arena.server.server.PING_INTERVAL", 2 * TEST_TIMEOUT)


# Handshakes


@pytest.mark.usefixtures("hasty")
@in_event_loop
async def test_a_handshake_that_dribbles(db: Path) -> None:
    async with attacked(db) as server, raw(server.url) as stranger:
        with pytest.raises(ConnectionError):  # noqa: PT012
            while True:
                await stranger.send(b"G")
                await see_matches(server, 1)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("start", [b"", request()[:-2], b"\0"])
@in_event_loop
async def test_a_handshake_that_does_not_end(db: Path, start: bytes) -> None:
    async with attacked(db) as server, raw(server.url) as stranger:
        await stranger.send(start)
        assert await stranger.rest() == b""


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("start", [b"", request()[:-2]])
@in_event_loop
async def test_the_end_does_not_wait_for_a_handshake(db: Path, start: bytes) -> None:
    async with nothing_left(), AsyncExitStack() as strangers:
        async with arena_server(db) as server:
            stranger = await strangers.enter_async_context(raw(server.url))
            await stranger.send(start)
            await server.connect_bot("one")
        assert await stranger.rest() == b""


def client_hello() -> bytes:
    """How TLS begins."""
    outgoing = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="x")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


@pytest.mark.usefixtures("brisk")
@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"GET /play HTTP/1.0\r\n\r\n", 505),
        (b"GET /play HTTP/1.1\r\nHost: x\r\n\r\n", 426),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (request("/elsewhere"), 404),
        (request("/" + "x" * 9000), 414),
        (request(more="X: " + "x" * 9000 + "\r\n"), 431),
        (request(more="X: x\r\n" * 200), 431),
        (request(method="POST"), 405),
        (request().replace(b"websocket", b"irc"), 426),
        (request().replace(b": 13", b": 12"), 400),
        (request().replace(b"AAAA", b"!"), 400),
    ],
    ids=range(11),
)
@in_event_loop
async def test_requests_for_something_else(db: Path, said: bytes, status: int) -> None:
    async with attacked(db) as server, raw(server.url) as stranger:
        await stranger.send(said)
        line = (await stranger.rest()).partition(b"\r\n")[0]
        assert line.startswith(f"HTTP/1.1 {status} ".encode()), line


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "said",
    [
        b"what?\r\n\r\n",
        b"GET /play\r\n",  # HTTP/0.9
        b"GET /play HTTP/1.1\r\nno header\r\n\r\n",
        b"\r\n",
        client_hello() + b"\r\n",
        bytes(range(256)) * 100,
    ],
    ids=range(6),
)
@in_event_loop
async def test_what_is_no_request_gets_no_answer(db: Path, said: bytes) -> None:
    async with attacked(db) as server, raw(server.url) as stranger:
        await stranger.send(said)
        assert await stranger.rest() == b""


@in_event_loop
async def test_compression_is_declined(db: Path) -> None:
    async with attacked(db) as server, raw(server.url) as stranger:
        offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
        assert b"extensions" not in (await stranger.shake_hands(offer)).lower()


# Those that keep silent


@pytest.mark.usefixtures("hasty")
@in_event_loop
async def test_no_hello(db: Path) -> None:
    async with attacked(db) as server, websocket(server.url) as stranger:
        assert await stranger.wait_closed() == 1008


@pytest.mark.usefixtures("hasty")
@in_event_loop
async def test_pings_instead_of_a_hello(db: Path) -> None:
    async with attacked(db) as server, websocket(server.url) as stranger:
        await stranger.send(frame(b"", PING) * 5)
        assert await stranger.wait_closed() == 1008


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("start", [b"", request()[:-2], request()])
@in_event_loop
async def test_two_hundred_that_keep_silent(db: Path, start: bytes) -> None:
    async with attacked(db) as server, AsyncExitStack() as many:
        strangers = [await many.enter_async_context(raw(server.url)) for _ in range(200)]
        for stranger in strangers:
            await stranger.send(start)
        ends = await asyncio.gather(*(stranger.rest() for stranger in strangers))
        assert any(b"\x03\xf0expected_hello" in end for end in ends) == (start == request())


# Frames that are none


@pytest.mark.parametrize(
    ("said", "code"),
    [
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
        (frame(b"x" * 1000, bits=0) + frame(b"x" * 1000, CONTINUATION, bits=0) * 100, 1009),
        (frame(b"", bits=0) + frame(b"", CONTINUATION, bits=0) * 5000, 1009),
    ],
    ids=range(13),
)
@pytest.mark.parametrize("first", [b"", frame(HELLO)])
@pytest.mark.usefixtures("brisk")
@in_event_loop
async def test_frames_that_are_none(db: Path, first: bytes, said: bytes, code: int) -> None:
    async with attacked(db) as server, websocket(server.url) as stranger:
        await stranger.send(first + said)
        assert await stranger.wait_closed() == code


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("said", "code"), [(frame(b"{", bits=0), 1000), (frame(b"", UNKNOWN), 1002)]
)
@in_event_loop
async def test_the_end_waits_for_nobody_who_stays(db: Path, said: bytes, code: int) -> None:
    async with nothing_left(), AsyncExitStack() as strangers:
        async with arena_server(db) as server:
            stranger = await strangers.enter_async_context(admitted(server))
            await stranger.send(said)
            await server.connect_bot("one")
        assert await stranger.wait_closed() == code


# Messages that are none

DEEP = b"[" * 30_000


@pytest.mark.parametrize(
    "said",
    [
        frame(DEEP + b"]" * 30_000),
        frame(b'{"type":"move","match":"1","ply":0,"move":1,"x":' + DEEP + b"]" * 30_000 + b"}"),
        frame(b'{"a":' * 12_000),
        frame(b'{"type":"move","match":"1","ply":0,"move":' + b"9" * 10_000 + b"}"),
        frame(b'{"type":"move","match":"1","ply":' + b"-" + b"9" * 10_000 + b',"move":1}'),
        frame(b'{"type":"move","match":"1","ply":0,"move":1e999999999}'),
        frame(b'{"type":"resign","match":"\\ud800"}'),
        frame(b"{}", BINARY),
    ],
    ids=range(8),
)
@pytest.mark.usefixtures("brisk")
@in_event_loop
async def test_messages_that_are_none(db: Path, said: bytes) -> None:
    async with attacked(db) as server, admitted(server) as stranger:
        await stranger.send(said * 10)
        received = [*frames(await stranger.rest())]
        errors = [data for opcode, data in received if opcode == TEXT and b'"unreadable"' in data]
        assert (len(errors), received[-1][1]) == (11, b"\x03\xf0unreadable")


@in_event_loop
async def test_the_largest_numbers_that_can_be_read(db: Path) -> None:
    async with attacked(db) as server, admitted(server) as stranger:
        number = b"9" * 4300
        said = b'{"type":"move","match":"1","ply":%b,"move":%b}' % (number, number)
        await stranger.send(frame(said))
        assert b'"unknown_match"' in await stranger.read(b'"match":"1"}')


NAMES = ["", " x", "x ", "\\u0000", "x\\ny", "\\u001b[2J", "\\u202ex", "x\\u2066y", "\\u200b"]
NAMES += ["\\ud800", "\\udc00\\ud800", "x" * 65, "\\ufeffx", "\\u0085", "\\u2028", "\\u00a0"]


@pytest.mark.usefixtures("brisk")
@pytest.mark.parametrize("name", NAMES)
@in_event_loop
async def test_names_that_are_none(db: Path, name: str) -> None:
    async with attacked(db) as server, websocket(server.url) as stranger:
        hello = f'{{"type":"hello","protocol":1,"name":"{name}","games":["take_stones"]}}'
        await stranger.send(frame(hello.encode()))
        assert await stranger.wait_closed() == 1008
        assert sorted(server.arena.sessions.bots) == ["one", "two"]


@in_event_loop
async def test_a_name_of_ten_megabytes(db: Path) -> None:
    async with attacked(db) as server, websocket(server.url) as stranger:
        sending = asyncio.create_task(stranger.send(frame(b"x" * 10_000_000)))
        assert await stranger.wait_closed() == 1009
        stranger.socket.close()
        sending.cancel()
        await asyncio.wait([sending])


@in_event_loop
async def test_a_name_of_odd_but_printable_characters(db: Path) -> None:
    async with attacked(db) as server:
        name = "<b>\U0001f600'\"\\\u0301"
        bot = await server.connect_bot(name)
        assert bot.session
        assert name in server.arena.sessions.bots


# Floods


@in_event_loop
async def test_a_flood_of_useless_messages_is_not_read(db: Path) -> None:
    async with attacked(db) as server, admitted(server) as stranger:
        flooding = asyncio.create_task(stranger.flood(USELESS))
        await see_matches(server, 50)
        assert not flooding.done()
        flooding.cancel()
        await asyncio.wait([flooding])


@pytest.mark.parametrize("opcode", [PING, PONG])
@in_event_loop
async def test_a_flood_of_pings_is_cut_off(db: Path, opcode: int) -> None:
    async with attacked(db) as server, admitted(server) as stranger:
        with pytest.raises(ConnectionError):
            await stranger.flood(frame(b"", opcode))
        await server.wait_until_disconnected("evil")


@pytest.mark.parametrize("opcode", [PING, PONG])
@in_event_loop
async def test_a_flood_of_pings_before_a_hello_is_cut_off(db: Path, opcode: int) -> None:
    async with attacked(db) as server, websocket(server.url) as stranger:
        with pytest.raises(ConnectionError):
            await stranger.flood(frame(b"", opcode))


@in_event_loop
async def test_who_does_not_read_the_answers_to_pings(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.connection.MAX_PINGS", sys.maxsize)
    monkeypatch.setattr("arena.server.connection.MAX_UNSENT", 2**16)
    async with attacked(db) as server, admitted(server, receive_buffer=4096) as stranger:
        with pytest.raises(ConnectionError):
            await stranger.flood(frame(b"x" * 125, PING))
        await server.wait_until_disconnected("evil")


@in_event_loop
async def test_who_pings_now_and_then_stays(db: Path) -> None:
    async with attacked(db) as server, admitted(server) as stranger:
        await stranger.send(frame(b"!", PING) * 20)
        await stranger.read(b"\x8a\x01!" * 20)
        assert server.arena.sessions.bots["evil"].connection


@in_event_loop
async def test_who_comes_and_goes_and_comes_again(db: Path) -> None:
    async with attacked(db) as server:
        for _ in range(200):
            async with raw(server.url) as stranger:
                await stranger.send(request() + frame(HELLO))
        await server.wait_until_disconnected("evil")
