"""The graph as a second view of a position, in a real browser."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from core.take_stones import Board
from core.take_stones.partners import find_partners
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import (
    HUNDRED,
    ISOLATION,
    SEVEN,
    SHORT,
    THOUSAND,
    Site,
    is_too_wide,
    random_game,
)

SIZES = pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])


def opened(visit: Visit, url: str, *, phone: bool = False) -> Page:
    """Open a page and choose the graph."""
    page = visit(url, phone=phone, dark=phone)
    choose(page, "Graph")
    return page


def choose(page: Page, view: str) -> None:
    page.locator(".view-choice").get_by_text(view).click()


def analysed(site: Site, stones: int, *moves: int) -> str:
    position = f"stones={stones}&moves={','.join(map(str, moves))}"
    return f"{site.page}#/analysis?game=take_stones&{position}&depth="


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
    before = [other.bounding_box() for other in others]
    choose(page, "Graph")
    expect(page.get_by_role("button", name="Graph", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator(".stone-graph .last")).to_be_visible()
    expect(page.get_by_role("grid")).to_have_count(1)  # the board is hidden
    assert [other.bounding_box() for other in others] == before
    choose(page, "Board")
    expect(page.get_by_role("grid", name="row by row")).to_be_visible()
    expect(page.locator(".stone-graph")).to_be_hidden()
    assert [other.bounding_box() for other in others] == before


def test_the_choice_is_kept(stored: Site, visit: Visit) -> None:
    page = opened(visit, f"{stored.page}#/match/{SEVEN}")
    page.reload()
    expect(page.get_by_role("button", name="Graph", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("grid", name=re.compile("^Graph of 7 stones"))).to_be_visible()


def test_a_game_without_a_graph_has_no_switch(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{ISOLATION}")
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.locator(".view-choice")).to_have_count(0)


def test_a_graph_that_fails_leaves_the_board(stored: Site, visit: Visit) -> None:
    visit.expect_error("The graph cannot be created")
    page = visit(f"{stored.page}#/rules")
    broken = "export class Graph { constructor() { throw new Error('broken'); } }"
    script = "text/javascript"
    page.route("**/graph.js", lambda route: route.fulfill(body=broken, content_type=script))
    page.goto(f"{stored.page}#/match/{SEVEN}")
    page.reload()
    choose(page, "Graph")
    expect(page.get_by_role("grid", name="row by row")).to_be_visible()
    expect(page.get_by_role("button", name="Board", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


@SIZES
def test_stones_are_in_rows_by_their_prime_factors(stored: Site, visit: Visit, phone: bool) -> None:
    page = opened(visit, analysed(stored, 50), phone=phone)
    expect(page.locator(".stone-graph .legal")).to_have_count(12)  # odd and below 25
    places = page.locator(".stone-graph .stone").evaluate_all(
        "cells => cells.map(cell => [cell.textContent, cell.getBoundingClientRect().top])"
    )
    found = find_partners(Board(50))
    assert found
    heights: dict[int, list[float]] = {}
    tops = {int(number): top for number, top in places}
    for node in found.nodes:
        heights.setdefault(node.row, []).append(tops[node.move])
    rows = [heights[row] for row in sorted(heights)]
    assert all(min(lower) > max(row) for row, lower in pairwise(rows))
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_a_stone_stays_where_it_is(stored: Site, visit: Visit) -> None:
    page = opened(visit, f"{stored.page}#/match/{SEVEN}/0")
    expect(page.locator(".stone-graph .legal")).to_have_count(2)
    places = [stone(page, number).bounding_box() for number in range(1, 8)]
    for number in SHORT:
        page.keyboard.press("ArrowRight")
        expect(stone(page, number)).to_have_class(re.compile(r"\blast\b"))
    assert [stone(page, number).bounding_box() for number in range(1, 8)] == places


@SIZES
def test_a_stone_is_taken_on_the_graph(stored: Site, visit: Visit, phone: bool) -> None:
    page = opened(visit, analysed(stored, 20, 3), phone=phone)
    expect(page.locator(".stone-graph .legal")).to_have_count(6)  # 1, 6, 9, 12, 15 and 18
    stone(page, 7).click()
    expect(page.get_by_text("7 is neither a factor nor a multiple of 3.")).to_be_visible()
    stone(page, 6).click()
    expect(page.get_by_label("Moves")).to_have_value("3 6")
    expect(stone(page, 6)).to_have_class(re.compile(r"\blast\b"))
    expect(stone(page, 3)).to_have_attribute("aria-label", "stone 3, taken by player 1 as move 1")


def test_the_graph_is_operated_with_the_keyboard(stored: Site, visit: Visit) -> None:
    page = opened(visit, analysed(stored, 20, 3))
    expect(page.locator(".stone-graph .legal")).to_have_count(6)
    stone(page, 1).focus()
    # The row of 1 has one stone, that of the primes is 2, 3, 5 and so on, up to 19.
    steps = [("ArrowUp", 1), ("ArrowRight", 2), ("End", 19), ("ArrowRight", 4), ("Home", 4)]
    for key, number in [*steps, ("ArrowLeft", 19), ("Home", 2), ("ArrowLeft", 1), ("n", 6)]:
        page.keyboard.press(key)
        expect(stone(page, number)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(stone(page, 8)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(stone(page, 8)).not_to_be_focused()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Moves")).to_have_value("3 1")


def test_the_edges_of_the_stone_that_is_pointed_at(stored: Site, visit: Visit) -> None:
    page = opened(visit, analysed(stored, 20, 3))
    expect(page.locator(".stone-graph .legal")).to_have_count(6)
    assert edges(page, "legal") == 6
    stone(page, 10).hover()
    expect(page.locator(".stone-graph .near")).to_have_text(["1", "2", "5", "20"])
    assert edges(page, "near") == 4
    page.locator("h1").hover()
    expect(page.locator(".stone-graph .near")).to_have_count(0)
    stone(page, 15).focus()
    expect(page.locator(".stone-graph .near")).to_have_text(["1", "5"])  # 3 is taken


def test_the_matching_is_drawn_with_the_spoilers(stored: Site, visit: Visit) -> None:
    page = opened(visit, f"{stored.page}#/match/{SEVEN}/1")
    found = find_partners(Board(7, SHORT[:1]))
    assert found
    assert found.answer
    expect(stone(page, found.answer)).to_have_class(re.compile(r"\breply\b"))
    label = re.compile(f"wins, partner {SHORT[0]}$")
    expect(stone(page, found.answer)).to_have_attribute("aria-label", label)
    assert edges(page, "pairs") == len(found.pairs)
    assert edges(page, "reply") == 1
    expect(page.get_by_text("Thick lines join partners")).to_be_visible()
    page.get_by_label("Show who is winning").uncheck()
    expect(page.locator(".stone-graph .reply")).to_have_count(0)
    expect(page.get_by_text("Thick lines join partners")).to_be_hidden()
    assert edges(page, "pairs") == edges(page, "reply") == 0


def test_the_matching_of_the_analysis_is_drawn(stored: Site, visit: Visit) -> None:
    page = opened(visit, analysed(stored, 20, 3, 6))
    found = find_partners(Board(20, [3, 6]))
    assert found
    assert found.answer
    expect(stone(page, found.answer)).to_have_class(re.compile(r"\breply\b"))
    assert edges(page, "pairs") == len(found.pairs)


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
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_a_finger_may_miss_a_tiny_legal_stone(stored: Site, visit: Visit) -> None:
    page = opened(visit, analysed(stored, 1000, 487), phone=True)
    expect(page.locator(".stone-graph .legal")).to_have_count(2)  # 1 and 974
    near = page.locator(".stone-graph .stone:has(+ .legal)")
    near.tap()
    expect(page.get_by_label("Moves")).to_have_value("487 974")
