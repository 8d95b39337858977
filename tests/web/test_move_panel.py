"""The table of all moves in a real browser."""

from playwright.sync_api import Locator, Page, expect

from tests.support.page.browser import Visit, settle
from tests.support.page.sites import Site


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Every move")


def test_rows_appear_without_a_shift(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=1000&moves=&depth=")
    expect(panel(page)).to_contain_text("No search depth is set.")
    expect(panel(page).locator("tbody tr")).to_have_count(10)
    expect(page.locator(".why")).to_contain_text("As a table")
    top = "document.querySelector('.disagreement').getBoundingClientRect().top"  # below the rows
    page.get_by_text("Game and depth").click()
    settle(page)  # the board leaves room for the form
    before = page.evaluate(top)
    page.get_by_label("Search depth").fill("2")
    expect(panel(page)).to_contain_text("Each move was searched alone to depth 2")
    settle(page)
    assert page.evaluate(top) == before
