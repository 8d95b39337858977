from xml.etree import ElementTree

from arena.teaching.practice import Positions, Sheet, Trees, exercises
from arena.teaching.practice.html import render
from core import GAMES

SMALL = [*exercises(Trees(depth=2), 2, seed=1)]
POSITIONS = [*exercises(Positions(GAMES["take_stones"], {"stones": 10}), 1, seed=1)]


def parsed(page: str) -> ElementTree.Element:
    """Return a page, whose elements without an end are closed first."""
    head, body = page.split("</head>")
    return ElementTree.fromstring(f"<html>{body}") if head else ElementTree.Element("html")


def headings(page: str) -> list[str]:
    return [heading.text or "" for heading in parsed(page).iter("h2")]


def test_a_sheet_has_the_exercises_and_an_example() -> None:
    page = render(Sheet("Title", SMALL))
    assert headings(page) == ["Example", "Exercise 1", "Exercise 2"]
    assert page.count("<svg") == 3
    assert page.count('class="line"') == 3 * 2
    assert "<span>Name</span>" in page
    assert SMALL[0].task.source not in page


def test_solutions_have_the_answers() -> None:
    page = render(Sheet("Title", SMALL, has_solutions=True, footer="Made with: x"))
    assert headings(page) == ["Solution 1", "Solution 2"]
    assert "<span>Name</span>" not in page
    assert 'class="line"' not in page
    assert SMALL[0].task.source in page
    assert "Yes: both give the root the value" in page
    assert "<footer>Made with: x</footer>" in page


def test_paper_and_footers() -> None:
    assert "<footer>" not in render(Sheet("Title", SMALL, footer="Made with: x"))
    assert "<footer>" not in render(Sheet("Title", SMALL, has_solutions=True))
    assert "@page { size: a4; margin" in render(Sheet("Title", SMALL))
    wide = [*exercises(Trees(branching=(3, 3)), 1, seed=1)]
    page = render(Sheet("Title", wide, paper="letter"))
    assert "@page { size: letter landscape; margin" in page


def test_positions_are_shown_as_text() -> None:
    page = render(Sheet("Title", POSITIONS))
    assert f"<pre>{POSITIONS[0].task.board}</pre>" in page
    assert 'class="whole"' in page
    solved = render(Sheet("Title", POSITIONS, has_solutions=True))
    assert '<dd class="list">' in solved
    assert "\n<section>\n" in solved


def test_the_page_loads_nothing_and_escapes_the_title() -> None:
    page = render(Sheet("Title", SMALL))
    assert "url(" not in page
    assert "href" not in page
    assert "src=" not in page
    page = render(Sheet("</title><script>", SMALL))
    assert "<script" not in page
    assert "<h1>&lt;/title&gt;&lt;script&gt;</h1>" in page
