"""The list of finished matches, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit
from tests.support.page.sites import (
    SHORT,
    Site,
    check_layout,
    site,
    store_match,
    store_sample_matches,
)
from tests.support.polling import wait_until
from tests.support.servers.arena_command import launcher


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with more matches than one page of the list."""
    db = tmp_path_factory.mktemp("archive") / "arena.db"
    store_sample_matches(db)
    with DatabaseWriter(db) as writer:
        for _ in range(60):
            store_match(writer, ("eve", "bob"), "take_stones", {"stones": 7}, SHORT)
    with launcher() as launch:
        yield site(launch, db)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_latest_matches_come_first(archive: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{archive.page}#/games", phone=phone, dark=phone)
    games = page.locator(".played-games li")
    expect(games).to_have_count(50)
    expect(games.first).to_have_attribute("data-match", "66")
    expect(games.first).to_contain_text("bob ✓ won")
    expect(games.first).to_contain_text("Take-Stones, 7 stones")
    expect(page.locator(".match-heads")).to_be_visible(visible=not phone)
    check_layout(page)


def test_earlier_matches_are_loaded_and_kept_on_the_way_back(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games")
    rows = page.locator(".played-games li")
    expect(page.get_by_role("status").last).to_have_text("66 matches")
    page.get_by_role("button", name="Load more (16 left)").click()
    expect(rows).to_have_count(66)
    expect(page.get_by_role("button", name="Load more")).to_be_hidden()
    rows.last.scroll_into_view_if_needed()
    is_stored = "history.state?.y === scrollY && scrollY > 0"
    wait_until(lambda: page.evaluate(is_stored), "the place to be stored")
    place = page.evaluate("scrollY")
    rows.last.locator(".cover").click()
    expect(page.locator(".stone").first).to_be_visible()
    page.go_back()
    expect(rows).to_have_count(66)
    wait_until(lambda: page.evaluate("scrollY") == place, f"the page to scroll to {place}")
