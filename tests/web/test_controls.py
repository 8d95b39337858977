"""Views are not crowded: few controls besides boards and lists of moves and results."""

import pytest

from tests.support.page.browser import Visit
from tests.support.page.sites import HUNDRED, Site

CONTROLS = """() => {
  const kinds = "a[href], button, input, select, textarea, summary";
  const isShown = element => element.checkVisibility();
  const isListed = element => element.closest("[role=grid], .moves, .results");
  return [...document.querySelectorAll(kinds)].filter(one => isShown(one) && !isListed(one)).length;
}"""
POSITION = "game=take_stones&stones=50&moves=3,1,6&depth=4"

# What is shown of each view, and the largest number of controls.
MOST = {
    "#/": (".results li", 25),
    f"#/match/{HUNDRED}/9": (".solver", 28),
    f"#/analysis?{POSITION}": (".disagreement p", 42),
    "#/learn": ("main [role=tree], main canvas", 36),
}


@pytest.mark.parametrize("address", MOST)
def test_a_view_has_few_controls(stored: Site, visit: Visit, address: str) -> None:
    shown, most = MOST[address]
    page = visit(stored.page + address)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator(shown).first.wait_for()
    assert page.evaluate(CONTROLS) <= most
