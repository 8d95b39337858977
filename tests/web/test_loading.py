"""Views while they load, in a real browser: nothing moves when the data arrives."""

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import Visit
from tests.support.page.sites import ISOLATION, SEVEN, THOUSAND, Site

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
    f"#/match/{THOUSAND}": ".stone.last",
    "#/rules": ".lesson .stone.legal",
    "#/learn": ".tree",
    f"embed/#/match/{SEVEN}": ".stone.last",
    f"embed/#/match/{THOUSAND}": ".stone.last",
    f"embed/#/match/{ISOLATION}": ".players, .player",
}


@pytest.mark.parametrize("address", CONTENT)
def test_nothing_moves_when_a_view_is_loaded(stored: Site, visit: Visit, address: str) -> None:
    page = visit(stored.page + address, phone=True)
    expect(page.locator(CONTENT[address]).first).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)
    assert page.evaluate(LAYOUT_SHIFT) < 0.05


@pytest.mark.parametrize("address", ["", "#/tables", f"#/match/{THOUSAND}", f"match/{THOUSAND}"])
def test_no_file_is_asked_for_by_a_script(stored: Site, visit: Visit, address: str) -> None:
    page = visit(stored.page + address)
    content = CONTENT[f"#/match/{THOUSAND}" if "match" in address else address]
    expect(page.locator(content).first).to_be_visible()
    late = page.evaluate(
        """() => {
          const named = [...document.querySelectorAll("link, script[src]")];
          const addresses = named.map(({ href, src }) => href ?? src);
          return performance.getEntriesByType("resource").map(({ name }) => name)
            .filter(name => /[.](js|css)$/.test(name) && !addresses.includes(name));
        }"""
    )
    assert late == []
