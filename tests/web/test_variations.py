"""The tree of variations, in a real browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import SEVEN, THOUSAND, Site, is_too_wide

# Whether the box of the tree is scrolled to the current move.
IS_IN_BOX = """(() => {
    const box = document.querySelector(".variation-line");
    const outer = box.getBoundingClientRect();
    const inner = box.querySelector("[aria-current]").getBoundingClientRect();
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
})()"""


def tree(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Variations")


def tried(page: Page) -> Locator:
    return tree(page).locator(".tried")


def current(page: Page) -> Locator:
    return tree(page).locator("[aria-current]")


def play(page: Page, stone: int) -> None:
    page.get_by_role("gridcell", name=f"stone {stone}, free, legal").click()
    expect(page.get_by_label("Moves", exact=True)).to_have_value(re.compile(rf"\b{stone}$"))
    expect(current(page)).to_have_text(str(stone))


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_variations_of_a_match(stored: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{stored.page}#/match/{SEVEN}/2", phone=phone, dark=phone)
    page.get_by_role("link", name="Analyse").click()
    main_line = ["1.3", "6", "2.2", "4", "3.1", "5"]
    expect(tried(page)).to_have_text(main_line)
    expect(current(page)).to_have_text("6")
    play(page, 1)
    expect(tree(page).locator("ul .tried")).to_have_text(["2.1"])
    play(page, 5)
    expect(tree(page).locator("ul .tried")).to_have_text(["2.1", "5"])
    expect(tried(page)).to_have_text(["1.3", "6", "2.2", "2.1", "5", "2…4", "3.1", "5"])
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
    page.reload()
    expect(tree(page).locator("ul .tried")).to_have_text(["2.1", "5"])
    expect(current(page)).to_have_text("5")
    tree(page).get_by_role("link", name="4", exact=True).click()
    expect(page).to_have_url(re.compile(r"moves=3,6,2,4&"))


def test_a_long_match_is_scrolled_to_its_position(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{THOUSAND}")
    page.get_by_role("link", name="Analyse").click()
    expect(current(page)).to_be_visible()
    assert page.evaluate(IS_IN_BOX)
    tree(page).get_by_role("link", name="Start").dispatch_event("click")
    expect(current(page)).to_have_text("Start")
    assert page.evaluate(IS_IN_BOX)
    assert not is_too_wide(page)


def test_a_long_line_is_wrapped(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{THOUSAND}/2")
    page.get_by_role("link", name="Analyse").click()
    expect(current(page)).to_be_visible()
    line = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"
    assert page.evaluate(f"{line}(document.querySelector('.variation-line'))")
