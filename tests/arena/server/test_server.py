"""The server, with bots that connect, behave and misbehave."""

import asyncio
import base64
import http.client
import socket
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from arena.model.observer import Observer
from arena.model.results import MatchResult, Termination
from arena.model.time_control import TimeControl
from arena.protocol.codec import encode
from arena.protocol.player import PROTOCOL_VERSION, Error, Finished, FromBot, Hello, Resign, Turn
from arena.server.player_endpoint import USELESS_LIMIT
from arena.server.server import MAX_FRAME, Arena
from arena.storage.writer import DatabaseWriter
from tests.support.arena_server import (
    TEST_TIMEOUT,
    ScriptedBot,
    arena_server,
    in_event_loop,
    two_bots,
)

GAMES = ["take_stones"]


class ArenaFailure(Exception):
    """Exception that ends an arena."""


# Handshake and hello


@in_event_loop
async def test_an_unknown_path_is_not_found(db: Path) -> None:
    async with arena_server(db) as server:
        server.url = server.url.replace("/play", "/watch")
        with pytest.raises(InvalidStatus, match="404"):
            await server.connect()


@in_event_loop
async def test_a_query_is_ignored(db: Path) -> None:
    async with arena_server(db) as server:
        server.url += "?bot=me"
        await server.connect_bot("a")


