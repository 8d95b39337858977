"""Plain HTTP beside the WebSockets, asked for by the library of the standard."""

import gzip
import socket
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import RemoteDisconnected
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect

from arena.model.observer import Observer
from arena.server.http import Content, Routes
from tests.support.arena_server import ScriptedBot, in_event_loop
from tests.support.http_client import watched

PAGE = "Grüße, 石\n"


def broken() -> Content:
    raise KeyError("of our own")


ROUTES: Routes = {
    "/page": lambda: Content(PAGE.encode()),
    "/busy": lambda: Content(b"{}", "application/json", HTTPStatus.SERVICE_UNAVAILABLE),
    "/broken": broken,
    "/packed": lambda: Content(PAGE.encode(), gzipped=gzip.compress(PAGE.encode())),
}


@in_event_loop
async def test_a_page_comes_as_it_is(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        reply = await server.ask("/page")
        assert (reply.status, reply.body) == (200, PAGE)


@in_event_loop
async def test_the_header_fields_of_a_page(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        headers = (await server.ask("/page")).headers
        assert headers.get_all("Content-Type") == ["text/plain; charset=utf-8"]
        assert headers.get_all("Content-Length") == [str(len(PAGE.encode()))]
        assert headers["Connection"] == "close"


@in_event_loop
async def test_a_page_says_what_it_is(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        reply = await server.ask("/busy")
        assert (reply.status, reply.headers["Content-Type"]) == (503, "application/json")


@in_event_loop
async def test_head_is_get_without_a_body(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        reply = await server.ask("/page", "HEAD")
        assert (reply.status, reply.body) == (200, "")
        assert reply.headers["Content-Length"] == str(len(PAGE.encode()))


@in_event_loop
async def test_a_page_is_found_with_a_query(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        assert (await server.ask("/page?from=/play")).status == 200


@pytest.mark.parametrize("path", ["/", "/page/", "/Page", "/%70age", "//page", "/../page", "*"])
@in_event_loop
async def test_elsewhere_is_nothing(db: Path, path: str) -> None:
    async with watched(db, routes=ROUTES) as server:
        reply = await server.ask(path)
        assert (reply.status, reply.body) == (404, "Bots connect to /play with WebSockets.\n")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "GETS"])
@in_event_loop
async def test_a_page_can_only_be_read(db: Path, method: str) -> None:
    async with watched(db, routes=ROUTES) as server:
        reply = await server.ask("/page", method)
        assert (reply.status, reply.headers["Allow"]) == (405, "GET, HEAD")


@in_event_loop
async def test_a_body_does_no_harm(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        with suppress(RemoteDisconnected):  # the library reads no bodies
            await server.ask("/page", "POST", body="x" * 1000)
        assert (await server.ask("/page")).status == 200


@in_event_loop
async def test_who_sends_something_else_hears_nothing(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        place = urlsplit(server.url)
        with closing(socket.create_connection((place.hostname, place.port))) as stranger:
            stranger.sendall(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
        assert (await server.ask("/page")).status == 200


@in_event_loop
async def test_a_broken_page_breaks_nothing_else(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        assert (await server.ask("/broken")).status == 500
        assert (await server.ask("/page")).status == 200
        await server.connect_bot("one")


@in_event_loop
async def test_play_is_not_for_browsers(db: Path) -> None:
    async with watched(db, routes=ROUTES) as server:
        reply = await server.ask("/play")
        assert (reply.status, reply.headers["Upgrade"]) == (426, "websocket")


# Addresses


class Doorman(Observer):
    """Writes down where bots come from."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def joined(self, name: str, address: str) -> None:
        self.seen.append(f"{name} from {address}")


class Failing(Observer):
    """Cannot write down where bots come from."""

    def joined(self, name: str, address: str) -> None:
        raise OSError(f"no room for {name} from {address}")


@in_event_loop
async def test_what_the_observer_of_a_bot_raises_comes_out(db: Path) -> None:
    async with watched(db, Failing()) as server:
        await server.connect_bot("Ann")
        with pytest.raises(OSError, match=r"no room for Ann from 127\.0\.0\.1"):
            await server.arena.wait_for_change()


async def seen(db: Path, behind_proxy: bool, *told: str) -> list[str]:
    """Where a bot comes from that sends these fields."""
    doorman = Doorman()
    fields = [("X-Real-IP", address) for address in told]
    async with watched(db, doorman, behind_proxy=behind_proxy) as server:
        async with connect(server.url, proxy=None, additional_headers=fields) as connection:
            await ScriptedBot(connection).log_in("Ann")
        return doorman.seen


@pytest.mark.parametrize(
    ("behind_proxy", "told", "address"),
    [
        (False, [], "127.0.0.1"),
        (False, ["192.0.2.1"], "127.0.0.1"),
        (True, [], "127.0.0.1"),
        (True, ["192.0.2.1"], "192.0.2.1"),
        (True, ["192.0.2.1", "2001:db8::1"], "2001:db8::1"),
    ],
)
@in_event_loop
async def test_where_a_bot_comes_from(
    db: Path, behind_proxy: bool, told: list[str], address: str
) -> None:
    assert await seen(db, behind_proxy, *told) == [f"Ann from {address}"]


@pytest.mark.parametrize("encodings", ["gzip", "br, GZIP , deflate"])
@in_event_loop
async def test_who_takes_gzip_gets_it(db: Path, encodings: str) -> None:
    async with watched(db, routes=ROUTES) as server:
        raw = await server.get("/packed", encodings)
        assert raw.headers["Content-Encoding"] == "gzip"
        assert (raw.headers["Vary"], raw.headers["Content-Length"]) == (
            "Accept-Encoding",
            str(len(raw.body)),
        )
        assert gzip.decompress(raw.body).decode() == PAGE


@pytest.mark.parametrize("encodings", ["identity", "gzip;q=0"])
@in_event_loop
async def test_who_does_not_take_gzip_gets_it_plain(db: Path, encodings: str) -> None:
    async with watched(db, routes=ROUTES) as server:
        raw = await server.get("/packed", encodings)
        assert "Content-Encoding" not in raw.headers
        assert raw.body.decode() == PAGE
