"""The game modules of the page, in a real browser, compared with core."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from arena.server.static import routes
from core import GAMES
from core.isolation.board import Board as IsolationBoard

ROUTES = routes(GAMES.values(), print)
SETUPS: list[tuple[str, dict[str, int]]] = [
    *(("take_stones", {"stones": n}) for n in (1, 2, 3, 7, 20, 50, 100, 200)),
    ("isolation", {}),  # of an earlier version
    *(("isolation", {"size": size}) for size in (8, 6, 3)),
]


ASK = """async ([game, setup, moves]) => {
    const { legalMoves, commandLine } = await import(`/boards/${game}/board.js`);
    return [...moves, 0].map((_, ply) => {
        const played = moves.slice(0, ply);
        return [legalMoves(setup, played), commandLine(setup, played, 6)];
    });
}"""


def serve(route: Route) -> None:
    """Fulfil a request with a file of the page, without a server."""
    if file := ROUTES.get(route.request.url.removeprefix("http://arena.test")):
        content = file()
        route.fulfill(body=content.body, content_type=content.content_type)
    else:
        route.fulfill(body="<!DOCTYPE html><title>Empty</title>", content_type="text/html")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """Yield an empty page that can import the modules."""
    page = browser.new_page()
    page.route("http://arena.test/**", serve)
    page.goto("http://arena.test/empty")
    yield page
    page.close()


def command_line(game: str, setup: dict[str, int], moves: list[int]) -> str:
    if game == "take_stones":
        taken = "".join(f" {stone}" for stone in moves)
        return f"python -m core.take_stones {setup['stones']} {len(moves)}{taken} 6"
    board = IsolationBoard(moves, **setup)
    rows = "\n".join(" ".join(row) for row in board.rows)
    player = "xo"[board.player_to_move - 1]
    return f"python -m core.isolation answer {player} 60 6 <<END\n{rows}\nEND"


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_legal_moves_and_commands_match_core(page: Page, game: str, setup: dict[str, int]) -> None:
    draw = random.Random(sum(setup.values()))
    board = GAMES[game].position(**setup)
    expected = []
    while True:
        moves = list(board.moves)
        expected.append([board.legal_moves(), command_line(game, setup, moves)])
        if board.is_over:
            break
        board.play(draw.choice(board.legal_moves()))
    found = page.evaluate(ASK, [game, setup, moves])
    assert found == expected
