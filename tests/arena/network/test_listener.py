"""Listener: connections of hasty addresses wait, and none is lost."""

import asyncio
import errno
import gc
import socket
from contextlib import AsyncExitStack, ExitStack, suppress
from ipaddress import ip_network
from pathlib import Path
from struct import pack
from urllib.parse import urlsplit

import pytest

from arena.model.addresses import CONNECTIONS_PER_ADDRESS, AddressLimits
from arena.model.observer import Observer
from arena.network.listener import Listener
from arena.server.admission import Admission
from tests.support.cases import loop_over
from tests.support.polling import awaited, until
from tests.support.servers.arena_server import ArenaServer, arena_server
from tests.support.servers.handshakes import failed_handshake
from tests.support.servers.raw_socket import RawConnection, no_leaks, raw_connection, request

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each address open one connection at once, and others without turns."""
    monkeypatch.setattr("arena.network.listener.BURST", 1)
    monkeypatch.setattr("arena.network.listener.RATE", 0.0)


@pytest.fixture
def no_turns_for_connections(hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Let others wait for ever."""
    monkeypatch.setattr("arena.network.listener.HANDSHAKE_UNITS", 1e9)


async def get(server: ArenaServer, client_address: str = "") -> bytes:
    """Return the answer to a plain request, as a proxy sends it for a client; "" if it is reset."""
    with suppress(ConnectionError):
        async with raw_connection(server.url) as client:
            await client.send(GET[:-2] + f"X-Real-IP: {client_address}\r\n\r\n".encode())
            return await client.read_to_end()
    return b""


def listener_of(server: ArenaServer) -> Listener:
    """Return the listener of an arena."""
    listener = server.arena.server._server.server  # type: ignore[union-attr]
    assert isinstance(listener, Listener)
    return listener


@pytest.mark.usefixtures("hasty")
async def test_hasty_connections_wait_for_their_turns(db: Path) -> None:
    async with arena_server(db) as server:
        answers = await asyncio.gather(*(get(server) for _ in range(20)))
        assert {answer[:12] for answer in answers} == {b"HTTP/1.1 404"}


@pytest.mark.usefixtures("no_turns_for_connections")
async def test_the_clients_of_a_proxy_wait_one_by_one(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.MAX_WAITING", 1)
    async with arena_server(db, admission=Admission(behind_proxy=True)) as server:
        for number in range(5):
            assert (await get(server, f"192.0.2.{number}")).startswith(b"HTTP/1.1 404")
        assert (await get(server, "192.0.2.1")).startswith(b"HTTP/1.1 404")  # the first turn
        async with raw_connection(server.url) as waiting:
            await waiting.send(GET[:-2] + b"X-Real-IP: 192.0.2.1\r\n\r\n")
            assert await get(server, "192.0.2.1") == b""
            assert (await get(server, "192.0.2.9")).startswith(b"HTTP/1.1 404")


async def test_the_request_of_a_proxy_may_arrive_later(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.HEAD_TIMEOUT", 0.05)
    async with arena_server(db, admission=Admission(behind_proxy=True)) as server:
        monkeypatch.setattr("arena.network.connection.BRIEF_SECONDS", 0.01)
        async with raw_connection(server.url) as silent:
            assert await silent.read_to_end() == b""
        monkeypatch.setattr("arena.network.listener.HEAD_TIMEOUT", 60.0)
        async with raw_connection(server.url) as slow:
            await until(lambda: listener_of(server)._unread, "the connection to be accepted")
            await slow.send(GET)
            assert (await slow.read_to_end()).startswith(b"HTTP/1.1 404")


async def test_the_end_closes_connections_of_a_proxy_without_a_request(db: Path) -> None:
    async with AsyncExitStack() as clients:
        async with arena_server(db, admission=Admission(behind_proxy=True)) as server:
            silent = await clients.enter_async_context(raw_connection(server.url))
            await get(server)
        assert await silent.read_to_end() == b""


async def test_a_connection_that_a_proxy_resets_is_closed(db: Path) -> None:
    async with arena_server(db, admission=Admission(behind_proxy=True)) as server, no_leaks():
        async with raw_connection(server.url) as client:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))
        assert (await get(server)).startswith(b"HTTP/1.1 404")


