"""Plain HTTP beside the WebSockets, requested with http.client."""

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from struct import pack

import pytest
from websockets.asyncio.client import connect

from arena.model.observer import Observer
from arena.network.connection import LEAST_READ, MAX_REQUEST, Connection
from arena.server.http import Content, Requested, Routes, SlowRoute, forwarded_address
from tests.support.cases import loop_over
from tests.support.polling import until
from tests.support.servers.arena_server import ArenaServer, ScriptedBot
from tests.support.servers.handshakes import handshake_status
from tests.support.servers.http_client import monitored_server
from tests.support.servers.raw_socket import RawConnection, no_leaks, raw_connection
from tests.support.servers.raw_socket import request as upgrade_request

PAGE = "Grüße, 石\n"


def broken() -> Content:
    raise KeyError("of our own")


ROUTES: Routes = {
    "/page": lambda: Content(PAGE.encode()),
    "/busy": lambda: Content(b"{}", "application/json", HTTPStatus.SERVICE_UNAVAILABLE),
    "/broken": broken,
    "/packed": lambda: Content(PAGE.encode(), gzipped=gzip.compress(PAGE.encode())),
}


async def test_the_response_to_get_and_head(db: Path) -> None:
    async with monitored_server(db, routes=ROUTES) as server:
        for path in ("/page", "/page?from=/play"):
            for method, body in (("GET", PAGE), ("HEAD", "")):
                reply = await server.request(path, method)
                assert (reply.status, reply.body) == (200, body)
                assert reply.headers.get_all("Content-Type") == ["text/plain; charset=utf-8"]
                assert reply.headers.get_all("Content-Length") == [str(len(PAGE.encode()))]
                assert reply.headers["Connection"] == "close"


@loop_over("path", ["/", "/page/", "/Page", "/%70age", "//page", "/../page", "*"])
async def test_an_unknown_path_gets_404(db: Path, path: str) -> None:
    async with monitored_server(db, routes=ROUTES) as server:
        reply = await server.request(path)
        assert (reply.status, reply.body) == (404, "Bots connect to /play with WebSockets.\n")


@loop_over("method", ["POST", "PUT", "DELETE", "OPTIONS", "GETS"])
async def test_other_methods_get_405(db: Path, method: str) -> None:
    async with monitored_server(db, routes=ROUTES) as server:
        reply = await server.request("/page", method)
        assert (reply.status, reply.headers["Allow"]) == (405, "GET, HEAD")


@loop_over(
    "sent",
    b"GET /page HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
    b"POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
    b"GET /page HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
    b"GET /page HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
    b"GET /page HTTP/1.1\r\n\r\n",
    b"GET /page HTTP/1.1\r\nHost: Ann@x\r\n\r\n",
    b"GET http://Ann@x/page HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /page HTTP/1.1\r\nHost: x:8765:1\r\n\r\n",
    b"GET /page\r\n",
    b"GET /page HTTP/1.1\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(11, 100)),
    b"\x16\x03\x01\x02\x00\x01\n\r\n",
    b"\xff\r\n",
)
async def test_a_malformed_request_gets_400(db: Path, sent: bytes) -> None:
    async with monitored_server(db, routes=ROUTES) as server:
        async with raw_connection(server.url) as client:
            await client.send(sent)
            head, _, body = (await client.read_to_end()).partition(b"\r\n\r\n")
        status, *headers = head.decode().splitlines()
        assert status == "HTTP/1.1 400 Bad Request"
        assert {"Connection: close", f"Content-Length: {len(body)}"} <= {*headers}
        assert body.startswith(b"Malformed request: ")
        assert (await server.request("/page")).status == 200


async def test_a_malformed_request_is_answered_once_and_in_short(db: Path) -> None:
    async with monitored_server(db, routes=ROUTES) as server:
        async with raw_connection(server.url) as client:
            await client.send(b"no request\r\n")
            await client.read(b"no request.\n")
            await client.send(b"no request\r\n")
            assert await client.read_to_end() == b""
        async with raw_connection(server.url) as client:
            await client.send(b"x" * 8000 + b"\r\n")
            assert len(await client.read_to_end()) < 500


async def test_a_client_that_leaves_during_its_request_gets_no_answer(db: Path) -> None:
    async with monitored_server(db, routes=ROUTES) as server, raw_connection(server.url) as client:
        await client.send(b"GET /pa")
        client.socket.shutdown(socket.SHUT_WR)
        assert await client.read_to_end() == b""


async def test_refused_requests_are_observed(db: Path) -> None:
    refused: list[tuple[str, str]] = []

    class Refusals(Observer):
        def refused(self, code: str, address: str) -> None:
            refused.append((code, address))

    async with monitored_server(db, Refusals(), ROUTES, behind_proxy=True) as server:
        assert await handshake_status(server.url, "Host: :", "X-Real-IP: 192.0.2.7") == "101"
        assert await handshake_status(server.url, "Host: /", "X-Real-IP: 192.0.2.7") == "400"
    assert refused == [("http_400", "192.0.2.7")]


