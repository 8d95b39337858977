"""The page in Firefox: every view, and a match that is played with the keyboard."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.page import firefox
from tests.support.page.browser import DESKTOP, PHONE
from tests.support.page.firefox import Firefox
from tests.support.page.sites import VIEWS, Site, site
from tests.support.servers.arena_command import Launch
from tests.support.tools import find

pytestmark = pytest.mark.needs("Firefox")

ENTER, CONTROL, HOME, RIGHT = "\ue007", "\ue009", "\ue011", "\ue014"  # keys of WebDriver
TURN = "document.querySelector('.interactive .legal')"
END = "document.querySelector('.state-line:not(.is-live)')"
FOCUS = "document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox.firefox(str(find("Firefox")), tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(("address", "shown"), VIEWS)
def test_a_view_is_shown(
    stored: Site, browser: Firefox, address: str, shown: str, size: dict[str, int]
) -> None:
    browser.resize(**size)
    browser.open(f"{stored.page}{address}")
    browser.wait(f"document.querySelector({json.dumps(shown)})")
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not browser.problems


def test_a_match_is_played_with_the_keyboard(db: Path, launch: Launch, browser: Firefox) -> None:
    browser.resize(**DESKTOP)
    browser.open(f"{site(launch, db).page}#/play")
    browser.wait("document.querySelector('#name')")
    browser.evaluate("document.querySelector('#name').focus()")
    browser.press(ENTER)
    browser.wait(f"{TURN} || {END}")
    while not browser.evaluate(f"!!{END}"):
        moves = browser.evaluate("document.querySelectorAll('.moves li a').length")
        browser.evaluate(FOCUS)
        browser.press(CONTROL, HOME)
        if not browser.evaluate("document.activeElement.classList.contains('legal')"):
            browser.press(CONTROL, RIGHT)
        browser.press(ENTER)
        browser.wait(
            f"document.querySelectorAll('.moves li a').length > {moves} && ({TURN} || {END})"
        )
    assert re.match(
        r"You (won|lost): no (factor|stone)", str(browser.evaluate(f"{END}.textContent"))
    )
    assert not browser.problems
