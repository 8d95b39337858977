"""The board is in view in windows of all sizes: nothing that stays at the bottom covers a stone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit
from tests.support.page.sites import Site, is_too_wide, random_game, site, store_match
from tests.support.polling import wait_until
from tests.support.servers.arena_command import launcher

WINDOWS = [(320, 568), (360, 740), (390, 844), (844, 390), (640, 360), (1280, 720), (1440, 900)]
STONES = [10, 20, 30, 50, 100, 1000]

# The number of stones that are outside the window or under a bar. A board that scrolls counts as
# one, as its stones would be too small otherwise.
HIDDEN = """() => {
  const box = element => element.getBoundingClientRect();
  const isSticky = element => getComputedStyle(element).position === "sticky";
  const shown = [...document.querySelectorAll("[role=gridcell], .board-scroller.scrolls")]
    .filter(element => element.checkVisibility() && !element.closest(".scrolls [role=grid]"));
  const bars = [...document.querySelectorAll("[data-dock]")]
    .filter(bar => bar.checkVisibility() && isSticky(bar));
  const end = Math.min(innerHeight, ...bars.map(bar => box(bar).top));
  return shown.filter(cell => box(cell).top < 0 || box(cell).bottom > end + 1).length;
}"""


PUZZLES = {10: 1, 20: 7, 30: 2, 50: 4, 100: 11}  # by the number of stones: a ply of a puzzle
SEED = 4  # of matches with these puzzles


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with a match for each number of stones, whose id is the place in STONES."""
    db = tmp_path_factory.mktemp("room") / "arena.db"
    with DatabaseWriter(db) as writer:
        for stones in STONES:
            setup = {"stones": stones}
            moves = random_game("take_stones", setup, SEED)
            store_match(writer, ("ann", "bob"), "take_stones", setup, moves)
    with launcher() as launch:
        yield site(launch, db)


def check_room(page: Page, what: str) -> None:
    expect(page.locator("[role=gridcell]").first).to_be_visible()
    wait_until(lambda: not page.evaluate(HIDDEN), what)
    assert not is_too_wide(page), what


@pytest.mark.parametrize(
    "window", WINDOWS, ids=[f"{width} by {height}" for width, height in WINDOWS]
)
def test_no_stone_is_hidden(arena: Site, visit: Visit, window: tuple[int, int]) -> None:
    page = visit(arena.page)
    page.set_viewport_size({"width": window[0], "height": window[1]})
    for match, stones in enumerate(STONES, 1):
        for view, part in (
            (f"match/{match}/1", ".replay"),
            (f"analysis?game=take_stones&stones={stones}&moves=3", ".analysed-board .stone"),
        ):
            page.goto(f"{arena.page}#/{view}")
            page.locator(part).first.wait_for()
            check_room(page, view)
        page.goto(f"{arena.page}#/play?opponent=random&game=take_stones&side=1&stones={stones}")
        page.get_by_role("button", name="Play", exact=True).click()
        page.locator(".interactive").wait_for()
        check_room(page, "play")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        page.locator(".state-line:not(.is-live)").wait_for()
        check_room(page, "the end")


@pytest.mark.parametrize(
    "window", WINDOWS, ids=[f"{width} by {height}" for width, height in WINDOWS]
)
def test_no_stone_of_a_puzzle_is_hidden(arena: Site, visit: Visit, window: tuple[int, int]) -> None:
    page = visit(arena.page)
    page.set_viewport_size({"width": window[0], "height": window[1]})
    for stones, ply in PUZZLES.items():
        page.goto(f"{arena.page}#/puzzles/{1 + STONES.index(stones)}/{ply}")
        page.locator(".puzzle-board .interactive").wait_for()
        check_room(page, f"a puzzle of {stones} stones")


def test_no_stone_is_hidden_in_a_frame(arena: Site, visit: Visit) -> None:
    page = visit(arena.page)
    page.set_viewport_size({"width": 480, "height": 800})  # as Copy: Frame has it
    for match, _ in enumerate(STONES, 1):
        page.goto(f"{arena.page}embed/#/match/{match}/1")
        page.locator(".replay").wait_for()
        check_room(page, "frame")
