"""Views while they load, in a real browser: nothing moves when the data arrives."""

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import Visit
from tests.support.page.sites import Site

# A layout is stable below 0.1 by https://web.dev/articles/cls.
LAYOUT_SHIFT = """() => {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "layout-shift", buffered: true });
  return observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
}"""
CONTENT = {
    "": ".results li",
    "#/tables": ".standings tbody tr",
    "#/games": ".played-games li",
    "#/bot/ann": ".results li",
}


@pytest.mark.parametrize("address", CONTENT, ids=["lobby", "standings", "matches", "bot"])
def test_nothing_moves_when_a_view_is_loaded(stored: Site, visit: Visit, address: str) -> None:
    page = visit(stored.page + address, phone=True)
    expect(page.locator(CONTENT[address]).first).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)
    assert page.evaluate(LAYOUT_SHIFT) < 0.05
