"""Pages on paper, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.grading.reports.pages import student_html, teacher_html
from tests.support.grading.grades import graded, record
from tests.support.grading.misreadings import DepthPrintedFromOne
from tests.support.page.browser import Visit
from tests.support.page.sites import HUNDRED, ISOLATION, SEVEN, Site

A4 = {"width": 718, "height": 1000}  # pixels without the margins
VIEWS = [
    ("", ".results li"),
    ("#/tables", ".standings tbody tr"),
    ("#/games", ".played-games li"),
    (f"#/match/{SEVEN}", ".moves [aria-current]"),
    (f"#/match/{HUNDRED}", ".moves [aria-current]"),
    (f"#/match/{ISOLATION}", ".moves [aria-current]"),
    (f"#/puzzles/{HUNDRED}/2", ".interactive .legal"),
    ("#/bot/ann", ".bot-numbers dd"),
]

# What a printer would cut: elements beyond the right edge, and content that is scrolled.
CUT = """() => {
  const isShown = element => element.checkVisibility() && element.getClientRects().length;
  const name = element => `${element.localName}.${element.className}`;
  const isOutside = element => element.getBoundingClientRect().right > innerWidth + 1;
  const isScrolled = element =>
    getComputedStyle(element).overflowX !== "visible" &&
    !element.closest(".name, .vertical, .hidden-text, .player, .meeting, .entrant") &&
    element.scrollWidth > element.clientWidth + 1;
  return [...document.querySelectorAll("body *")]
    .filter(element => !element.closest(".hidden-text, svg") && isShown(element))
    .filter(element => isOutside(element) || isScrolled(element))
    .map(name);
}"""
CONTROLS = "header.top, button:not(.sort), input, select, form, .replay"


def print_page(page: Page) -> None:
    page.emulate_media(media="print")
    page.set_viewport_size(A4)  # type: ignore[arg-type]


@pytest.mark.parametrize(("address", "shown"), VIEWS)
def test_a_view_is_printed_whole_and_without_controls(
    stored: Site, visit: Visit, address: str, shown: str
) -> None:
    page = visit(stored.page + address, dark=True)
    expect(page.locator(shown).first).to_be_visible()
    print_page(page)
    expect(page.locator(CONTROLS).locator("visible=true")).to_have_count(0)
    assert page.evaluate(CUT) == []
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == "rgb(255, 255, 255)"


def test_reports_of_the_grading_are_printed_whole(tmp_path: Path, visit: Visit) -> None:
    grade = graded(record("bob", DepthPrintedFromOne))
    pages = {"student": student_html(grade, None), "teacher": teacher_html([grade], [])}
    for name, text in pages.items():
        file = tmp_path / f"{name}.html"
        file.write_text(text)
        page = visit(file.as_uri())
        print_page(page)
        assert page.evaluate(CUT) == []
