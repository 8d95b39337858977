"""The analysis of positions, in a real browser."""

import json
import re
from time import monotonic

import pytest
from playwright.sync_api import expect

from arena.analysis.position import analyse
from arena.protocol.codec import encode
from arena.protocol.spectator import Analyse
from core import GAMES
from core.search import search
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.games.toy_games import NIM
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide
from tests.support.servers.arena_server import TEST_TIMEOUT

# Show an analysis of a game for which the page has no board.
SHOW = """async analysis => {
    const { analysisElements } = await import("/analysis/analysis_result.js");
    const game = { name: "misere_nim", title: "Nim", parameters: {}, is_solved: false };
    const position = { game, module: null, setup: {}, moves: [], isSearching: false };
    const answer = document.querySelector(".answer");
    answer.replaceChildren(...analysisElements(analysis, position));
    return answer.textContent;
}"""


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_position_is_analysed(stored: Site, visit: Visit, phone: bool) -> None:
    link = f"{stored.page}#/analysis?game=take_stones&stones=20&moves=3,1,6&depth=4"
    page = visit(link, phone=phone, dark=phone)
    board = Board(20, [3, 1, 6])
    found, answer = search(board, 4), page.locator(".answer")
    expect(answer).to_contain_text("largest prime factor")
    expect(answer).to_contain_text(f"{found.nodes_visited}")
    winning = solve(board).winning_moves
    assert winning
    expect(answer.locator(".legal-moves")).to_contain_text("factor of 6")
    expect(answer.get_by_text("wins").first).to_be_attached()
    expect(page.locator(".stone.winning")).to_have_count(len(winning))
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_moves_are_entered_on_the_board(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=7")
    for stone in (3, 6, 2):
        page.get_by_role("gridcell", name=f"stone {stone}, free, legal").click()
    expect(page.get_by_label("Moves")).to_have_value(re.compile("3.*6.*2"))
    expect(page).to_have_url(re.compile(r"moves=3,6,2"))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".stone.taken")).to_have_count(2)


def test_an_illegal_move_is_reported_and_the_text_is_kept(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=7&moves=3,4")
    expect(page.locator("#problem")).to_contain_text("illegal move 2")
    expect(page.get_by_label("Moves")).to_have_value(re.compile("3.*4"))
    page.get_by_label("Moves").fill("3 6")
    expect(page.locator("#problem")).to_have_text("")
    assert not accessibility_violations(page)


@pytest.mark.parametrize(
    ("depth", "text"),
    [
        (2, "misere_nim has no evaluation, so that it can only be searched to the end (depth 0)."),
        (0, "To the end of the game."),
    ],
)
def test_a_game_without_an_evaluation(
    stored: Site, visit: Visit, monkeypatch: pytest.MonkeyPatch, depth: int, text: str
) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    found = analyse(Analyse(1, NIM.name, {"heap": 7}, depth=depth), TEST_TIMEOUT, monotonic)
    page = visit(f"{stored.page}#/analysis?game=isolation")
    expect(page.locator(".answer")).to_contain_text("no solver")
    shown = page.evaluate(SHOW, json.loads(encode(found)))
    assert "This game has no evaluation." in shown
    assert "for player 1" not in shown
    assert text in shown
    assert "Player 1 to move, 3 legal moves" in shown


def test_isolation_has_no_solver(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=isolation&moves=7,56&depth=2")
    expect(page.locator(".answer")).to_contain_text("no solver")
    expect(page.locator(".square.filled")).to_have_count(2)
    assert not accessibility_violations(page)