def get_root(url: str) -> tuple[int, str]:
    """Return the status and the body of the path /."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=TEST_TIMEOUT)) as browser:
        browser.request("GET", "/")
        response = browser.getresponse()
        return response.status, response.read().decode()


@in_event_loop
async def test_a_browser_learns_the_path_for_bots(db: Path) -> None:
    async with arena_server(db) as server:
        answer = await asyncio.to_thread(get_root, server.url)
        assert answer == (404, "Bots connect to /play with WebSockets.\n")


@in_event_loop
async def test_welcome_repeats_the_name(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect()
        await bot.send('{"type":"hello","protocol":1,"name":"Ann","games":["take_stones"],"new":2}')
        assert '"name":"Ann"' in str(await bot.connection.recv())


@in_event_loop
async def test_every_welcome_has_its_own_session_key(db: Path) -> None:
    async with arena_server(db) as server:
        assert (await server.connect_bot("one")).session != (
            await server.connect_bot("two")
        ).session


@pytest.mark.parametrize(
    ("first", "code", "words"),
    [
        (Resign("1"), "expected_hello", "must be hello"),
        (
            Hello(99, "x", GAMES),
            "unknown_protocol",
            "unsupported protocol version 99 (supported: 1)",
        ),
        (Hello(PROTOCOL_VERSION, "x", ["chess"]), "unknown_game", "this arena plays take_stones"),
        (Hello(PROTOCOL_VERSION, "here", GAMES), "name_taken", "here is already connected"),
        (
            Hello(PROTOCOL_VERSION, "here", GAMES, 1, "no key"),
            "name_taken",
            "here is already connected",
        ),
        (Hello(PROTOCOL_VERSION, "x" * 65, GAMES), "expected_hello", "name"),
        (Hello(PROTOCOL_VERSION, "", GAMES), "expected_hello", "name"),
        (Hello(PROTOCOL_VERSION, "x", GAMES, 0), "expected_hello", "matches"),
        ('{"type":"hello","protocol":1,"name":" x","games":[]}', "expected_hello", "space"),
        ("what?", "expected_hello", "malformed"),
        (b"{}", "expected_hello", "binary"),
    ],
)
@in_event_loop
async def test_unacceptable_hellos_are_refused(
    db: Path, first: FromBot | str, code: str, words: str
) -> None:
    async with arena_server(db) as server:
        await server.connect_bot("here")
        bot = await server.connect()
        await bot.send(first)
        error = await bot.receive(Error)
        assert (error.code, words in error.message) == (code, True), error
        assert await bot.wait_closed() == (1008, code)


@in_event_loop
async def test_a_silent_connection_is_closed(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", 0.01)
    async with arena_server(db) as server:
        bot = await server.connect()
        error = await bot.receive(Error)
        assert (error.code, error.message) == ("expected_hello", "no hello within 0.01 s")
        assert await bot.wait_closed() == (1008, "expected_hello")


@in_event_loop
async def test_a_connection_without_hello_leaves_no_session(db: Path) -> None:
    async with arena_server(db) as server:
        await (await server.connect()).connection.close()
        await server.connect_bot("one")
        assert [*server.arena.sessions.bots] == ["one"]


@in_event_loop
async def test_an_oversized_hello_closes_the_connection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect()
        await bot.send("x" * (MAX_FRAME + 1))
        assert (await bot.wait_closed())[0] == 1009


@in_event_loop
async def test_an_oversized_message_closes_the_connection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        await bot.send("x" * (MAX_FRAME + 1))
        assert (await bot.wait_closed())[0] == 1009


@in_event_loop
async def test_a_name_is_free_after_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        first = await server.connect_bot("one")
        await first.connection.close()
        await server.wait_until_disconnected("one")
        assert (await server.connect_bot("one")).session != first.session


@in_event_loop
async def test_a_second_hello_is_unexpected(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        await bot.send(Hello(PROTOCOL_VERSION, "other", GAMES))
        assert (await bot.receive(Error)).code == "unexpected"


@in_event_loop
async def test_a_second_hello_does_not_change_the_name(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        await bot.send(Hello(PROTOCOL_VERSION, "other", GAMES))
        await bot.receive(Error)
        assert [*server.arena.sessions.bots] == ["one"]


# Expected bots


@in_event_loop
async def test_expect_returns_the_bots_that_never_connected(db: Path) -> None:
    async with arena_server(db) as server:
        await server.connect_bot("two")
        assert server.arena.sessions.expect(["three", "two", "one"]) == ["three", "one"]


@in_event_loop
async def test_an_expected_bot_connects(db: Path) -> None:
    async with arena_server(db) as server:
        server.arena.sessions.expect(["one"])
        await server.connect_bot("one")
        assert server.arena.sessions.expect(["one"]) == []


@in_event_loop
async def test_an_expected_bot_is_remembered_after_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        server.arena.sessions.expect(["one"])
        await bot.connection.close()
        await server.wait_until_disconnected("one")
        assert server.arena.sessions.expect(["one"]) == []


@in_event_loop
async def test_an_unexpected_bot_is_forgotten_after_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        server.arena.sessions.expect(["two"])
        bot = await server.connect_bot("one")
        await bot.connection.close()
        await server.wait_until_disconnected("one")
        assert server.arena.sessions.expect(["one"]) == ["one"]


# Changes


@in_event_loop
async def test_a_connection_is_a_change(db: Path) -> None:
    async with arena_server(db) as server:
        change = asyncio.create_task(server.arena.wait_for_change())
        await server.connect_bot("one")
        await change


@in_event_loop
async def test_the_end_of_a_match_is_a_change(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        await server.arena.wait_for_change()
        change = asyncio.create_task(server.arena.wait_for_change())
        task = server.start_match("one", "two")
        await one.send(Resign((await one.receive(Turn)).match))
        await change
        assert task.done()


@in_event_loop
async def test_waiting_for_a_change_has_a_timeout(db: Path) -> None:
    async with arena_server(db) as server:
        await server.arena.wait_for_change(timeout=0.01)


# Reconnection


@in_event_loop
async def test_the_session_key_replaces_an_open_connection(db: Path) -> None:
    async with arena_server(db) as server:
        first = await server.connect_bot("one")
        again = await server.connect_bot("one", session=first.session)
        assert again.session == first.session
        assert (await first.wait_closed())[0] == 1006


@in_event_loop
async def test_a_reconnected_bot_receives_its_turn_again(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        before = await one.receive(Turn)
        after = await (await server.connect_bot("one", session=one.session)).receive(Turn)
        assert (after.match, after.ply, after.moves) == (before.match, before.ply, before.moves)


@in_event_loop
async def test_the_clock_runs_during_a_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        before = await one.receive(Turn)
        after = await (await server.connect_bot("one", session=one.session)).receive(Turn)
        assert after.clocks_ms[0] < before.clocks_ms[0]


@in_event_loop
async def test_a_match_continues_after_a_reconnection(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.receive(Turn)
        await one.connection.close()
        await server.wait_until_disconnected("one")
        await (await server.connect_bot("one", session=one.session)).play(3)
        assert (await task).winner == "one"


@in_event_loop
async def test_a_reconnected_bot_waits_for_its_turn(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        server.start_match("one", "two")
        again = await server.connect_bot("two", session=two.session)
        await one.play(1)
        assert (await again.receive(Turn)).moves == [1]


@in_event_loop
async def test_reconnecting_without_a_key_creates_a_new_one(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        await one.connection.close()
        await server.wait_until_disconnected("one")
        again = await server.connect_bot("one", session="forgotten")
        assert (await again.receive(Turn)).you == 1
        assert again.session not in {one.session, "forgotten"}


# Clients that do not read

KEY = base64.b64encode(bytes(16)).decode()
HANDSHAKE = (
    "GET /play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def frame(message: FromBot) -> bytes:
    return Frame(Opcode.TEXT, encode(message).encode()).serialize(mask=True)


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


@in_event_loop
async def test_a_bot_that_never_reads_is_disconnected(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.USELESS_DELAY", 0.0)
    async with arena_server(db) as server:
        with await asyncio.to_thread(connect_without_reading, server.url) as bot:
            with pytest.raises(ConnectionError):
                await asyncio.to_thread(flood, bot)
            await server.wait_until_disconnected("deaf")
        assert "deaf" not in server.arena.sessions.bots


@in_event_loop
async def test_a_bot_that_never_reads_delays_no_other(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.USELESS_DELAY", 0.0)
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        with await asyncio.to_thread(connect_without_reading, server.url) as bot:
            flooding = asyncio.create_task(asyncio.to_thread(flood, bot))
            task = server.start_match("one", "two", opening=(1, 4, 2, 6))
            await one.play(3)
            assert (await task).winner == "one"
            with pytest.raises(ConnectionError):
                await flooding


# Clients that send too much


async def send_useless(bot: ScriptedBot, times: int) -> None:
    """Send useless messages, and receive an error for each."""
    for _ in range(times):
        await bot.send(Resign("x"))
        await bot.receive(Error)


@in_event_loop
async def test_useless_messages_are_rate_limited(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.USELESS_DELAY", 0.5)
    async with arena_server(db, time="0.2") as server:
        one, _ = await two_bots(server)
        await send_useless(one, USELESS_LIMIT + 1)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        assert (await task).result.termination is Termination.TIMEOUT


@in_event_loop
async def test_useful_messages_compensate_useless_ones(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.USELESS_DELAY", 2 * TEST_TIMEOUT)
    async with arena_server(db) as server:
        one = await server.connect_bot("one")
        await server.run_bot("two")
        for _ in range(USELESS_LIMIT + 5):
            task = server.start_match("one", "two", opening=(1, 4, 2, 6))
            await one.play(3)
            assert (await task).winner == "one"
            await one.receive(Finished)
            await send_useless(one, 1)


# The end of the arena


@in_event_loop
async def test_a_regular_end_closes_with_1000(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
    assert (await bot.wait_closed())[0] == 1000


@in_event_loop
async def test_an_exception_closes_with_1012(db: Path) -> None:
    bots = []
    with suppress(ArenaFailure):
        async with arena_server(db) as server:
            bots.append(await server.connect_bot("one"))
            raise ArenaFailure
    assert [(await bot.wait_closed())[0] for bot in bots] == [1012]


@in_event_loop
async def test_a_cancelled_match_is_stored_as_aborted(db: Path) -> None:
    async with arena_server(db) as server:
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


@in_event_loop
async def test_a_match_cancelled_before_it_begins_is_not_stored(db: Path) -> None:
    async with arena_server(db) as server:
        await two_bots(server)
        task = server.start_match("one", "two")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (server.arena.sessions.is_free("one"), server.records()) == (True, [])


@in_event_loop
async def test_a_cancelled_match_is_not_announced(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await one.receive(Turn)
        task.cancel()
    with pytest.raises(ConnectionClosed):
        await one.receive(Finished)


async def listen(writer: DatabaseWriter, port: int) -> None:
    async with Arena(writer, GAMES, TimeControl(1), 1, Observer()) as arena:
        await arena.listen("127.0.0.1", port)


@in_event_loop
async def test_a_port_in_use_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        port = urlsplit(server.url).port or 0
        with (
            DatabaseWriter(db.with_name("other.db")) as writer,
            pytest.raises(OSError, match="in use"),
        ):
            await listen(writer, port)
