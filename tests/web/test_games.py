"""The list of finished matches, in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.model.results import Pairing
from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import (
    SCRIPT,
    SHORT,
    Site,
    is_too_wide,
    site,
    store_match,
    store_sample_matches,
)
from tests.support.servers.arena_command import Launch, launcher


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
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_earlier_matches_can_be_loaded(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games")
    page.get_by_role("button", name="Load more").click()
    expect(page.locator(".played-games li")).to_have_count(66)
    expect(page.get_by_role("status").last).to_have_text("66 matches, no earlier ones.")
    expect(page.get_by_role("button", name="Load more")).to_be_hidden()


def test_matches_are_filtered_by_player_and_game(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games")
    page.get_by_label("Bot or player").fill("ann")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"#/games\?bot=ann$"))
    expect(page.locator(".played-games li")).to_have_count(4)
    page.get_by_label("Game").select_option("Isolation")
    expect(page.locator(".played-games li")).to_have_count(1)


def test_a_match_of_a_killed_arena_is_shown_as_aborted(
    db: Path, launch: Launch, visit: Visit
) -> None:
    pairing = Pairing(None, ("ann", "bob"), "take_stones", {"stones": 7})
    with DatabaseWriter(db) as writer:
        writer.begin_match(pairing, "5+0.1", 1.7e9).result()
    page = visit(f"{site(launch, db).page}#/games")
    expect(page.locator(".played-games li")).to_contain_text("aborted")
    page.locator(".played-games a").click()
    expect(page.get_by_text("the arena was killed")).to_be_visible()


def test_names_are_not_parsed_as_markup(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games?bot={SCRIPT}")
    expect(page.locator(".played-games li")).to_contain_text(SCRIPT)
    assert page.locator("main script").count() == 0


def test_an_empty_result_is_reported(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games?bot=nobody")
    expect(page.get_by_role("status").last).to_have_text("No matches found.")


def test_a_match_links_to_its_replay(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games?bot=ann&game=isolation")
    page.locator(".played-games a").click()
    expect(page.locator(".square")).to_have_count(64)
