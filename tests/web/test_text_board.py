"""Games without a board of their own, and a board that a package brings, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.model.results import MatchResult, Termination
from arena.storage.writer import DatabaseWriter
from tests.support.games.toy_package import command_with, command_with_board
from tests.support.page.browser import Visit
from tests.support.page.sites import Site, check_layout, guests, serve, store_match
from tests.support.servers.arena_command import Launch, launcher

NIM = "misere_nim"
MOVES = [3, 1, 2, 3, 1]  # of 10
TEXTS = [f"{left} left" for left in (10, 7, 6, 4, 1, 0)]
RESULT = MatchResult(Termination.NO_LEGAL_MOVE, 2, "player 1 (ann) has taken the last one")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with a match of a game without a board, for tests that only read."""
    folder = tmp_path_factory.mktemp("nim")
    with DatabaseWriter(folder / "arena.db") as writer:
        store_match(writer, ("ann", "bob"), NIM, {"heap": 10}, MOVES, RESULT)
    with launcher() as launch:
        yield serve(launch, command_with(folder), folder / "arena.db", "--game", NIM)


def shows(page: Page, ply: int) -> None:
    """Wait until the board shows a position of the stored match."""
    expect(page.locator(".position")).to_have_text(TEXTS[ply])
    expect(page.locator(".board")).to_have_attribute("aria-busy", "false")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_position_is_shown_as_text(archive: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{archive.page}#/match/1/2", phone=phone, dark=phone)
    shows(page, 2)
    expect(page.locator(".choices button")).to_have_text(["1", "2", "3"])
    expect(page.locator(".moves .name")).to_have_text(list(map(str, MOVES)))
    expect(page.locator(".board")).to_contain_text("Player 1 to move, 3 legal moves")
    check_layout(page)


def test_a_package_brings_its_board(tmp_path: Path, db: Path, visit: Visit, launch: Launch) -> None:
    with DatabaseWriter(db) as writer:
        store_match(writer, ("ann", "bob"), NIM, {"heap": 10}, MOVES, RESULT)
    arena = serve(launch, command_with_board(tmp_path), db, "--game", NIM, "--heap", "10")
    page = visit(f"{arena.page}#/match/1/2")
    heap = page.locator(".heap")
    expect(heap).to_have_text("6 left in the heap")
    expect(heap).to_have_css("font-weight", "700")
    expect(page.locator(".moves .name").first).to_have_text("take 3")
    with guests(arena.play, "ann", "bob", game=NIM):
        page.goto(arena.page)
        expect(page.locator(".live-card canvas")).to_be_visible()
    page.goto(f"{arena.page}#/analysis?game={NIM}&heap=10&depth=")
    expect(heap).to_have_text("10 left in the heap")  # only now can a move be chosen
    page.get_by_role("gridcell", name="2").click()
    expect(heap).to_have_text("8 left in the heap")
