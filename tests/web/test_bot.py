"""The pages of bots, in a real browser."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from arena.model.results import Info, MatchResult, Termination
from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit
from tests.support.page.sites import SCRIPT, SHORT, Site, check_layout, site, store_match
from tests.support.servers.arena_command import launcher

STONES = "take_stones"
STRANGE = ("a/b?c#d", "100 %", "..", "%2F", "a&b=c", SCRIPT, "\u0627 \u05d1", "'")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with matches of ann in two games, and of bots with strange names."""
    db = tmp_path_factory.mktemp("archive") / "arena.db"
    with DatabaseWriter(db) as writer:
        infos = {0: Info(depth=5, nodes=1234)}
        store_match(writer, ("ann", "bob"), STONES, {"stones": 7}, SHORT, infos=infos)
        store_match(writer, ("eve", "ann"), STONES, {"stones": 20}, [5, 10])
        late = MatchResult(Termination.TIMEOUT, 2, "player 1 (ann) is out of time")
        store_match(writer, ("ann", "eve"), STONES, {"stones": 7}, [3, 6], late)
        store_match(writer, ("ann", "bob"), "isolation", {}, [])
        for name in STRANGE:
            store_match(writer, (name, "bob"), STONES, {"stones": 7}, SHORT)
    with launcher() as launch:
        yield site(launch, db)


def address(name: str) -> str:
    return f"#/bot/{quote(name, safe='')}"


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_bot_has_its_rating_and_its_results(archive: Site, visit: Visit, phone: bool) -> None:
    page = visit(archive.page + address("ann"), phone=phone, dark=phone)
    stones = page.locator(".bot-game").filter(has=page.get_by_role("heading", name="Take-Stones"))
    expect(stones.locator(".bot-numbers")).to_contain_text("3 matches: 1 won, 2 lost")
    expect(stones.get_by_role("img", name=re.compile("Ratings in Elo"))).to_be_visible()
    expect(stones.get_by_text("Lost on time: 1 match.")).to_be_visible()
    expect(stones).to_contain_text("depth 5 and 1,234 nodes in the median")
    expect(page.locator(".bot-game")).to_have_count(2)
    expect(page.locator(".skeleton")).to_have_count(0)
    check_layout(page)


def test_the_results_by_side_fit_on_a_phone(stored: Site, visit: Visit) -> None:
    table = visit(stored.page + address("ann"), phone=True).locator(".score-frame").first
    expect(table).to_be_visible()
    assert table.evaluate("frame => frame.scrollWidth <= frame.clientWidth")


@pytest.mark.parametrize("name", STRANGE)
def test_any_name_has_a_page(archive: Site, visit: Visit, name: str) -> None:
    page = visit(f"{archive.page}#/tables")
    link = page.locator(".standings a").filter(has_text=name)
    page.locator(".standings").get_by_role("link", name=name, exact=True).click()
    expect(link).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.locator(".bot-numbers")).to_contain_text("1 match: 0 won, 1 lost")
    assert page.locator("main script").count() == 0
    expect(page.locator(".results li")).to_have_count(1)