@pytest.mark.usefixtures("no_turns_for_connections")
async def test_trusted_networks_open_more_connections_at_once(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.TOTAL_BURST", 0)
    trusted = {ip_network("192.0.2.0/24"): 10 * CONNECTIONS_PER_ADDRESS}
    admission = Admission(behind_proxy=True, limits=AddressLimits(trusted=trusted))
    async with arena_server(db, admission=admission) as server:
        answers = [await get(server, "192.0.2.7") for _ in range(10)]
        assert {answer[:12] for answer in answers} == {b"HTTP/1.1 404"}


@loop_over("behind_proxy", [False, True])
async def test_connections_of_all_addresses_are_limited(
    db: Path, behind_proxy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.HANDSHAKE_UNITS", 1e9)
    monkeypatch.setattr("arena.network.listener.TOTAL_BURST", 1)
    monkeypatch.setattr("arena.network.listener.TOTAL_RATE", 0.0)
    monkeypatch.setattr("arena.network.listener.MAX_WAITING", 0)
    async with arena_server(db, admission=Admission(behind_proxy=behind_proxy)) as server:
        assert (await get(server)).startswith(b"HTTP/1.1 404")
        assert await get(server) == b""


@pytest.mark.usefixtures("no_turns_for_connections")
async def test_too_many_waiting_connections_are_closed(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.MAX_WAITING", 2)
    async with arena_server(db) as server, AsyncExitStack() as clients:
        await get(server)
        await get(server)  # the first turn comes at once
        for _ in range(2):
            await clients.enter_async_context(raw_connection(server.url))
        assert await get(server) == b""


@pytest.mark.usefixtures("no_turns_for_connections")
async def test_in_a_full_arena_the_newest_of_the_largest_crowd_makes_way(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.MAX_WAITING", 2)
    crowd, newcomer, third = "192.0.2.1", "192.0.2.2", "192.0.2.3"
    async with (
        arena_server(db, admission=Admission(behind_proxy=True)) as server,
        AsyncExitStack() as clients,
    ):

        async def wait_as(address: str) -> RawConnection:
            client = await clients.enter_async_context(raw_connection(server.url))
            await client.send(GET[:-2] + f"X-Real-IP: {address}\r\n\r\n".encode())
            return client

        for address in (crowd, newcomer, third, third):  # their bursts, and the first turn
            await get(server, address)
        older, newer = await wait_as(crowd), await wait_as(crowd)
        waiting = await wait_as(newcomer)
        assert await newer.read_to_end() == b""
        assert await get(server, third) == b""  # as each of the others has one connection
        for _ in range(3):
            server.arena.server._throttled._take_turn()
        for client in (older, waiting):
            assert (await client.read_to_end()).startswith(b"HTTP/1.1 404")


@pytest.mark.usefixtures("no_turns_for_connections")
async def test_the_end_closes_waiting_connections(db: Path) -> None:
    async with AsyncExitStack() as clients:
        async with arena_server(db) as server:
            await get(server)
            await get(server)
            waiting = await clients.enter_async_context(raw_connection(server.url))
            await waiting.send(request())
            await clients.enter_async_context(raw_connection(server.url))
        assert await waiting.read_to_end() == b""


async def test_accepting_pauses_and_goes_on(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.network.listener.ACCEPT_BURST", 1)
    async with arena_server(db) as server:
        answers = await asyncio.gather(*(get(server) for _ in range(20)))
        assert {answer[:12] for answer in answers} == {b"HTTP/1.1 404"}


async def test_the_end_does_not_wait_for_the_pause(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.ACCEPT_BURST", 1)
    monkeypatch.setattr("arena.network.listener.ACCEPT_RATE", 1e-6)
    async with arena_server(db) as server:
        assert (await get(server)).startswith(b"HTTP/1.1 404")


async def test_an_error_pauses_accepting(
    db: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("arena.network.listener.RETRY_SECONDS", 0.01)
    accept = socket.socket.accept
    errors = [OSError(errno.EMFILE, "Too many open files"), BlockingIOError()]

    def failing(listening: socket.socket) -> tuple[socket.socket, object]:
        if errors:
            raise errors.pop(0)
        return accept(listening)

    async with arena_server(db) as server:
        monkeypatch.setattr(socket.socket, "accept", failing)
        assert (await get(server)).startswith(b"HTTP/1.1 404")
        assert "cannot accept a connection: [Errno 24] Too many open files" in caplog.text
        assert not errors


async def test_a_closed_listener_refuses_connections(db: Path) -> None:
    async with arena_server(db) as server:
        await server.connect_bot("one")
        address = urlsplit(server.url)
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(address.hostname, address.port)


async def test_a_connection_that_is_accepted_at_the_end_is_closed(db: Path) -> None:
    async with arena_server(db) as server, raw_connection(server.url) as client:
        # The listener is closed between the acceptance and the handshake.
        listener = listener_of(server)
        async with awaited("the connection to be accepted"):
            while not listener._connecting:
                await asyncio.sleep(0)
        listener.close()
        assert await client.read_to_end() == b""


# Connections that are no WebSockets


def leave_room_for_three(server: ArenaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the connections that are no WebSockets, whatever the limit of descriptors is."""
    free = listener_of(server)._first_of_reserve
    monkeypatch.setattr("arena.network.listener.PLAIN_PER_FREE", 2.5 / free)


async def requests(server: ArenaServer, number: int) -> None:
    """Wait until the arena has read a number of requests without an end."""
    listener = listener_of(server)
    await until(lambda: len(listener._plain) - len(listener._unread) == number, "the requests")


class Problems(Observer):
    """The problems that an arena has reported, and their ends."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def degraded(self, part: str, cause: str) -> None:
        self.events.append(f"{part}: {cause}")

    def recovered(self, part: str) -> None:
        self.events.append(f"{part}: recovered")


async def test_the_largest_crowd_makes_way_for_other_addresses(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        arena_server(db, admission=Admission(behind_proxy=True)) as server,
        raw_connection(server.url) as first,
        raw_connection(server.url) as second,
        raw_connection(server.url) as third,
    ):
        for number, client in enumerate((first, second, third), 1):
            await client.send(GET[:-2] + b"X-Real-IP: 192.0.2.1\r\n")  # and no end so far
            await requests(server, number)
        leave_room_for_three(server, monkeypatch)
        assert (await get(server, "192.0.2.2")).startswith(b"HTTP/1.1 404")
        with suppress(ConnectionError):
            assert await third.read_to_end() == b""
        for client in (first, second):
            await client.send(GET[-2:])
            assert (await client.read_to_end()).startswith(b"HTTP/1.1 404")


@loop_over("behind_proxy", [False, True])
async def test_an_address_has_no_more_connections_than_there_is_room(
    db: Path, behind_proxy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.is_loopback", lambda _: False)
    problems = Problems()
    refusal = "descriptors: connections without a WebSocket are refused"
    async with arena_server(
        db, observer=problems, admission=Admission(behind_proxy=behind_proxy)
    ) as server:
        async with AsyncExitStack() as clients:
            leave_room_for_three(server, monkeypatch)
            for _ in range(3):
                await clients.enter_async_context(raw_connection(server.url))
            for _ in range(2):
                assert await get(server, "127.0.0.1") == b""
            assert problems.events == [refusal]
        await until(lambda: not listener_of(server)._plain, "the end of the connections")
        assert (await get(server)).startswith(b"HTTP/1.1 404")
        assert problems.events == [refusal, "descriptors: recovered"]


async def test_this_machine_always_finds_room(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with arena_server(db) as server, AsyncExitStack() as clients:
        leave_room_for_three(server, monkeypatch)
        for _ in range(4):
            await clients.enter_async_context(raw_connection(server.url))
        assert (await get(server)).startswith(b"HTTP/1.1 404")


async def test_the_clients_of_a_trusted_address_are_no_crowd(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted = {ip_network("192.0.2.1/32"): 3 * CONNECTIONS_PER_ADDRESS}
    admission = Admission(behind_proxy=True, limits=AddressLimits(trusted=trusted))
    async with arena_server(db, admission=admission) as server, AsyncExitStack() as clients:
        opened = []
        for number in range(1, 4):
            client = await clients.enter_async_context(raw_connection(server.url))
            await client.send(GET[:-2] + b"X-Real-IP: 192.0.2.1\r\n")  # and no end so far
            await requests(server, number)
            opened.append(client)
        leave_room_for_three(server, monkeypatch)
        assert await get(server, "192.0.2.2") == b""
        for client in opened:
            await client.send(GET[-2:])
            assert (await client.read_to_end()).startswith(b"HTTP/1.1 404")


async def test_descriptors_that_were_used_before_are_not_all_that_is_left(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena_server(db) as server:
        with ExitStack() as others:
            for _ in range(20):
                others.enter_context(socket.socket())
            for number in range(4):
                await server.connect_bot(f"bot {number}")
        listener = listener_of(server)
        own = max(each.fileno() for each in listener.sockets) + 1
        monkeypatch.setattr(listener, "_first_of_reserve", own + 4)
        assert (await failed_handshake(server.url, {})).status_code == 503


@pytest.mark.filterwarnings("ignore:unclosed transport:ResourceWarning")  # the loop's own
@loop_over("is_refused", [False, True])
async def test_a_socket_that_cannot_be_handed_over_is_closed(
    db: Path,
    is_refused: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("arena.network.listener.is_loopback", lambda _: False)
    setsockopt = socket.socket.setsockopt

    def failing(end: socket.socket, level: int, option: int, value: int) -> None:
        """Fail as some systems do if the client has reset the connection."""
        if option == socket.TCP_NODELAY and level == socket.IPPROTO_TCP:
            raise OSError(errno.EINVAL, "Invalid argument")
        setsockopt(end, level, option, value)

    async with arena_server(db) as server:
        listener = listener_of(server)
        listener._stop()
        monkeypatch.setattr(socket.socket, "setsockopt", failing)
        async with no_leaks(), raw_connection(server.url) as client:
            while not listener._connecting:
                listener._accept(listener.sockets[0])
            if is_refused:  # between the acceptance and the hand-over
                listener._refuse(next(iter(listener._plain)))
            assert await client.read_to_end() == b""
            assert not listener._plain
            gc.collect()
    assert "asyncio" not in {record.name for record in caplog.records}


async def test_websockets_leave_the_room_to_others(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.listener.PLAIN_PER_FREE", 1e-9)  # a room with one place
    async with arena_server(db) as server:
        await server.connect_bot("one")
        await server.connect_bot("two")


@pytest.fixture
def short_of_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all descriptors be those of the reserve."""
    monkeypatch.setattr("arena.network.listener.RESERVE", 10**9)


@pytest.mark.usefixtures("short_of_descriptors")
async def test_the_reserve_is_for_plain_requests(
    db: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena_server(db) as server:
        assert (await get(server)).startswith(b"HTTP/1.1 404")
        assert (await failed_handshake(server.url, {})).status_code == 503
        monkeypatch.setattr("arena.network.connection.BRIEF_SECONDS", 0.01)
        async with raw_connection(server.url) as silent:
            assert await silent.read_to_end() == b""
        assert "file descriptors are short: new bots and spectators are refused" in caplog.text


@pytest.mark.usefixtures("short_of_descriptors", "no_turns_for_connections")
async def test_hasty_connections_do_not_wait_in_the_reserve(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with arena_server(db) as server:
        answers = [await get(server) for _ in range(3)]  # this machine's own
        assert {answer[:12] for answer in answers} == {b"HTTP/1.1 404"}
        monkeypatch.setattr("arena.network.listener.is_loopback", lambda _: False)
        assert [(await get(server))[:12] for _ in range(2)] == [b"HTTP/1.1 404", b""]
