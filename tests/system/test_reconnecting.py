"""Lost connections of every kind, and bots that reconnect in time, too late or never."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.model.results import MatchResult, Termination
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Move, Turn
from arena.server.admission import Admission
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import (
    ArenaServer,
    ScriptedBot,
    arena_server,
    two_bots,
)
from tests.support.servers.raw_socket import UNKNOWN, RawConnection, frame, no_leaks, websocket

GAMES = ["take_stones"]


@asynccontextmanager
async def half_open(server: ArenaServer, name: str) -> AsyncIterator[RawConnection]:
    """Connect a bot that says hello and then neither reads nor closes its socket."""
    async with websocket(server.url) as result:
        await result.send(frame(Hello(PROTOCOL_VERSION, name, GAMES)))
        await server.wait_until_connected(name)
        yield result


@pytest.fixture
def frequent_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the interval between pings."""
    monkeypatch.setattr("arena.server.server.PING_INTERVAL", 0.2)
    monkeypatch.setattr("arena.server.server.CLOSE_TIMEOUT", 0.05)


async def abort(player: ScriptedBot) -> None:
    """Abort a connection without a closing handshake."""
    player.connection.transport.abort()
    await player.connection.wait_closed()


async def disconnect(server: ArenaServer, player: ScriptedBot, name: str) -> None:
    """Abort a connection, and wait until the arena has noticed."""
    await abort(player)
    await server.wait_until_disconnected(name)


# Half-open sockets


@pytest.mark.usefixtures("frequent_pings")
async def test_a_half_open_socket_is_detected(db: Path) -> None:
    async with no_leaks(), arena_server(db) as server, half_open(server, "one"):
        await server.wait_until_disconnected("one")


@pytest.mark.usefixtures("frequent_pings")
async def test_a_client_that_answers_pings_stays_connected(db: Path) -> None:
    async with arena_server(db) as server, half_open(server, "one"):
        await server.connect_bot("two")
        await server.wait_until_disconnected("one")
        assert server.arena.server.sessions.bots["two"].connection


async def test_the_session_key_replaces_a_half_open_socket(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.receive(Turn)
        one.connection.transport.pause_reading()
        await (await server.connect_bot("one", session=one.session)).play(3)
        assert (await task).winner == "one"
        one.connection.transport.abort()


# Lost welcomes


async def refused_hello(server: ArenaServer, name: str) -> Error:
    """Send hello without a session key; return the error."""
    stranger = await server.connect()
    await stranger.send(Hello(PROTOCOL_VERSION, name, GAMES))
    return await stranger.receive(Error)


async def test_a_name_is_taken_until_the_welcome_times_out(db: Path) -> None:
    async with arena_server(db) as server, half_open(server, "one"):
        assert (await refused_hello(server, "one")).code == "name_taken"


async def test_a_name_is_free_if_no_welcome_came(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.sessions.WELCOME_TIMEOUT", 0.0)
    async with arena_server(db) as server, half_open(server, "one") as lost:
        assert (await server.connect_bot("one")).session
        assert await lost.wait_closed() is None


async def test_a_name_is_taken_after_the_welcome(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.sessions.WELCOME_TIMEOUT", 0.0)
    async with arena_server(db) as server:
        player = await server.connect_bot("one")
        for _ in range(2):  # the second pong follows the pong to the arena's own ping
            await (await player.connection.ping())
        assert (await refused_hello(server, "one")).code == "name_taken"


async def test_the_name_of_a_closing_connection_is_free(db: Path) -> None:
    async with arena_server(db) as server, half_open(server, "one") as first:
        await first.send(frame(b"", UNKNOWN))
        await first.read(b"opcode")  # named in the close reason
        assert (await server.connect_bot("one")).session


async def test_after_a_lost_welcome_a_name_is_free_at_its_address_alone(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.sessions.WELCOME_TIMEOUT", 0.0)
    admission = Admission(behind_proxy=True)
    async with arena_server(db, admission=admission) as server, half_open(server, "one"):
        stranger = await server.connect({"X-Real-IP": "192.0.2.1"})
        await stranger.send(Hello(PROTOCOL_VERSION, "one", GAMES))
        assert (await stranger.receive(Error)).code == "name_taken"


# Reconnection


async def test_clocks_of_disconnected_bots_run(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.match.adjudicator.MAX_LAG", TEST_TIMEOUT)
    async with arena_server(db, time="0.05") as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await one.receive(Turn)
        await disconnect(server, one, "one")
        reason = "player 1 (one) was gone when its time ran out"
        assert (await task).result == MatchResult(Termination.DISCONNECT, 2, reason)


async def test_a_bot_that_reconnects_after_the_end_does_not_receive_it(db: Path) -> None:
    async with arena_server(db, grace=0.0) as server:
        server.arena.server.sessions.expect(["one"])
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        turn = await one.receive(Turn)
        await abort(one)
        await task
        again = await server.connect_bot("one", session=one.session)
        await again.send(Move(turn.match, turn.ply, 1))
        assert (await again.receive(Error)).code == "unknown_match"


# Late moves


async def test_a_late_move_is_recorded_as_fault(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.match.adjudicator.MAX_LAG", TEST_TIMEOUT)
    # A late move is still accepted.
    async with arena_server(db, time="0.05", max_credit=TEST_TIMEOUT) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        turn = await one.receive(Turn)
        loop = asyncio.get_running_loop()
        loop.call_later(0.3, asyncio.create_task, one.send(Move(turn.match, turn.ply, 1)))
        record = await task
        assert (record.result.termination, record.moves) == (Termination.TIMEOUT, ())
        assert record.fault
        assert record.fault.move == 1


async def test_a_move_sent_on_both_connections_counts_once(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        server.start_match("one", "two")
        turn = await one.play(1)
        await two.receive(Turn)
        again = await server.connect_bot("one", session=one.session)
        await again.send(Move(turn.match, turn.ply, 1))
        assert (await again.receive(Error)).code == "wrong_ply"


# An arena that is stopped or killed
