"""The page in WebKit, the engine of Safari: every view, a match, a replay and a puzzle."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.page import webkit
from tests.support.page.sites import HUNDRED, VIEWS, Site, site
from tests.support.page.webkit import WebKit
from tests.support.servers.arena_command import Launch
from tests.support.tools import find

pytestmark = pytest.mark.needs("WebKit")

TURN = "document.querySelector('.interactive .legal')"
END = "document.querySelector('.state-line:not(.is-live)')"
MOVES = "document.querySelectorAll('.moves li a').length"
TAKEN = "document.querySelectorAll('.board .taken').length"
BEGINNER = ".invitations .main"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebKit]:
    with webkit.webkit(Path(str(find("WebKit"))), tmp_path_factory.mktemp("webkit")) as browser:
        yield browser


@pytest.mark.parametrize(("address", "shown"), VIEWS)
def test_a_view_is_shown(stored: Site, browser: WebKit, address: str, shown: str) -> None:
    browser.open(stored.page, address)
    browser.wait(f"document.querySelector({json.dumps(shown)})")
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not browser.problems


def test_a_beginner_is_played_from_the_lobby(db: Path, launch: Launch, browser: WebKit) -> None:
    browser.open(site(launch, db).page, "#/")
    browser.wait(f"document.querySelector('{BEGINNER}')")
    browser.click(BEGINNER)
    browser.wait(f"{TURN} && document.querySelector('.state-line.own')")
    while not browser.evaluate(f"!!{END}"):
        moves = browser.evaluate(MOVES)
        browser.click(".interactive .legal")
        browser.wait(f"{MOVES} > {moves} && ({TURN} || {END})")
    ending = browser.evaluate(f"{END}.textContent")
    assert re.match(r"You (won|lost): no (factor|stone)", ending)
    assert not browser.problems


def test_a_match_is_replayed(stored: Site, browser: WebKit) -> None:
    browser.open(stored.page, f"#/match/{HUNDRED}/0")
    browser.wait(f"document.querySelector('.board .stone') && {TAKEN} === 0")
    browser.click("[aria-label='Next move']")
    browser.wait(f"{TAKEN} === 1")
    browser.click("[aria-label='Play']")
    browser.wait(f"{TAKEN} > 2")
    assert not browser.problems


def test_a_puzzle_is_tried(stored: Site, browser: WebKit) -> None:
    browser.open(stored.page, f"#/puzzles/{HUNDRED}/2")
    browser.wait(TURN)
    browser.click(".interactive .legal")
    browser.wait("/the win|Solved/.test(document.querySelector('.puzzle-status').textContent)")
    assert not browser.problems
