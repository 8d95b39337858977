"""Draws and aborted matches on the page, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from arena.model.results import MatchResult, Termination
from arena.storage.writer import DatabaseWriter
from tests.support.games.installed_games import TOY_GAMES
from tests.support.games.toy_package import command_with
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import SHORT, Site, is_too_wide, serve, store_match
from tests.support.servers.arena_command import launcher

NIM = "drawn_nim"
DRAWN = [1, 3, 3, 3]  # of 10
DRAW = MatchResult(Termination.GAME_OVER, None, "player 2 (bob) has taken the last three")
WON = [3, 3, 3, 1]
WIN = MatchResult(Termination.GAME_OVER, 1, "player 2 (bob) has taken the last one")
ABORTED = MatchResult(Termination.ABORTED, None, "the arena was stopped")
DRAWN_MATCH = 2  # its id


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with a match that was won, one that was drawn and one that was aborted."""
    folder = tmp_path_factory.mktemp("draws")
    with DatabaseWriter(folder / "arena.db") as writer:
        for moves, result in ((WON, WIN), (DRAWN, DRAW), (DRAWN[:2], ABORTED)):
            store_match(writer, ("ann", "bob"), NIM, {"heap": 10}, moves, result)
        store_match(writer, ("ann", "bob"), "take_stones", {"stones": 7}, SHORT)
    command = command_with(folder, f"{TOY_GAMES}:DRAWN_NIM")
    with launcher() as launch:
        yield serve(launch, command, folder / "arena.db", "--game", NIM, "take_stones")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_drawn_match_is_replayed(archive: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{archive.page}#/match/{DRAWN_MATCH}", phone=phone, dark=phone)
    expect(page.locator(".state-line p")).to_have_text(
        "Draw: player 2 (bob) has taken the last three"
    )
    expect(page.locator(".board")).to_contain_text("Draw: player 2 has taken the last three.")
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_standings_count_draws_as_half_points(archive: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{archive.page}#/tables", phone=phone, dark=phone)
    nim = page.locator("main section").filter(has_text="Misère Nim")
    expect(nim.get_by_role("columnheader", name="Drawn")).to_be_visible()
    expect(nim.locator(".cross td:not(.itself)").first).to_contain_text("1½")
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_standings_without_draws_have_no_column_for_them(archive: Site, visit: Visit) -> None:
    page = visit(f"{archive.page}#/tables")
    stones = page.locator("main section").filter(has_text="Take-Stones")
    expect(stones.locator(".standings tbody tr")).to_have_count(2)
    expect(stones.get_by_role("columnheader", name="Drawn")).to_be_hidden()
