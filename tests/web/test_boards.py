"""The game modules of the page, in a real browser, compared with core."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from arena.server.static import routes
from core import GAMES
from core.isolation.board import Board as IsolationBoard
from core.isolation.board import name

ROUTES = routes(GAMES.values(), print)
SETUPS: list[tuple[str, dict[str, int]]] = [
    *(("take_stones", {"stones": n}) for n in (1, 2, 3, 7, 20, 50, 100, 200)),
    ("isolation", {}),  # of an earlier version
    *(("isolation", {"size": size}) for size in (8, 6, 3)),
]


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


def ask(page: Page, game: str, expression: str, argument: Any = None) -> Any:
    """Evaluate an expression of `game`, the module, and `x`, the argument."""
    module = f"/boards/{game}/board.js"
    code = f"async x => {{ const game = await import('{module}'); return {expression}; }}"
    return page.evaluate(code, argument)


def playthrough(game: str, setup: dict[str, int], seed: int) -> list[int]:
    """Return the moves of a random game."""
    draw = random.Random(seed)
    board = GAMES[game].position(**setup)
    while not board.is_over:
        board.play(draw.choice(board.legal_moves()))
    return list(board.moves)


GAMES_PLAYED = [
    (game, setup, playthrough(game, setup, seed)) for seed, (game, setup) in enumerate(SETUPS)
]
EACH = pytest.mark.parametrize(
    ("game", "setup", "moves"),
    GAMES_PLAYED,
    ids=[f"{game}-{[*setup.values()]}" for game, setup in SETUPS],
)


@EACH
def test_legal_moves_match_core(
    page: Page, game: str, setup: dict[str, int], moves: list[int]
) -> None:
    expression = "[...x.moves, 0].map((_, ply) => game.legalMoves(x.setup, x.moves.slice(0, ply)))"
    found = ask(page, game, expression, {"setup": setup, "moves": moves})
    positions = [GAMES[game].position(**setup, moves=moves[:ply]) for ply in range(len(moves) + 1)]
    assert found == [position.legal_moves() for position in positions]


@EACH
def test_notation_round_trips(
    page: Page, game: str, setup: dict[str, int], moves: list[int]
) -> None:
    expression = "x.map(move => game.parseMove(game.formatMove(move)))"
    assert ask(page, game, expression, moves) == moves, setup


def test_square_notation_matches_core(page: Page) -> None:
    squares = list(range(64))
    found = ask(page, "isolation", "x.map(game.formatMove)", squares)
    assert found == [name(square) for square in squares]


def test_a_square_is_parsed_without_parentheses(page: Page) -> None:
    assert ask(page, "isolation", "x.map(game.parseMove)", ["3 5", " (3 5) ", "3,5"]) == [20] * 3


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("take_stones", "twelve", "the number of a stone, such as 12, not “twelve”"),
        ("take_stones", "1.5", "the number of a stone, such as 12, not “1.5”"),
        ("isolation", "3 9", "a row and a column from 1 to 8, such as 3 5, not “3 9”"),
        ("isolation", "", "a row and a column from 1 to 8, such as 3 5, not “”"),
    ],
)
def test_an_invalid_move_is_reported(page: Page, game: str, text: str, message: str) -> None:
    tried = "(() => { try { game.parseMove(x) } catch (error) { return error.message } })()"
    assert message in ask(page, game, tried, text)


@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [([12], 3, "factor of 12"), ([12], 24, "multiple of 12"), ([], 3, "odd and below 15.5")],
)
def test_the_relation_of_a_stone(page: Page, moves: list[int], move: int, words: str) -> None:
    found = ask(page, "take_stones", "game.describeMove({stones: 31}, ...x)", [moves, move])
    assert found == words


@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [
        ([], 0, "There is a piece on (1 1)."),
        ([], 63, "There is a piece on (8 8)."),
        ([], 17, "(3 2) is on no row, column or diagonal of (1 1)."),
        ([1, 60], 0, "(1 1) is filled: a piece has left it."),
        ([2, 60, 1, 59], 3, "The way from (1 2) to (1 4) is not free."),
    ],
)
def test_the_rule_that_forbids_a_square(
    page: Page, moves: list[int], move: int, words: str
) -> None:
    assert move not in IsolationBoard(moves).legal_moves()
    assert ask(page, "isolation", "game.explainIllegal({}, ...x)", [moves, move]) == words


@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [
        ([], 5, "along the row"),
        ([], 16, "along the column"),
        ([], 27, "along the diagonal"),
        ([1], 60, "along the row"),
        ([1, 60, 17], 20, "along the column"),
        ([1, 60, 17], 39, "along the diagonal"),
    ],
)
def test_the_relation_of_a_square(page: Page, moves: list[int], move: int, words: str) -> None:
    assert move in IsolationBoard(moves).legal_moves()
    assert ask(page, "isolation", "game.describeMove({}, ...x)", [moves, move]) == words


@EACH
def test_the_command_line_contains_the_position(
    page: Page, game: str, setup: dict[str, int], moves: list[int]
) -> None:
    some = moves[: len(moves) // 2]
    given = {"setup": setup, "moves": some}
    found = ask(page, game, "game.commandLine(x.setup, x.moves, 6)", given)
    assert found == command_line(game, setup, some)


def command_line(game: str, setup: dict[str, int], moves: list[int]) -> str:
    if game == "take_stones":
        taken = "".join(f" {stone}" for stone in moves)
        return f"python -m core.take_stones {setup['stones']} {len(moves)}{taken} 6"
    board = IsolationBoard(moves, **setup)
    rows = "\n".join(" ".join(row) for row in board.rows)
    player = "xo"[board.player_to_move - 1]
    return f"python -m core.isolation answer {player} 60 6 <<END\n{rows}\nEND"


@pytest.mark.parametrize("listed", [["take_stones"], []])
def test_only_modules_of_the_arena_games_are_loaded(page: Page, listed: list[str]) -> None:
    code = """async games => {
        const { loadGameModule } = await import("/boards/game_modules.js");
        const about = { games: games.map(name => ({ name, has_board: true })) };
        return await loadGameModule("take_stones", about) !== null;
    }"""
    assert page.evaluate(code, listed) == bool(listed)


def test_a_path_is_not_loaded_as_a_module(page: Page) -> None:
    code = """async name => {
        const { loadGameModule } = await import("/boards/game_modules.js");
        return await loadGameModule(name, { games: [{ name, has_board: true }] });
    }"""
    assert page.evaluate(code, "../app") is None


def test_a_game_without_a_board_has_no_module(page: Page) -> None:
    code = """async () => {
        const { loadGameModule } = await import("/boards/game_modules.js");
        const games = [{ name: "take_stones", has_board: false }];
        return await loadGameModule("take_stones", { games });
    }"""
    assert page.evaluate(code) is None


def test_a_board_that_cannot_be_loaded_is_reported(page: Page) -> None:
    code = """async () => {
        const { loadGameModule } = await import("/boards/game_modules.js");
        return await loadGameModule("nothing", { games: [{ name: "nothing", has_board: true }] });
    }"""
    with page.expect_console_message(lambda line: "board of nothing" in line.text) as message:
        assert page.evaluate(code) is None
    assert message.value.type == "error"


@pytest.mark.parametrize(("moves", "ply"), [([3, 6, 2], 3), ([3, 6, 2], 1), ([], 0)])
def test_stones_have_accessible_labels(page: Page, moves: list[int], ply: int) -> None:
    shown = """(() => {
        const board = new game.Board({ stones: 7 });
        board.show({ moves: x.moves });
        board.show({ moves: x.moves, ply: x.ply });
        return [...board.element.querySelectorAll("[role=gridcell]")].map(cell => cell.ariaLabel);
    })()"""
    found = ask(page, "take_stones", shown, {"moves": moves, "ply": ply})
    legal = GAMES["take_stones"].position(stones=7, moves=moves[:ply]).legal_moves()
    assert [at + 1 for at, label in enumerate(found) if "legal" in label] == legal
    assert [at + 1 for at, label in enumerate(found) if "taken" in label] == sorted(moves[:ply])
    assert [label for label in found if "the last" in label] == [
        found[at - 1] for at in moves[:ply][-1:]
    ]


CLICK_ALL = """(() => {
    const picked = [], board = new game.Board(x.setup, { onMove: move => picked.push(move) });
    document.body.replaceChildren(board.element);
    board.show({ moves: x.moves, isInteractive: x.isInteractive });
    for (const cell of board.element.querySelectorAll("[role=gridcell]")) cell.click();
    return picked;
})()"""


@pytest.mark.parametrize(
    ("game", "setup", "moves"),
    [
        ("take_stones", {"stones": 20}, [3, 6]),
        ("isolation", {}, [9]),
        ("isolation", {"size": 5}, [9, 20]),
    ],
)
def test_only_legal_moves_can_be_chosen(
    page: Page, game: str, setup: dict[str, int], moves: list[int]
) -> None:
    position = {"setup": setup, "moves": moves, "isInteractive": True}
    legal = GAMES[game].position(**setup, moves=moves).legal_moves()
    assert ask(page, game, CLICK_ALL, position) == legal


def test_a_spectator_cannot_choose_a_move(page: Page) -> None:
    position = {"setup": {"stones": 20}, "moves": [3, 6], "isInteractive": False}
    assert ask(page, "take_stones", CLICK_ALL, position) == []


def test_a_stone_is_chosen_with_the_keyboard(page: Page) -> None:
    position = {"setup": {"stones": 20}, "moves": [3, 6], "isInteractive": True}
    keep = CLICK_ALL.replace("return picked", "window.picked = picked; picked.length = 0")
    ask(page, "take_stones", keep, position)
    for key in ("Tab", "ArrowRight", "Enter", "Control+ArrowRight", "Space"):
        page.keyboard.press(key)
    assert page.evaluate("picked") == [2, 12]
