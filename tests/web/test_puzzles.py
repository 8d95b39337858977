"""Puzzles from stored matches, in a real browser."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, random_game, site, store_match
from tests.support.servers.arena_command import launcher
from tests.web.test_loading import LAYOUT_SHIFT

STONES = "take_stones"
# On 20 stones: after five moves player 2 missed 12. Then player 1 answers 3, and 15 ends the match.
MATCH = random_game(STONES, {"stones": 20}, 7)
PLACE = "#/puzzles/1/5"
TASK = "Player 2 to move. Find the winning move."
SOLVED = "15 keeps the win. Player 2 wins: player 1 cannot move. Solved!"


def store_puzzles(db: Path, seeds: Sequence[int] = ()) -> None:
    """Store the match, and random ones."""
    with DatabaseWriter(db) as writer:
        store_match(writer, ("ann", "bob"), STONES, {"stones": 20}, MATCH)
        for seed in seeds:
            setup = {"stones": 30}
            store_match(writer, ("ann", "bob"), STONES, setup, random_game(STONES, setup, seed))


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with matches that have puzzles."""
    db = tmp_path_factory.mktemp("puzzles") / "arena.db"
    store_puzzles(db, range(30))
    with launcher() as launch:
        yield site(launch, db)


def stone(page: Page, number: int) -> Locator:
    return page.locator(".interactive .stone", has_text=re.compile(f"^{number}$"))


def says(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator(".puzzle-status")).to_have_text(text)


def solve(page: Page) -> None:
    """Solve the puzzle of the match."""
    stone(page, 12).click()
    says(page, "12 keeps the win. Player 1 answers 3. Your move again.")
    stone(page, 15).click()
    says(page, SOLVED)


def test_a_puzzle_is_solved_and_remembered(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE)
    expect(page.locator(".puzzle-turn")).to_have_text(TASK)
    assert not accessibility_violations(page)
    solve(page)
    end = page.locator(".puzzle-end")
    expect(end).to_contain_text("Its only possible partner is 12, the winning move.")
    assert not accessibility_violations(page)
    page.reload()
    expect(page.get_by_text("You have solved this puzzle.")).to_be_visible()
    expect(page.locator(".puzzle-progress")).to_contain_text("Solved 1, ")


@pytest.mark.parametrize("view", ["Board", "Graph"])
def test_the_next_attempt_begins_on_the_view_that_is_shown(
    puzzles: Site, visit: Visit, view: str
) -> None:
    page = visit(puzzles.page + PLACE)
    choice = page.get_by_role("button", name=view, exact=True)
    choice.click()
    expect(choice).to_have_attribute("aria-pressed", "true")  # the graph is loaded
    stone(page, 18).click()
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    assert not accessibility_violations(page)
    again.press("Enter")
    says(page, "Try another move.")
    expect(page.locator(".interactive .stone:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".puzzle-status")).to_contain_text(re.compile("keeps|gives up"))


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_nothing_moves_when_a_puzzle_is_loaded(puzzles: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{puzzles.page}#/puzzles", phone=phone)
    expect(page.locator(".puzzle-turn")).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)
    assert page.evaluate(LAYOUT_SHIFT) < 0.05
