"""The table of all moves, and what is said about perfect play, in a real browser."""

from time import monotonic

import pytest
from playwright.sync_api import Locator, Page, expect

from arena.analysis.move_values import find_move_values
from arena.protocol.positions import FindMoveValues, MoveValue
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide
from tests.support.polling import TEST_TIMEOUT


def opened(site: Site, visit: Visit, query: str, *, phone: bool = False) -> Page:
    return visit(f"{site.page}#/analysis?{query}", phone=phone, dark=phone)


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Every move")


def rows(page: Page) -> Locator:
    return panel(page).locator("tbody tr")


def expected_values(stones: int, moves: list[int], depth: int) -> list[MoveValue]:
    request = FindMoveValues(1, "take_stones", {"stones": stones}, moves, depth)
    return [*find_move_values(request, TEST_TIMEOUT, 10**9, monotonic).values]


def text_of(value: float | None) -> str:
    assert value is not None
    return f"{value:.1f}".replace("-", "\N{MINUS SIGN}")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_each_move_has_its_values(stored: Site, visit: Visit, phone: bool) -> None:
    query = "game=take_stones&stones=20&moves=3,1,6&depth=4"
    page = opened(stored, visit, query, phone=phone)
    expected = expected_values(20, [3, 1, 6], 4)
    best = sorted(expected, key=lambda row: (not row.wins, row.value))  # for player 2
    expect(rows(page)).to_have_count(len(expected))
    for number, row in enumerate(best):
        cells = rows(page).nth(number).locator("th, td")
        expect(cells.nth(0)).to_have_text(str(row.move))
        expect(cells.nth(1)).to_have_text("wins" if row.wins else "loses")
        expect(cells.nth(2)).to_have_text(text_of(row.value))
        expect(cells.nth(3)).to_have_text(text_of(row.static))
        expect(cells.nth(4)).to_have_text(str(row.nodes_visited))
        expect(cells.nth(5)).to_have_text(" ".join(map(str, row.line)))
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_rows_appear_without_a_shift(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=take_stones&stones=1000&moves=&depth=")
    expect(panel(page)).to_contain_text("No search depth is set.")
    expect(rows(page)).to_have_count(10)
    expect(page.locator(".why")).to_contain_text("As a table")
    top = "document.querySelector('.disagreement').getBoundingClientRect().top"  # below the rows
    page.get_by_text("Game and depth").click()
    before = page.evaluate(top)
    page.get_by_label("Search depth").fill("2")
    expect(panel(page)).to_contain_text("Each move was searched alone to depth 2")
    assert page.evaluate(top) == before
