"""The standings in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import (
    SCRIPT,
    SHORT,
    Site,
    is_too_wide,
    page_of,
    random_game,
    site,
    store_match,
)
from tests.support.servers.arena_command import COMMAND, Launch


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_standings_show_ratings_and_scores(stored: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{stored.page}#/tables", phone=phone, dark=phone)
    stones = page.locator("main section").filter(has_text="Take-Stones")
    expect(stones.locator(".standings tbody tr")).to_have_count(5)
    expect(stones).to_contain_text("accuracies from 5 of them")
    expect(stones).to_contain_text("First move: ")
    expect(page.locator("main section").filter(has_text="Isolation")).to_contain_text("1 match")
    expect(stones.locator(".standings")).to_contain_text(SCRIPT)
    assert page.locator("main script").count() == 0
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_standings_without_matches_are_empty(empty: Site, visit: Visit) -> None:
    page = visit(f"{empty.page}#/tables")
    expect(page.locator("main")).to_contain_text("No rated match has finished yet.")


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
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
    page.locator(".cross td a").first.click()
    expect(page.locator(".played-games li")).to_have_count(1)
    expect(page.get_by_role("status").last).to_have_text("1 match")


def test_the_standings_are_sorted_by_columns(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/tables")
    stones = page.locator("main section").filter(has_text="Take-Stones")
    rows = stones.locator(".standings tbody tr")
    expect(rows).to_have_count(5)
    by_rank = rows.locator("th").all_text_contents()
    by_name = sorted(by_rank, key=str.casefold)
    head = stones.get_by_role("columnheader", name="Bot").first
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(rows.locator("th")).to_have_text(by_name)
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(rows.locator("th")).to_have_text(by_name[::-1])
    won = stones.get_by_role("columnheader", name="Won")
    won.get_by_role("button").click()
    expect(won).to_have_attribute("aria-sort", "descending")
    numbers = [int(text) for text in rows.locator("td:nth-child(6)").all_text_contents()]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > numbers[-1]
    stones.get_by_role("button", name="#").click()
    expect(rows.locator("th")).to_have_text(by_rank)
    assert not accessibility_violations(page)


def test_margins_of_a_large_table_are_requested(db: Path, visit: Visit, launch: Launch) -> None:
    bots = [f"bot {number}" for number in range(101)]
    with DatabaseWriter(db) as writer:
        for one, two in zip(bots, [*bots[1:], bots[0]], strict=True):
            store_match(writer, (one, two), "take_stones", {"stones": 7}, SHORT)
    page = visit(f"{site(launch, db).page}#/tables")
    rows = page.locator(".standings tbody tr")
    expect(rows).to_have_count(101)
    for row in (rows.first, rows.last):
        expect(row.locator("td").nth(2)).to_have_text(re.compile(r"\d+"))
    expect(page.locator("main section")).to_contain_text("95 % confidence")
    expect(page.locator(".cross tbody tr")).to_have_count(100)


def test_all_bots_are_shown_without_accuracies(db: Path, visit: Visit, launch: Launch) -> None:
    moves = random_game("isolation", {}, 1)
    with DatabaseWriter(db) as writer:
        for number in range(10):
            store_match(writer, (f"bot {number}", "bob"), "isolation", {}, moves)
    page = visit(f"{site(launch, db).page}#/tables")
    expect(page.locator(".standings tbody tr:visible")).to_have_count(11)
    expect(page.get_by_role("columnheader", name="Accuracy")).to_be_hidden()
    expect(page.get_by_role("columnheader", name="Forfeits")).to_be_visible()


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
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_the_bracket_of_a_knockout_is_shown(db: Path, visit: Visit, launch: Launch) -> None:
    command = [*COMMAND, "tournament", "--bots", "random", "external:guest", "--format", "knockout"]
    process = launch(*command, "--stones", "7", "--db", db, "--plain")
    page = visit(f"{page_of(process)}#/tables")
    expect(page.get_by_role("heading", name="Bracket")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("guest")
