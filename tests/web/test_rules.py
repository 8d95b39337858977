"""The rules, the marks and the keyboard shortcuts, in a real browser."""

import re

from playwright.sync_api import Page, expect

from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site


def status(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator(".lesson-status")).to_have_text(text)


def test_the_rules_are_learnt_by_playing(empty: Site, visit: Visit) -> None:
    page = visit(f"{empty.page}#/rules")
    status(page, "Your move: odd and below 6.")
    assert not accessibility_violations(page)
    page.get_by_label("Show the winning moves").check()
    expect(page.locator(".stone.winning")).to_have_text("5")
    winning = page.locator(".interactive .winning")
    end = page.locator(".lesson-status", has_text="You win!")
    while not end.is_visible():
        winning.first.click()
        expect(winning.or_(end).first).to_be_visible()
    status(page, re.compile(r"keeps the win\. You win! Player 1 wins: player 2 cannot move\.$"))


def test_shortcuts_are_listed(empty: Site, visit: Visit) -> None:
    page = visit(f"{empty.page}#/analysis")
    page.get_by_label("Number of stones").press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name="Learn").press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    assert not accessibility_violations(page)
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
