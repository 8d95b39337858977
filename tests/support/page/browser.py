"""A real browser for tests: Chromium, driven with Playwright.

Playwright occupies the event loop of the thread: tests that use these fixtures start their arenas
as processes.
"""

import os
import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import Launch
from tests.support.tools import find, need

# As root, as in most containers, Chromium runs without its sandbox or not at all.
OPTIONS = ["--no-sandbox"] if os.geteuid() == 0 else []

LOST = re.compile("WebSocket connection|net::ERR_CONNECTION_REFUSED")  # in a browser's log
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield the machine's Chromium or Chrome.

    Its scope is the module: until it ends, no other test of the process can run an event loop.
    """
    need("Chromium")
    expect.set_options(timeout=1000 * TEST_TIMEOUT)
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=str(find("Chromium")), args=OPTIONS)


@pytest.fixture
def visit(browser: Browser, launch: Launch) -> Iterator["Visit"]:  # noqa: ARG001
    """Yield a function that opens pages, and check them for errors and foreign requests at the end.

    The pages are closed before the servers that `launch` has started.
    """
    visits = Visit(browser)
    yield visits
    visits.close()


class Visit:
    """Opener of pages, each with its own storage, that records their errors and requests."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._pages: list[Page] = []
        self.errors: list[str] = []
        self._expected: dict[str, bool] = {}  # part of a text: whether such an error came
        self.hosts: set[str] = set()
        self.may_lose_connection = False  # browsers log each failed connection

    def __call__(self, url: str, *, phone: bool = False, dark: bool = False) -> Page:
        context = self._browser.new_context(
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            has_touch=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.set_default_timeout(1000 * TEST_TIMEOUT)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._record(str(error)))
        page.on("request", self._request)
        self._pages.append(page)
        page.goto(url)
        return page

    def expect_error(self, part: str) -> None:
        """Allow the errors with a part in their text, and require one until the end.

        A page repeats an error as often as it renders, which no test can count.
        """
        self._expected[part] = False

    def _record(self, error: str) -> None:
        parts = [part for part in self._expected if part in error]
        self._expected |= dict.fromkeys(parts, True)
        if not parts:
            self.errors.append(error)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            is_about_arena = LOST.search(message.text)
            if not (self.may_lose_connection and is_about_arena):
                self._record(message.text)

    def _request(self, request: Request) -> None:
        self.hosts.add(request.url.split("/")[2])

    def close(self) -> None:
        for page in self._pages:
            page.context.close()
        assert not self.errors
        assert all(self._expected.values()), self._expected
        assert len(self.hosts) <= 1


def settle(page: Page) -> None:
    """Wait for two frames: observers of sizes change the layout once more in the first one."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def accessibility_violations(page: Page) -> str:
    """Return the accessibility violations that axe finds, an empty text if there are none."""
    results = Axe().run(page)
    return str(results.generate_report()) if results.violations_count else ""
