"""The reason why a position is won or lost, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from core.take_stones import Board
from core.take_stones.partners import find_partners
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide


def opened(site: Site, visit: Visit, position: str, *, phone: bool = False) -> Page:
    link = f"{site.page}#/analysis?game=take_stones&{position}&depth="
    page = visit(link, phone=phone, dark=phone)
    page.get_by_text("As a graph").click()
    return page


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_won_position_is_explained(stored: Site, visit: Visit, phone: bool) -> None:
    page = opened(stored, visit, "stones=20&moves=3,6", phone=phone)
    expected = find_partners(Board(20, [3, 6]))
    assert expected
    why = page.get_by_role("region", name="Why")
    for sentence in expected.sentences:
        expect(why).to_contain_text(sentence)
    expect(why.locator(".matching .node")).to_have_count(len(expected.nodes))
    why.get_by_text("As a table").click()
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_partners_are_side_by_side_among_many(stored: Site, visit: Visit, phone: bool) -> None:
    page = opened(stored, visit, "stones=100&moves=3,1", phone=phone)
    why = page.locator(".why")
    expected = find_partners(Board(100, [3, 1]))
    assert expected
    expect(why.locator(".matching .node")).to_have_count(len(expected.nodes))
    places = why.locator(".matching .node").evaluate_all(
        "nodes => nodes.map(node => [Number(node.dataset.move), node.offsetLeft, node.offsetTop])"
    )
    across = {move: left for move, left, _ in places}
    down = {move: top for move, _, top in places}
    for one, other in expected.pairs:
        assert down[one] == down[other]
        assert abs(across[one] - across[other]) == 44
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
