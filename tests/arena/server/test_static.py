"""Static files of the page, as a browser receives them."""

import re
from pathlib import Path

import pytest

from arena.server.static import WEB, routes
from tests.support.arena_server import in_event_loop
from tests.support.http_client import monitored_server

FILES = [path.relative_to(WEB).as_posix() for path in sorted(WEB.rglob("*.*"))]
SOURCES = [file for file in FILES if file.endswith((".html", ".js", ".css"))]


def test_all_files_are_served() -> None:
    assert {*routes()} == {"/", *(f"/{file}" for file in FILES)}


@in_event_loop
async def test_the_page_is_at_the_root(db: Path) -> None:
    async with monitored_server(db, routes=routes()) as server:
        reply = await server.request("/")
        assert (reply.status, reply.body) == (200, (WEB / "index.html").read_text())
        assert reply.headers["Content-Type"] == "text/html; charset=utf-8"


@in_event_loop
async def test_the_security_policy_allows_only_own_content(db: Path) -> None:
    async with monitored_server(db, routes=routes()) as server:
        headers = (await server.request("/")).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("file", SOURCES)
def test_no_file_refers_to_another_host(file: str) -> None:
    text = (WEB / file).read_text().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|(src|href)=\"//|@import\s*[\"'u]|innerHTML|\beval\b", text)


def test_scripts_are_sent_without_documentation_comments() -> None:
    script = routes()["/dom.js"]().body.decode()
    assert "@param" not in script
    assert "export function h(name, properties = {}, ...children) {" in script


def test_the_page_is_small() -> None:
    sent = [route().gzipped or b"" for path, route in routes().items() if path != "/"]
    assert sum(map(len, sent)) < 100_000
