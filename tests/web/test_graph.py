"""The graph as a second view of a position, in a real browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from core.take_stones import Board
from core.take_stones.partners import find_partners
from tests.support.page.browser import Visit, settle
from tests.support.page.sites import HUNDRED, THOUSAND, Site, check_layout, random_game

SIZES = pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])


def opened(visit: Visit, url: str, *, phone: bool = False) -> Page:
    """Open a page and choose the graph."""
    page = visit(url, phone=phone, dark=phone)
    choose(page, "Graph")
    return page


def choose(page: Page, view: str) -> None:
    page.locator(".view-choice").get_by_text(view).click()


def stone(page: Page, number: int) -> Locator:
    name = re.compile(rf"^stone {number},")
    return page.locator(".stone-graph").get_by_role("gridcell", name=name)


def edges(page: Page, kind: str) -> int:
    """Return the number of edges that are drawn."""
    drawn = page.locator(f".graph-{kind}").get_attribute("d") or ""
    return drawn.count("M")


@SIZES
def test_a_switch_changes_the_view_and_moves_nothing_else(
    stored: Site, visit: Visit, phone: bool
) -> None:
    page = visit(f"{stored.page}#/match/{HUNDRED}/9", phone=phone)
    others = [page.locator(name) for name in (".view-choice", ".match-side .moves", "h1")]
    page.locator(".stone.winning, .stone.legal").first.wait_for()
    settle(page)
    before = [other.bounding_box() for other in others]
    choose(page, "Graph")
    expect(page.get_by_role("button", name="Graph", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator(".stone-graph .last")).to_be_visible()
    expect(page.get_by_role("grid")).to_have_count(1)  # the board is hidden
    settle(page)
    assert [other.bounding_box() for other in others] == before
    choose(page, "Board")
    expect(page.get_by_role("grid", name="row by row")).to_be_visible()
    expect(page.locator(".stone-graph")).to_be_hidden()
    settle(page)
    assert [other.bounding_box() for other in others] == before


@SIZES
def test_a_thousand_stones(stored: Site, visit: Visit, phone: bool) -> None:
    page = opened(visit, f"{stored.page}#/match/{THOUSAND}/5", phone=phone)
    expect(page.locator(".stone-graph .winning").first).to_be_visible()
    assert edges(page, "edges") == 0  # too many to be told apart
    expect(page.locator(".graph-pairs")).to_have_attribute("d", re.compile("M"))
    moves = random_game("take_stones", {"stones": 1000}, 1)  # as it is stored
    found = find_partners(Board(1000, moves[:5]))
    assert found
    assert edges(page, "pairs") == len(found.pairs)
    check_layout(page)
