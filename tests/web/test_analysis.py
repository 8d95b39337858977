"""The analysis of positions, in a real browser."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
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
from tests.support.page.sites import Site, is_too_wide, random_game
from tests.support.polling import TEST_TIMEOUT

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


@pytest.mark.parametrize(
    ("address", "visited"),
    [
        ("take_stones&stones=30&moves=3,1,6&depth=6", "Number of Nodes Visited"),
        ("isolation&moves=7,56&depth=3", "Nodes"),
    ],
)
def test_the_copied_command_searches_as_shown(
    stored: Site, visit: Visit, address: str, visited: str
) -> None:
    page = visit(f"{stored.page}#/analysis?game={address}")
    answer = page.locator(".answer")
    nodes = answer.locator("dt:text-is('Nodes visited') + dd").inner_text().replace(",", "")
    answer.get_by_role("button", name="Copy the command").click()
    expect(answer.locator(".copyable button")).to_have_text("Copied")
    command = page.evaluate("navigator.clipboard.readText()")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    output = subprocess.check_output(
        ["bash", "-c", command], env={**os.environ, "PATH": path}, text=True
    )
    assert f"{visited}: {nodes}\n" in output


def test_winning_moves_come_first_and_the_page_ends_with_the_analysis(
    stored: Site, visit: Visit
) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=1000&moves=1&depth=")
    groups = page.locator(".legal-moves > .hint")
    expect(groups).to_have_text(["wins, multiple of 1", "multiple of 1", "and 279 more"])
    winning = solve(Board(1000, [1])).winning_moves
    first = page.locator(".legal-moves ul").first.get_by_role("button")
    expect(first).to_have_count(len(winning))
    expect(first.first).to_have_text(f"{winning[0]} ✓ wins")
    ends = (
        "[...document.querySelectorAll('.analysis > *')].map(e => e.getBoundingClientRect().bottom)"
    )
    empty = page.evaluate(f"document.documentElement.scrollHeight - Math.max(...{ends})")
    assert empty < 100


def test_an_invalid_position_keeps_the_analysis(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=20&moves=3,6&depth=")
    answer = page.locator(".answer")
    expect(answer).to_contain_text("Player 1 to move, 4 legal moves")
    for label, text, problem in (
        ("Moves", "3 4", "Illegal move 2"),
        ("Moves", "3 six", "A move is the number of a stone"),
        ("Number of stones", "0", "must be a whole number of at least 1"),
    ):
        page.get_by_label(label).fill(text)
        expect(answer.locator(".problem")).to_contain_text(problem)
        expect(answer).to_contain_text("Player 1 to move, 4 legal moves")
        expect(page.locator(".stone")).to_have_count(20)
    assert not accessibility_violations(page)
    page.get_by_label("Number of stones").fill("20")
    page.get_by_label("Moves").fill("3")
    expect(answer.locator(".problem")).to_have_count(0)
    page.get_by_role("gridcell", name="stone 4,").click()
    expect(page.locator("#problem")).to_have_text("4 is neither a factor nor a multiple of 3.")


def test_the_winner_in_isolation_is_known_if_the_search_has_seen_it(
    stored: Site, visit: Visit
) -> None:
    moves = random_game("isolation", {}, 1)
    played = ",".join(map(str, moves[:-1]))
    page = visit(f"{stored.page}#/analysis?game=isolation&depth=4&moves={played}")
    winner = 1 + (len(moves) - 1) % 2
    expect(page.locator(".answer")).to_contain_text(f"Player {winner} wins with perfect play")


def test_isolation_has_no_solver(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=isolation&size=5&moves=4,32&depth=2")
    expect(page.locator(".answer")).to_contain_text("no solver, and the search has not seen")
    expect(page.locator(".square.filled")).to_have_count(2)
    assert not accessibility_violations(page)
    page.get_by_label("Size of the board").fill("9")
    rule = "The size of the board must be a whole number from 3 to 8."
    expect(page.locator("#problem")).to_have_text(rule)


def test_the_moves_that_were_played_are_shown(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=take_stones&stones=7&moves=&depth=", phone=True)
    played = page.get_by_role("region", name="Played here")
    expect(played).to_contain_text("1 rated match of this arena went on from here.")
    assert not is_too_wide(page)
    row = played.locator("tbody tr")
    expect(row).to_have_text("3loses11")
    expect(row.get_by_role("img")).to_have_accessible_name("1 won by player 2")
    assert not accessibility_violations(page)
    row.get_by_role("button", name="3").click()
    expect(row.get_by_role("button")).to_have_text("6")
    for move in (6, 1):  # 1 was not played after 3 and 6
        page.get_by_role("gridcell", name=re.compile(f"stone {move}, free, legal")).click()
    expect(played).to_contain_text("No rated match of this arena went on from here.")
    page.get_by_label("Moves", exact=True).fill("3 6 2 4 1 5")
    expect(played).to_be_hidden()
