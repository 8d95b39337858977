"""The list of finished matches, in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

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
from tests.support.polling import wait_until
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
    expect(games.first).to_contain_text("Take-Stones, 7 stones")
    expect(page.locator(".match-heads")).to_be_visible(visible=not phone)
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


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


def choose(page: Page, name: str, value: str) -> None:
    """Set a field of the filter; wait until the view is drawn with it, and may be changed again."""
    field = page.locator(f"[name={name}]")
    field.focus()
    if name in {"game", "outcome", "ending"}:
        field.select_option(value)
        drawn = page.locator(f"[name={name}]:has(option[value='{value}'][selected])")
    else:
        field.fill(value)
        field.press("Enter")
        drawn = page.locator(f"[name={name}][value='{value}']")
    expect(drawn).to_be_focused()


def test_matches_are_filtered(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games")
    rows, total = page.locator(".played-games li"), page.get_by_role("status").last
    for label in ("Bot or player", "Number of stones", "Opponent", "Moves, at least", "From", "To"):
        expect(page.get_by_label(label, exact=True)).to_have_count(1)
    choose(page, "bot", "AN")  # the beginning of a name, in other letters
    expect(page).to_have_url(re.compile(r"#/games\?bot=AN$"))
    expect(rows).to_have_count(4)
    choose(page, "game", "isolation")
    expect(rows).to_have_count(1)
    page.get_by_text("More filters").click()
    expect(page.get_by_label("Number of stones")).to_have_count(0)
    choose(page, "game", "")
    choose(page, "stones", "7")
    choose(page, "opponent", "bob")
    choose(page, "outcome", "lost")
    expect(rows).to_have_count(1)
    choose(page, "min_plies", "7")
    expect(total).to_have_text("No matches found.")
    page.get_by_role("link", name="Show all").click()
    expect(total).to_have_text("66 matches")
    choose(page, "until", "2023-11-01")
    expect(total).to_have_text("No matches found.")
    choose(page, "until", "2023-11-20")
    choose(page, "since", "2023-11-10")
    choose(page, "ending", "no_legal_move")
    expect(total).to_have_text("66 matches")
    assert not accessibility_violations(page)


def test_a_match_of_a_killed_arena_is_shown_as_aborted(
    db: Path, launch: Launch, visit: Visit
) -> None:
    pairing = Pairing(None, ("ann", "bob"), "take_stones", {"stones": 7})
    with DatabaseWriter(db) as writer:
        writer.begin_match(pairing, "5+0.1", 1.7e9).result()
    page = visit(f"{site(launch, db).page}#/games")
    expect(page.locator(".played-games li")).to_contain_text("aborted: the arena was killed")
    page.locator(".played-games .cover").click()
    expect(page.locator(".view-match")).to_contain_text("the arena was killed")


def test_names_are_not_parsed_as_markup(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games?bot={SCRIPT}")
    expect(page.locator(".played-games li")).to_contain_text(SCRIPT)
    assert page.locator("main script").count() == 0


def test_an_empty_result_is_reported(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games?bot=nobody")
    expect(page.get_by_role("status").last).to_have_text("No matches found.")


def test_a_match_links_to_its_replay(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/games?bot=ann&game=isolation")
    page.locator(".played-games .cover").click()
    expect(page.locator(".square")).to_have_count(64)
