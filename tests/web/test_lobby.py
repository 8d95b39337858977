"""The lobby in a real browser."""

import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import Visit
from tests.support.page.sites import Site, check_layout, is_too_wide, site, store_sample_matches
from tests.support.servers.arena_command import COMMAND, Launch, running_bot, wait_for_line
from tests.web.test_loading import LAYOUT_SHIFT


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_an_empty_arena_explains_how_to_connect(empty: Site, visit: Visit, phone: bool) -> None:
    page = visit(empty.page, phone=phone, dark=phone)
    expect(page.locator("h1")).to_have_text("Take-Stones and Isolation")
    expect(page.locator(".lobby")).to_contain_text("No bots connected yet")
    expect(page.locator(".lobby")).to_contain_text(empty.play)
    check_layout(page)


def test_a_view_that_cannot_be_loaded_is_loaded_later(
    db: Path, visit: Visit, launch: Launch
) -> None:
    visit.may_lose_connection = True
    store_sample_matches(db)
    arena = site(launch, db)
    page = visit(arena.page)
    expect(page.locator(".results li").first).to_be_visible()
    arena.stop(signal.SIGKILL)
    expect(page.locator("#status")).to_contain_text("Disconnected")
    page.get_by_role("link", name="Results", exact=True).click()
    expect(page.locator("main")).to_contain_text("could not be loaded")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    site(launch, db, "--port", arena.port)
    expect(page.locator(".standings tbody tr").first).to_be_visible()


def test_a_finished_tournament_shows_its_podium(
    complete: Path, visit: Visit, launch: Launch
) -> None:
    process = launch(*COMMAND, "view", complete, "--port", "0")
    page = visit(wait_for_line(process, r"(http://[^\s,]+)"), phone=True)
    expect(page.locator(".podium li")).to_have_count(3)
    expect(page.locator(".aside")).to_be_visible()
    assert page.evaluate(LAYOUT_SHIFT) < 0.05
    check_layout(page)


def test_many_matches_are_shown_to_their_end(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db)
    with running_bot("random", "ann", arena.play), running_bot("greedy", "bob", arena.play):
        page = visit(arena.page, phone=True)
        expect(page.locator(".results li")).to_have_count(8)
        expect(page.locator(".played")).to_contain_text("matches played")
        assert not is_too_wide(page)
        later = visit(arena.page, phone=True)
        expect(later.locator(".results li")).to_have_count(8)
        expect(later.locator(".live-card").first).to_be_visible()
        assert later.evaluate(LAYOUT_SHIFT) < 0.05


PLAYER_1 = {False: "rgb(15, 114, 153)", True: "rgb(87, 184, 217)"}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_canvases_have_the_colours_of_the_theme(stored: Site, visit: Visit, dark: bool) -> None:
    page = visit(stored.page, dark=dark)
    code = "async () => (await import('/boards/colours.js')).colours().one"
    assert page.evaluate(code) == PLAYER_1[dark]
    page.get_by_role("button", name="Light theme" if dark else "Dark theme").click()
    assert page.evaluate(code) == PLAYER_1[not dark]


def test_the_page_is_operated_with_the_keyboard(stored: Site, visit: Visit) -> None:
    page = visit(stored.page)
    expect(page.locator(".results li").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Results", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Standings")
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("main")).to_have_css("outline-style", "none")


def test_workers_of_a_tournament_in_process(db: Path, visit: Visit, launch: Launch) -> None:
    words = ["--bots", "random", "greedy", "--rounds", "100000", "--workers", "1", "--db", db]
    words += ["--time", "100 nodes", "--stones", "30"]
    process = launch(*COMMAND, "tournament", *words)
    page = visit(wait_for_line(process, r"(http://\S+)"))
    expect(page.locator(".workers")).to_have_text(
        re.compile(r"1 worker, [0-9,.]+ matches/s, \d+ batch(es)? in flight$")
    )
    expect(page.locator(".welcome")).to_contain_text("100 nodes a move")
    expect(page.locator(".nothing")).to_contain_text("Workers play the matches")
    expect(page.locator(".results li").first).to_contain_text("beat")
    expect(page.locator(".played")).to_have_text(re.compile(r"^[0-9,]+ of 200,000 matches played$"))
    check_layout(page)
    page.locator(".results .cover").first.click()
    expect(page.locator(".clock").first).to_be_hidden()
