"""Connection limits of a listening arena."""

import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from arena.cli.flags import DEFAULT_CONNECTIONS
from arena.network.addresses import is_loopback
from arena.server.admission import MAX_PER_ADDRESS, Admission, ConnectionLimit
from tests.support.servers.arena_server import ScriptedBot, arena_server
from tests.support.servers.handshakes import failed_handshake, handshake_status
from tests.support.servers.spectators import spectated_arena


async def test_the_number_of_bots_is_limited(db: Path) -> None:
    """Neither spectators nor plain requests nor incomplete handshakes count."""
    async with spectated_arena(db, admission=Admission(connections=1)) as server:
        await server.follow()
        address = urlsplit(server.url)
        with socket.create_connection((str(address.hostname), address.port)) as dribbling:
            dribbling.sendall(b"GET /play HTTP/1.1\r\nHo")
            await server.connect_bot("one")
        answer = await failed_handshake(server.url, {})
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
        assert (await failed_handshake(server.url.replace("/play", "/"), {})).status_code == 404


async def test_the_number_of_spectators_is_limited(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.admission.MAX_SPECTATORS", 1)
    async with spectated_arena(db, admission=Admission()) as server:
        await server.follow()
        answer = await failed_handshake(server.url.replace("/play", "/watch"), {})
        assert answer.status_code == 503
        await server.connect_bot("one")


async def connect_when_possible(url: str) -> ScriptedBot:
    """Retry until the arena has noticed the end of another connection."""
    while True:
        try:
            return ScriptedBot(await connect(url, proxy=None))
        except InvalidStatus:
            continue


async def test_a_connection_that_has_ended_is_no_longer_counted(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena_server(db, admission=Admission(connections=1)) as server:
        await (await server.connect_bot("one")).connection.close()
        bot = await connect_when_possible(server.url)
        await bot.log_in("two")
        bot.connection.transport.abort()
        monkeypatch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", 0.01)
        await (await connect_when_possible(server.url)).wait_closed()
        await (await connect_when_possible(server.url)).connection.close()


async def test_the_requests_of_an_address_behind_a_proxy_are_limited(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.admission.REQUEST_BURST", 2)
    monkeypatch.setattr("arena.server.admission.REQUEST_RATE", 0.0)
    async with arena_server(db, admission=Admission(behind_proxy=True)) as server:
        statuses = [
            await handshake_status(server.url, "Host: x", f"X-Real-IP: 192.0.2.{number}")
            for number in (1, 1, 1, 2)
        ]
        assert statuses == ["101", "101", "429", "101"]
        answer = await failed_handshake(server.url, {"X-Real-IP": "192.0.2.1"})
        assert answer.headers["Retry-After"] == "10"


@pytest.mark.parametrize(
    "headers",
    [
        ["Host: x", "Origin: http://evil.example"],
        ["Host: x", "Sec-WebSocket-Version: 99"],
        ["Host: x", "Sec-WebSocket-Key: another"],
    ],
)
async def test_a_failed_handshake_is_no_longer_counted(db: Path, headers: list[str]) -> None:
    async with arena_server(db, admission=Admission(connections=1)) as server:
        for _ in range(3):
            await handshake_status(server.url, *headers)
            await (await connect_when_possible(server.url)).connection.close()
            await (await connect_when_possible(server.url)).connection.close()


async def test_loopback_addresses_have_no_limit_per_address(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.admission.MAX_PER_ADDRESS", 1)
    async with arena_server(db) as server:
        for name in ("one", "two", "three"):
            await server.connect_bot(name)


def own_address() -> str:
    """Return an address of this machine that is not loopback, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            any_socket.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return "127.0.0.1"
        return str(any_socket.getsockname()[0])


@pytest.mark.skipif(is_loopback(own_address()), reason="this machine has only loopback addresses")
async def test_other_addresses_have_a_limit_per_address(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.admission.MAX_PER_ADDRESS", 1)
    async with arena_server(db, host=own_address()) as server:
        await server.connect()
        assert (await failed_handshake(server.url, {})).status_code == 503


@pytest.mark.parametrize(
    ("addresses", "other"),
    [
        (["192.0.2.7", "::ffff:192.0.2.7"], "192.0.2.8"),
        (["2001:db8::", "2001:db8::1", "2001:db8::ffff:2"], "2001:db8:0:1::"),
        (["unknown"], "192.0.2.8"),  # a proxy may send that
    ],
)
def test_connections_per_address_or_network_are_limited(addresses: list[str], other: str) -> None:
    limit = ConnectionLimit(1000)
    accepted = [
        limit.acquire(addresses[number % len(addresses)]) for number in range(MAX_PER_ADDRESS + 1)
    ]
    assert accepted == [True] * MAX_PER_ADDRESS + [False]
    assert not any(map(limit.acquire, addresses))
    assert limit.acquire(other)


ADDRESSES = ["127.0.0.1", "::1", "192.0.2.7", "2001:db8::1"]


@given(st.lists(st.sampled_from(ADDRESSES), max_size=12), st.integers(1, 8))
def test_released_connections_free_the_whole_limit(addresses: list[str], maximum: int) -> None:
    limit = ConnectionLimit(maximum)
    accepted = [address for address in addresses if limit.acquire(address)]
    assert len(accepted) == min(maximum, len(addresses))
    for address in accepted:
        limit.release(address)
    assert [limit.acquire(address) for address in addresses[:maximum]] == [True] * len(
        addresses[:maximum]
    )


def test_the_defaults_are_those_of_the_command_line() -> None:
    usual = (None, (), DEFAULT_CONNECTIONS, False, False, None)
    assert Admission.__init__.__defaults__ == usual
