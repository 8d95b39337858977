"""The analysis of positions, in a real browser."""

import pytest
from playwright.sync_api import expect

from core.search import search
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.page.browser import Visit, accessibility_violations, settle
from tests.support.page.sites import Site, check_layout


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_position_is_analysed(stored: Site, visit: Visit, phone: bool) -> None:
    link = f"{stored.page}#/analysis?game=take_stones&stones=20&moves=3,1,6&depth=4"
    page = visit(link, phone=phone, dark=phone)
    board = Board(20, [3, 1, 6])
    found, answer = search(board, 4), page.locator(".answer")
    expect(answer).to_contain_text("largest prime factor")
    expect(answer).to_contain_text(f"{found.nodes_visited}")
    winning = solve(board).winning_moves
    assert winning
    expect(answer.locator(".legal-moves")).to_contain_text("factor of 6")
    expect(answer.get_by_text("wins").first).to_be_attached()
    expect(page.locator(".stone.winning")).to_have_count(len(winning))
    expect(page.locator(".disagreement p").first).to_be_visible()
    check_layout(page)
    page.get_by_label("Moves").fill("3 4")
    expect(answer.locator(".problem")).to_contain_text("Illegal move 2")
    assert not accessibility_violations(page)
    page.get_by_label("Moves").fill("3")
    page.get_by_role("gridcell", name="stone 6, free, legal").click()
    expect(page.get_by_label("Moves")).to_have_value("3 6")


def test_the_page_ends_with_the_analysis(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=1000&moves=1&depth=")
    expect(page.locator(".legal-moves > .hint")).to_have_count(3)
    settle(page)
    ends = (
        "[...document.querySelectorAll('.analysis > *')].map(e => e.getBoundingClientRect().bottom)"
    )
    empty = page.evaluate(f"document.documentElement.scrollHeight - Math.max(...{ends})")
    assert empty < 100
