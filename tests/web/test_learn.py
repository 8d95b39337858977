"""A search, step by step, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from arena.teaching import VARIANTS, Names, run, steps, trace
from arena.teaching.notation import parse_tree
from core.search import search
from core.take_stones import Board
from tests.support.page.browser import Visit, accessibility_violations, settle
from tests.support.page.sites import Site, check_layout

ALPHA, MINUS = "\u03b1", "\u2212"
TREE = "((5 9 7) (4 6 8) (2 11 3))"
LINK = f"#/learn?tree={TREE}".replace(" ", "+")
GAME = "#/learn?game=take_stones&stones=20&moves=3,1,6&depth=3"
EVENTS = [*trace(parse_tree(TREE))]
WORDS = [
    step.words.replace(" -", f" {MINUS}")
    for step in steps(EVENTS, VARIANTS["alpha-beta"], Names.of(parse_tree(TREE)))
]
CUTOFFS = [at for at, event in enumerate(EVENTS, 1) if type(event).__name__ == "Cutoff"]


def sentence(page: Page) -> Locator:
    return page.locator(".step-text")


def counter(page: Page) -> Locator:
    return page.locator(".counter")


def is_at(page: Page, step: int) -> None:
    """Wait until the page shows the tree after a number of steps."""
    expect(counter(page)).to_have_text(f"{step} / {len(EVENTS)}")
    if step:
        expect(sentence(page)).to_have_text(WORDS[step - 1])


def press(page: Page, key: str) -> None:
    page.keyboard.press(key)


def click(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_position_is_searched_step_by_step(stored: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{stored.page}{GAME}&step=60", phone=phone, dark=phone)
    expect(sentence(page)).to_have_text(
        f"2-14-7 gives 2-14 the value {MINUS}1: v becomes {MINUS}1."
    )
    expect(page.locator(".code [aria-current]")).to_have_text(
        f"v = min(v, max_value(child, {ALPHA}, β))"
    )
    expect(page.locator(".path [aria-current]")).to_contain_text("14")
    expect(page.locator(".stone.taken")).to_have_count(5)
    check_layout(page)
    press(page, "End")
    found = search(Board(20, [3, 1, 6]), 3)
    visited, evaluated = page.locator(".counts dd b").all_text_contents()[:2]
    assert (visited, evaluated) == (str(found.nodes_visited), str(found.nodes_evaluated))
    minimax = run(Board(20, [3, 1, 6]), 3).minimax
    assert minimax
    expect(page.locator(".counts")).to_contain_text(f"Minimax would visit {minimax.visited} nodes")


def drawing(page: Page) -> str:
    """Return the picture of the tree, when it has been drawn."""
    settle(page)
    return str(page.evaluate("document.querySelector('.tree').toDataURL()"))


def test_the_tree_is_zoomed_moved_and_collapsed(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}{LINK}&step={CUTOFFS[0]}")
    is_at(page, CUTOFFS[0])
    whole = drawing(page)
    tree = page.locator("canvas.tree")
    tree.hover()
    page.mouse.wheel(0, -400)
    larger = drawing(page)
    page.mouse.down()
    page.mouse.move(300, 300)
    page.mouse.up()
    moved = drawing(page)
    assert len({whole, larger, moved}) == 3
    click(page, "Whole tree")
    assert drawing(page) == whole
    for key in ("c", "c", "+", "-"):
        before = drawing(page)
        press(page, key)
        assert drawing(page) != before
    press(page, "0")
    box = tree.bounding_box()
    assert box
    tree.click(position={"x": box["width"] / 2, "y": box["height"] * 0.42})  # C, in the middle
    is_at(page, CUTOFFS[0] + 1)


def test_the_tree_is_saved_as_files(stored: Site, visit: Visit, tmp_path: Path) -> None:
    page = visit(f"{stored.page}{GAME}&step=60")
    page.get_by_label("Boards in the nodes").check()
    for name, start in (("SVG", b"<svg "), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            click(page, name)
        path = tmp_path / name
        download.value.save_as(path)
        assert path.read_bytes().startswith(start)
    text = (tmp_path / "SVG").read_text()
    assert f"{ALPHA} 0.6  β ∞" in text  # of the node 2-14
    assert text.count("<image ") > 10
    assert 'stroke-dasharray="4 4"' in text  # of what was cut off


def test_the_question_is_in_view_on_a_phone(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}{LINK}&step={CUTOFFS[0] - 3}", phone=True)
    page.get_by_role("switch", name="Practice").check()
    expect(page.locator("canvas.tree")).to_be_in_viewport(ratio=0.99)  # parts of pixels are lost
    page.get_by_role("button", name="Next step").click()
    form = page.get_by_role("form", name="Practice")
    expect(form).to_be_in_viewport()
    press(page, "ArrowRight")  # to the question, not past it
    expect(form.get_by_role("textbox")).to_be_focused()
    assert not accessibility_violations(page)
