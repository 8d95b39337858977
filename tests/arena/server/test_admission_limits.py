"""Connection limits of a listening arena."""

import socket
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from arena.configuration import AdmissionConfig
from arena.model.addresses import CONNECTIONS_PER_ADDRESS, AddressLimits
from arena.server.admission import Admission, ConnectionLimit
from tests.support.cases import loop_over
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


@loop_over(
    "headers",
    ["Host: x", "Origin: http://evil.example"],
    ["Host: x", "Sec-WebSocket-Version: 99"],
    ["Host: x", "Sec-WebSocket-Key: another"],
)
async def test_a_failed_handshake_is_no_longer_counted(db: Path, headers: list[str]) -> None:
    async with arena_server(db, admission=Admission(connections=1)) as server:
        await handshake_status(server.url, *headers)
        for _ in range(2):
            await (await connect_when_possible(server.url)).connection.close()


async def test_loopback_addresses_have_no_limit_per_address(db: Path) -> None:
    async with arena_server(db, admission=Admission(limits=AddressLimits(1))) as server:
        for name in ("one", "two", "three"):
            await server.connect_bot(name)


@loop_over(
    "addresses, other",
    (["192.0.2.7", "::ffff:192.0.2.7"], "192.0.2.8"),
    (["2001:db8::", "2001:db8::1", "2001:db8::ffff:2"], "2001:db8:0:1::"),
    (["unknown"], "192.0.2.8"),  # a proxy may send that
)
def test_connections_per_address_or_network_are_limited(addresses: list[str], other: str) -> None:
    limit = ConnectionLimit(1000, AddressLimits())
    connections = iter(range(1000))
    accepted = [
        limit.acquire(next(connections), addresses[number % len(addresses)])
        for number in range(CONNECTIONS_PER_ADDRESS + 1)
    ]
    assert accepted == [True] * CONNECTIONS_PER_ADDRESS + [False]
    assert not any(limit.acquire(next(connections), address) for address in addresses)
    assert limit.acquire(next(connections), other)


def test_the_addresses_of_trusted_networks_have_their_own_limit() -> None:
    limit = ConnectionLimit(10, AddressLimits(2, {ip_network("192.0.2.0/24"): 9}))
    accepted = [limit.acquire(number, "192.0.2.7") for number in range(10)]
    assert accepted == [True] * 9 + [False]
    assert [limit.acquire(address, address) for address in ("192.0.2.8", "192.0.2.9")] == [
        True,
        False,  # there is no place left
    ]


def test_a_connection_with_a_token_takes_no_place_of_its_address() -> None:
    limit = ConnectionLimit(1000, AddressLimits(1))
    assert limit.acquire("one", "192.0.2.7")
    limit.attribute("one", "bot one")
    assert limit.acquire("two", "192.0.2.7")
    assert not limit.acquire("three", "192.0.2.7")
    limit.release("one")
    limit.attribute("one", "bot one")  # whose socket has ended
    limit.release("two")
    assert limit.acquire("three", "192.0.2.7")


ADDRESSES = ["127.0.0.1", "::1", "192.0.2.7", "2001:db8::1"]


@given(st.lists(st.sampled_from(ADDRESSES), max_size=12), st.integers(1, 8))
def test_released_connections_free_the_whole_limit(addresses: list[str], maximum: int) -> None:
    limit = ConnectionLimit(maximum, AddressLimits())
    accepted = [
        number for number, address in enumerate(addresses) if limit.acquire(number, address)
    ]
    assert len(accepted) == min(maximum, len(addresses))
    for number in accepted:
        limit.release(number)
    assert [limit.acquire(*each) for each in enumerate(addresses[:maximum])] == [True] * len(
        addresses[:maximum]
    )


def test_the_defaults_are_those_of_the_command_line() -> None:
    usual = (None, (), AdmissionConfig.connections, False, False, None, None)
    assert Admission.__init__.__defaults__ == usual
