"""A match on the page of another site, in a real browser."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.support.page.browser import Visit
from tests.support.page.sites import HUNDRED, Site, check_layout
from tests.support.polling import join

Embed = Callable[[str], Page]


@pytest.fixture
def embed(tmp_path: Path, visit: Visit) -> Iterator[Embed]:
    """Yield a function that opens a page of another site with an element.

    The site is a server of this machine: browsers keep a page from elsewhere from addresses of it.
    """
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        host = f"localhost:{server.server_port}"

        def open_page(element: str) -> Page:
            (tmp_path / "index.html").write_text(f'<link rel="icon" href="data:,">{element}')
            page = visit(f"http://{host}/")
            visit.hosts.discard(host)
            return page

        yield open_page
        server.shutdown()
        join(thread)


def shown_ply(frame: FrameLocator) -> None:
    expect(frame.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^move 4 "))


def test_a_match_is_embedded(stored: Site, visit: Visit, embed: Embed) -> None:
    page = visit(f"{stored.page}#/match/{HUNDRED}/3")
    page.get_by_text("Share", exact=True).click()
    page.get_by_role("button", name="Frame").click()
    expect(page.get_by_text("Copied: frame.")).to_be_visible()
    element = page.evaluate("navigator.clipboard.readText()")
    other = embed(element)
    frame = other.frame_locator("iframe")
    expect(frame.locator(".stone.taken")).to_have_count(3)
    frame.get_by_role("button", name="Next move").click()
    shown_ply(frame)
    other.frames[1].wait_for_url("**/4")  # the address follows once the steps have settled
    expect(frame.get_by_role("button", name="Frame")).to_have_count(0)
    with other.expect_popup() as opened:
        frame.get_by_role("link", name="Open in the arena").click()
    expect(opened.value.locator(".stone.taken")).to_have_count(4)
    with other.expect_popup() as opened:
        frame.get_by_role("link", name="ann").click()
    expect(opened.value.get_by_role("heading", name="Matches")).to_be_visible()


def test_an_embedded_match_fits_a_phone(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}embed/#/match/{HUNDRED}", phone=True, dark=True)
    expect(page.locator(".state-line")).to_contain_text("is left")
    check_layout(page)
