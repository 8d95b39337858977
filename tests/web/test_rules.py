"""The rules, the marks and the keyboard shortcuts, in a real browser."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.games.toy_package import command_with
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide, serve
from tests.support.servers.arena_command import Launch


def status(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator(".lesson-status")).to_have_text(text)


def test_the_rules_are_learnt_by_playing(empty: Site, visit: Visit) -> None:
    page = visit(f"{empty.page}#/rules")
    status(page, "Your move: odd and below 6.")
    expect(page.locator(".rules li").first).to_be_visible()
    badges = page.locator(".mark-meanings .badge")
    expect(badges).to_have_text(["live", "unrated", "not finished"])
    assert not accessibility_violations(page)
    page.get_by_label("Show the winning moves").check()
    expect(page.locator(".stone.winning")).to_have_text("5")
    page.locator(".stone", has_text=re.compile("^1$")).click()
    status(page, re.compile(r"^1 gives up the win: 5 would have kept it\."))
    page.get_by_role("button", name="Start again").click()
    status(page, "Your move: odd and below 6.")
    expect(page.locator(".stone.taken")).to_have_count(0)
    winning = page.locator(".interactive .winning")
    winning.first.click()
    status(page, re.compile(r"^5 keeps the win\. The opponent plays (1|10)\."))
    end = page.locator(".lesson-status", has_text="You win!")
    while not end.is_visible():
        winning.first.click()
        expect(winning.or_(end).first).to_be_visible()
    status(page, re.compile(r"keeps the win\. You win! Player 1 wins: player 2 cannot move\.$"))


def test_a_match_follows(empty: Site, visit: Visit) -> None:
    page = visit(f"{empty.page}#/rules", phone=True, dark=True)
    status(page, "Your move: odd and below 6.")
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
    page.get_by_role("link", name="Play a match").click()
    expect(page.get_by_label("Number of stones")).to_have_value("12")
    expect(page.get_by_label("Opponent")).to_have_value("random")


def test_a_game_without_a_solver_is_learnt_too(empty: Site, visit: Visit) -> None:
    page = visit(f"{empty.page}#/rules")
    page.get_by_role("link", name="Isolation", exact=True).click()
    expect(page.get_by_role("heading", name="Isolation in twenty seconds")).to_be_visible()
    legal = page.locator(".interactive .legal")
    legal.first.click()
    status(page, re.compile(r"^The opponent plays \(\d \d\)\. Your move: "))
    expect(page.get_by_label("Show the winning moves")).to_have_count(0)
    end = page.locator(".lesson-status", has_text=re.compile("You (win!|lose\\.)"))
    while not end.is_visible():
        legal.first.click()
        expect(legal.or_(end).first).to_be_visible()
    status(page, re.compile("cannot move"))


def test_a_game_without_a_lesson(tmp_path: Path, db: Path, visit: Visit, launch: Launch) -> None:
    arena = serve(launch, command_with(tmp_path), db, "--game", "misere_nim")
    page = visit(f"{arena.page}#/rules/misere_nim")
    expect(page.get_by_text("This game brings no lesson.")).to_be_visible()


def test_shortcuts_are_listed(empty: Site, visit: Visit) -> None:
    page = visit(f"{empty.page}#/analysis")
    page.get_by_label("Number of stones").press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name="Rules").press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    assert not accessibility_violations(page)
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
