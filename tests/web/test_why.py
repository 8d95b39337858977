"""The reason why a position is won or lost, in a real browser."""

import pytest
from playwright.sync_api import expect

from core.take_stones import Board
from core.take_stones.partners import find_partners
from tests.support.page.browser import Visit
from tests.support.page.sites import Site, check_layout


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize(("stones", "moves"), [(20, [3, 6]), (100, [3, 1])])
def test_a_position_is_explained(
    stored: Site, visit: Visit, stones: int, moves: list[int], phone: bool
) -> None:
    position = f"game=take_stones&stones={stones}&moves={moves[0]},{moves[1]}&depth="
    page = visit(f"{stored.page}#/analysis?{position}", phone=phone, dark=phone)
    page.get_by_text("As a graph").click()
    expected = find_partners(Board(stones, moves))
    assert expected
    why = page.get_by_role("region", name="Why")
    for sentence in expected.sentences:
        expect(why).to_contain_text(sentence)
    expect(why.locator(".matching .node")).to_have_count(len(expected.nodes))
    why.get_by_text("As a table").click()
    check_layout(page)