async def test_a_client_that_sends_nothing_more_gets_its_answer(db: Path) -> None:
    async with monitored_server(db, routes=ROUTES) as server, no_leaks():
        async with raw_connection(server.url) as client:
            await client.send(b"GET /page HTTP/1.0\r\n\r\n")
            client.socket.shutdown(socket.SHUT_WR)
            answer = await client.read_to_end()
            assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
            assert answer.endswith(PAGE.encode())
        async with raw_connection(server.url) as client:
            await client.send(upgrade_request())
            client.socket.shutdown(socket.SHUT_WR)
            assert (await client.read_to_end()).startswith(b"HTTP/1.1 101 ")


# Slow clients, and slow routes


LARGE = bytes(2**23)
RECEIVE_BUFFER = 4096  # bytes of a client, so that the kernel takes little of a response


@asynccontextmanager
async def unread_response(server: ArenaServer) -> AsyncIterator[tuple[RawConnection, Connection]]:
    """Request a large page; yield both ends once the arena waits for the client to read."""
    async with raw_connection(server.url, RECEIVE_BUFFER) as client:
        await client.send(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        listening = server.arena.server._server
        assert listening

        def unsent() -> int:
            return sum(end.transport.get_write_buffer_size() for end in listening.all_connections)

        await until(unsent, "the response")
        [end] = listening.all_connections
        assert isinstance(end, Connection)
        yield client, end


async def test_a_slow_reader_gets_the_whole_response(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.server.CLOSE_TIMEOUT", 0.0)
    routes: Routes = {"/large": lambda: Content(LARGE)}
    async with monitored_server(db, routes=routes) as server, unread_response(server) as ends:
        client, end = ends
        end._check_reading(end.read_by_client() - LEAST_READ)  # the client has read enough
        assert not end.transport.is_closing()
        assert (await client.read_to_end()).partition(b"\r\n\r\n")[2] == LARGE


async def test_a_client_that_does_not_read_its_response_is_disconnected(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    routes: Routes = {"/large": lambda: Content(LARGE)}
    async with monitored_server(db, routes=routes) as server, unread_response(server) as ends:
        client, end = ends
        monkeypatch.setattr("arena.network.connection.STALL_TIMEOUT", 0.01)
        end._check_reading(end.read_by_client() - LEAST_READ)  # and once more
        await end.wait_closed()
        assert len(await client.read_to_end()) < len(LARGE)


@loop_over("acknowledged", [1_000_000, None])
async def test_a_slow_reader_reads_a_least_number_of_bytes(
    db: Path, acknowledged: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is sent meanwhile, where the kernel tells how many bytes have been acknowledged."""
    monkeypatch.setattr("arena.network.connection.acknowledged_bytes", lambda _: acknowledged)
    routes: Routes = {"/large": lambda: Content(LARGE)}
    async with monitored_server(db, routes=routes) as server, unread_response(server) as ends:
        end = ends[1]
        read = acknowledged or -end.transport.get_write_buffer_size()
        end._check_reading(read - LEAST_READ)
        assert not end.transport.is_closing()
        end._check_reading(read - LEAST_READ + 1)
        await end.wait_closed()


async def test_no_timer_keeps_a_connection_that_is_lost(db: Path) -> None:
    routes: Routes = {"/large": lambda: Content(LARGE)}
    async with monitored_server(db, routes=routes) as server:
        async with unread_response(server) as (_, end):
            timer = end._stall_timer
        await end.wait_closed()
        assert timer
        assert timer.cancelled()


class SlowContent:
    """Content of a slow route that is never ready."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()
        self.is_cancelled = asyncio.Event()

    def find(self, path: str) -> SlowRoute | None:
        return self._wait if path == "/slow" else None

    async def _wait(self, _requested: Requested) -> Content:
        self.is_asked.set()
        try:
            return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]
        finally:
            self.is_cancelled.set()


@loop_over("how", ["leaves", "is reset", "had left", "sends too much"])
async def test_a_slow_route_is_cancelled_when_its_client_leaves(db: Path, how: str) -> None:
    content = SlowContent()
    async with monitored_server(db) as server, no_leaks():
        server.arena.server._find_slow_route = content.find
        async with raw_connection(server.url) as client:
            await client.send(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            if how == "is reset":
                client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))
            if how != "had left":
                await content.is_asked.wait()
            if how == "sends too much":
                await client.send(bytes(MAX_REQUEST + 1))
                await content.is_cancelled.wait()
        if how != "had left":
            await content.is_cancelled.wait()


async def test_a_slow_route_has_a_time_limit(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.http.SLOW_ROUTE_TIMEOUT", 0.01)
    content = SlowContent()
    async with monitored_server(db) as server:
        server.arena.server._find_slow_route = content.find
        reply = await server.request("/slow")
        text = "There was no time for an answer, retry later.\n"
        assert (reply.status, reply.body, reply.headers["Retry-After"]) == (503, text, "10")
        assert content.is_cancelled.is_set()


@loop_over(
    "target, status",
    ("http://x/page", 200),
    ("HTTPS://x:1/page?from=/play", 200),
    ("http://x/page#part", 404),
    ("http://x/Page", 404),
    ("ftp://x/page", 404),
    ("/http://x/page", 404),
    ("http://x", 404),
    ("ws://[::1]:8765/play", 426),
)
async def test_a_target_in_the_absolute_form_is_its_path(
    db: Path, target: str, status: int
) -> None:
    async with monitored_server(db, routes=ROUTES) as server, raw_connection(server.url) as client:
        await client.send(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        answer = await client.read_to_end()
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


@loop_over(
    ("sent", "status"),
    [(upgrade_request("http://x/play"), 101), (b"GET /page HTTP/1.0\r\n\r\n", 200)],
)
async def test_unusual_requests(db: Path, sent: bytes, status: int) -> None:
    """A WebSocket with a target in the absolute form, and HTTP 1.0 without a host."""
    async with monitored_server(db, routes=ROUTES) as server, raw_connection(server.url) as client:
        await client.send(sent)
        assert (await client.read(b"\r\n\r\n")).startswith(f"HTTP/1.1 {status} ".encode())


async def test_the_status_is_that_of_the_route(db: Path) -> None:
    async with monitored_server(db, routes=ROUTES) as server:
        reply = await server.request("/busy")
        assert (reply.status, reply.headers["Content-Type"]) == (503, "application/json")
        assert (await server.request("/broken")).status == 500
        assert (await server.request("/page")).status == 200
        reply = await server.request("/play")
        assert (reply.status, reply.headers["Upgrade"]) == (426, "websocket")
        await server.connect_bot("one")


# Addresses


class AddressObserver(Observer):
    """Observer that records the addresses of bots."""

    def __init__(self) -> None:
        self.observed: list[str] = []

    def joined(self, name: str, address: str) -> None:
        self.observed.append(f"{name} from {address}")


class FailingObserver(Observer):
    """Observer that raises an exception at each connection."""

    def joined(self, name: str, address: str) -> None:
        raise OSError(f"no room for {name} from {address}")


async def test_an_exception_of_the_observer_is_raised(db: Path) -> None:
    async with monitored_server(db, FailingObserver()) as server:
        await server.connect_bot("Ann")
        with pytest.raises(OSError, match=r"no room for Ann from 127\.0\.0\.1"):
            await server.arena.server.wait_for_change()


async def observed(db: Path, behind_proxy: bool, *forwarded: str) -> list[str]:
    """Return the observed addresses of a bot that sends X-Real-IP headers."""
    observer = AddressObserver()
    fields = [("X-Real-IP", address) for address in forwarded]
    async with monitored_server(db, observer, behind_proxy=behind_proxy) as server:
        async with connect(server.url, proxy=None, additional_headers=fields) as connection:
            await ScriptedBot(connection).log_in("Ann")
        return observer.observed


@loop_over(
    "behind_proxy, forwarded, address",
    (False, [], "127.0.0.1"),
    (False, ["192.0.2.1"], "127.0.0.1"),
    (True, [], "127.0.0.1"),
    (True, ["192.0.2.1"], "192.0.2.1"),
    (True, ["192.0.2.1", "2001:db8::1"], "2001:db8::1"),
)
async def test_the_address_behind_a_proxy(
    db: Path, behind_proxy: bool, forwarded: list[str], address: str
) -> None:
    assert await observed(db, behind_proxy, *forwarded) == [f"Ann from {address}"]


@loop_over(
    "encodings, is_packed",
    [("gzip", True), ("br, GZIP , deflate", True), ("identity", False), ("gzip;q=0", False)],
)
async def test_clients_that_accept_gzip_receive_gzip(
    db: Path, encodings: str, is_packed: bool
) -> None:
    async with monitored_server(db, routes=ROUTES) as server:
        raw = await server.get("/packed", encodings)
        assert raw.headers["Content-Encoding"] == ("gzip" if is_packed else None)
        assert not is_packed or raw.headers["Vary"] == "Accept-Encoding"
        assert raw.headers["Content-Length"] == str(len(raw.body))
        body = gzip.decompress(raw.body) if is_packed else raw.body
        assert body.decode() == PAGE


@loop_over(
    "headers, address",
    (b"X-Real-IP: 192.0.2.7\r\n\r\n", "192.0.2.7"),
    (b"x-real-ip:192.0.2.7 \r\nX-Real-IP: ::1\r\n\r\n", "::1"),
    (b"X-Real-IP: 192.0.2.7\r\n\r\nbody\r\nX-Real-IP: ::1\r\n\r\n", "192.0.2.7"),
    (b"X-Real-IP-2: ::1\r\n\r\n", None),
    (b"\r\n", None),
)
def test_a_proxy_names_its_client(headers: bytes, address: str | None) -> None:
    assert forwarded_address(b"GET / HTTP/1.1\r\nHost: x\r\n" + headers) == address
