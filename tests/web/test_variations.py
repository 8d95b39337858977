"""The tree of variations, in a real browser."""

from playwright.sync_api import Locator, Page, expect

from tests.support.page.browser import Visit, settle
from tests.support.page.sites import THOUSAND, Site, is_too_wide

# Whether the box of the tree is scrolled to the current move.
IS_IN_BOX = """(() => {
    const box = document.querySelector(".variation-line");
    const outer = box.getBoundingClientRect();
    const inner = box.querySelector("[aria-current]").getBoundingClientRect();
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
})()"""


def tree(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Variations")


def current(page: Page) -> Locator:
    return tree(page).locator("[aria-current]")


def test_a_long_match_is_scrolled_to_its_position(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{THOUSAND}")
    page.get_by_role("link", name="Analyse").click()
    expect(current(page)).to_be_visible()
    settle(page)
    assert page.evaluate(IS_IN_BOX)
    tree(page).get_by_role("link", name="Start").dispatch_event("click")
    expect(current(page)).to_have_text("Start")
    settle(page)
    assert page.evaluate(IS_IN_BOX)
    assert not is_too_wide(page)


def test_a_long_line_is_wrapped(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{THOUSAND}/2")
    page.get_by_role("link", name="Analyse").click()
    expect(current(page)).to_be_visible()
    line = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"
    assert page.evaluate(f"{line}(document.querySelector('.variation-line'))")
