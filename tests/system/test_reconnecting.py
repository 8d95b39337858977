"""Half-open sockets and lost welcomes: when a name is free again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.protocol.player import PROTOCOL_VERSION, Error, Hello
from arena.server.admission import Admission
from tests.support.servers.arena_server import ArenaServer, arena_server
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
