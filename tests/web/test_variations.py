"""The tree of variations, in a real browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import SEVEN, SHORT, THOUSAND, Site, is_too_wide

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
    expect(page.get_by_label("Moves", exact=True)).to_have_value("3 6 2 4")
    link = tree(page).locator("ul a").last.get_attribute("href")
    assert link
    assert "moves=3,6,1,5&" in link
    expect(page).to_have_url(re.compile(r"moves=3,6,2,4&"))


def test_a_match_keeps_its_variations(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{SEVEN}/2")
    page.get_by_role("link", name="Analyse").click()
    expect(current(page)).to_have_text("6")
    play(page, 1)
    page.goto(f"{stored.page}#/match/{SEVEN}/{len(SHORT)}")
    page.get_by_role("link", name="Analyse").click()
    expect(current(page)).to_have_text("5")
    expect(tree(page).locator("ul .tried")).to_have_text(["2.1"])
    # Another game begins another tree.
    page.goto(f"{stored.page}#/analysis?game=take_stones&stones=7&moves=1&then=2,4")
    expect(tried(page)).to_have_text(["1.1", "2", "2.4"])


def test_the_tree_is_used_with_keys(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=7&moves=3,6&depth=")
    expect(current(page)).to_have_text("6")
    for moves in ("3 6 2", "3 6 1", "3 1"):
        page.get_by_label("Moves", exact=True).fill(moves)
        page.keyboard.press("Enter")
        expect(current(page)).to_have_text(moves[-1])
    expect(tried(page)).to_have_text(["1.3", "6", "1…1", "2.2", "2.1"])
    page.locator("h1").click()  # the keys are for the field otherwise
    moves_field = page.get_by_label("Moves", exact=True)
    for key, text in (
        ("ArrowUp", "3 6"),
        ("ArrowRight", "3 6 2"),
        ("ArrowDown", "3 6 1"),
        ("ArrowDown", "3 6 1"),
        ("ArrowUp", "3 6 2"),
        ("ArrowLeft", "3 6"),
        ("ArrowLeft", "3"),
        ("ArrowLeft", ""),
        ("ArrowLeft", ""),
    ):
        page.keyboard.press(key)
        expect(moves_field).to_have_value(text)
    expect(current(page)).to_have_text("Start")
    page.keyboard.press("Control+ArrowRight")  # of the browser
    expect(current(page)).to_have_text("Start")


def test_a_variation_is_deleted(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=7&moves=3,6,2&depth=")
    expect(current(page)).to_have_text("2")
    page.get_by_role("button", name="Undo").click()
    expect(current(page)).to_have_text("6")
    play(page, 1)
    page.get_by_role("button", name="Delete from 1 on").click()
    expect(page.get_by_label("Moves", exact=True)).to_have_value("3 6")
    expect(tried(page)).to_have_text(["1.3", "6", "2.2"])
    page.get_by_role("button", name="Delete from 6 on").click()
    expect(tried(page)).to_have_text(["1.3"])
    page.get_by_role("button", name="Delete from 3 on").click()
    expect(tree(page)).to_be_hidden()
    expect(page).to_have_url(re.compile("moves=&"))
    page.reload()
    expect(page.locator(".answer")).to_contain_text("Player 1 to move")
    expect(tree(page)).to_be_hidden()


def test_beginnings_of_a_typed_line_are_not_kept(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=40&moves=3&depth=")
    expect(tried(page)).to_have_text(["1.3"])
    field = page.get_by_label("Moves", exact=True)
    field.fill("3 1")
    expect(page.locator(".answer")).to_contain_text("Player 1 to move")
    expect(tried(page)).to_have_text(["1.3"])
    field.fill("3 15")
    expect(page.locator(".stone.last")).to_contain_text("15")
    expect(tried(page)).to_have_text(["1.3"])
    page.keyboard.press("Enter")
    expect(tried(page)).to_have_text(["1.3", "15"])


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


def test_a_damaged_tree_is_dropped(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=7&moves=3,6&depth=")
    expect(tried(page)).to_have_text(["1.3", "6"])
    key = "sessionStorage.getItem('analysed-variations').split('\\n')[0]"
    page.evaluate(f"sessionStorage.setItem('analysed-variations', {key} + '\\n[[9, 1]]')")
    page.reload()
    expect(tried(page)).to_have_text(["1.3", "6"])
