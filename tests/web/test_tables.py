"""The standings in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.model.results import MatchResult, Termination
from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit
from tests.support.page.sites import (
    SCRIPT,
    SHORT,
    Site,
    check_layout,
    random_game,
    site,
    store_match,
)
from tests.support.servers.arena_command import Launch
from tests.web.test_paper import CUT, print_page


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_standings_show_ratings_and_scores(stored: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{stored.page}#/tables", phone=phone, dark=phone)
    page.evaluate("localStorage.setItem('followed', '[\"ann\"]')")
    page.reload()
    expect(page.locator(".standings .followed").first).to_be_visible()
    stones = page.locator("main section").filter(has_text="Take-Stones")
    expect(stones.locator(".standings tbody tr")).to_have_count(5)
    expect(stones).to_contain_text("accuracies from 5 of them")
    expect(stones).to_contain_text("First move: ")
    expect(stones.get_by_role("columnheader", name="Drawn")).to_be_hidden()
    expect(page.locator("main section").filter(has_text="Isolation")).to_contain_text("1 match")
    expect(stones.locator(".standings")).to_contain_text(SCRIPT)
    assert page.locator("main script").count() == 0
    check_layout(page)


def test_many_bots_fit(db: Path, visit: Visit, launch: Launch) -> None:
    bots = [f"bot {number}" for number in range(40)]
    with DatabaseWriter(db) as writer:
        for one, two in zip(bots, [*bots[1:], bots[0]], strict=True):
            store_match(writer, (one, two), "take_stones", {"stones": 7}, SHORT)
    page = visit(f"{site(launch, db).page}#/tables")
    rows, ranks = page.locator(".standings tbody tr"), page.locator(".standings td:first-child")
    expect(rows).to_have_count(40)
    assert ranks.all_text_contents() == ["=1"] * 40  # each has won one match and lost one
    frame = page.locator(".cross-frame")
    assert frame.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
    names = page.locator(".cross thead bdi")
    assert sorted(names.all_text_contents()) == sorted(bots)
    check_layout(page)
    print_page(page)
    assert page.evaluate(CUT) == []


def test_all_bots_are_shown_without_accuracies(db: Path, visit: Visit, launch: Launch) -> None:
    moves = random_game("isolation", {}, 1)
    draw = MatchResult(Termination.GAME_OVER, None, "the board is full")
    with DatabaseWriter(db) as writer:
        for number in range(10):
            result = None if number else draw
            store_match(writer, (f"bot {number}", "bob"), "isolation", {}, moves, result)
    page = visit(f"{site(launch, db).page}#/tables")
    expect(page.locator(".standings tbody tr:visible")).to_have_count(11)
    expect(page.get_by_role("columnheader", name="Accuracy")).to_be_hidden()
    for name in ("Drawn", "Forfeits"):
        expect(page.get_by_role("columnheader", name=name)).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_plots_are_drawn_when_they_are_opened(stored: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{stored.page}#/tables", phone=phone, dark=phone)
    page.get_by_text("Plots of Take-Stones").click()
    plots = page.locator(".plots").filter(has_text="Take-Stones")
    expect(plots).to_contain_text("5 matches so far")
    for title in ("Ratings in Elo", "Points of player 1", "Points of each bot", "Number of games"):
        expect(plots.get_by_role("img", name=title)).to_be_visible()
    expect(plots.locator("path title", has_text="ann as player 1")).to_have_count(1)
    assert page.locator("main script").count() == 0
    check_layout(page)
