"""The games in examples/games, installed by pip: checked, played, exported and watched."""

import importlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from core.game import Game
from tests.support.cases import loop_over
from tests.support.games.environments import Environment
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.servers.arena_command import Launch, wait_for_line

# Random games of Connect Four, each with the legal moves of all its positions.
PLAYOUTS = """
import json, random
from connect_four import GAME

draw = random.Random(1)
games = []
for columns, rows in [(4, 4), (5, 4), (4, 6), (7, 6)] * 5:
    position = GAME.position(columns=columns, rows=rows)
    legal = [position.legal_moves()]
    while legal[-1]:
        position.play(draw.choice(legal[-1]))
        legal.append(position.legal_moves())
    setup = {"columns": columns, "rows": rows}
    games.append({"setup": setup, "moves": position.moves, "legal": legal})
print(json.dumps(games))
"""
LEGAL_MOVES = """
async games => {
  const { legalMoves } = await import("/boards/connect_four/board.js");
  return games.map(({ setup, moves, legal }) =>
    legal.map((_, ply) => legalMoves(setup, moves.slice(0, ply))));
}
"""

GAMES = Path(__file__).parents[2] / "examples" / "games"


class Example(NamedTuple):
    """A game, the numbers of its checks by their results, and a small tournament of it."""

    game: str
    checks: str
    tournament: tuple[str, ...]
    matches: int


EXAMPLES = [
    Example(
        "connect_four",
        "19 ok, 0 FAILED, 6 skipped",
        ("--bots", "random", "spec:2", "--columns", "4-5", "--rows", "4", "--rounds", "2"),
        8,
    ),
    Example(
        "misere_nim",
        "16 ok, 0 FAILED, 9 skipped",
        ("--bots", "random", "greedy", "--heap", "5-7"),
        6,
    ),
]


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install both games into a fresh environment; return the program of its arena."""
    folder = tmp_path_factory.mktemp("games")
    # A copy: pip builds in the folder of the package.
    sources = shutil.copytree(GAMES, folder / "sources")
    environment = Environment(folder / "environment")
    environment.install(*sources.iterdir())
    return environment.programs / "arena"


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda example: example.game)
def example(request: pytest.FixtureRequest) -> Example:
    found: Example = request.param
    return found


@pytest.fixture(scope="module")
def played(arena: Path, example: Example, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play the tournament of an example; return its database."""
    db = tmp_path_factory.mktemp("played") / "arena.db"
    options = ["--game", example.game, "--seed", "1", "--quiet", "--json", "--db", str(db)]
    facts = json.loads(run(arena, "tournament", *example.tournament, *options))
    assert facts["finished"] == example.matches
    return db


def run(*command: object) -> str:
    """Return what a command prints, which must succeed."""
    words = [str(word) for word in command]
    end = subprocess.run(words, capture_output=True, text=True, check=False)
    assert end.returncode == 0, end.stdout + end.stderr
    return end.stdout


def test_the_conformance_suite_is_passed(arena: Path, example: Example) -> None:
    assert run(arena, "check-game", example.game).endswith(f"\n{example.checks}\n")


@pytest.mark.parametrize("form", ["pgn", "jsonl"])
def test_records_are_exported_imported_and_verified(
    arena: Path, example: Example, played: Path, tmp_path: Path, form: str
) -> None:
    text, copy = tmp_path / f"games.{form}", tmp_path / "copy.db"
    run(arena, "export", played, "--output", text)
    run(arena, "import", text, copy)
    assert run(arena, "export", copy, "--format", form) == text.read_text()
    for db in (played, copy):
        assert run(arena, "verify", db) == f"{example.matches} matches agree\n"


def test_draws_are_played_and_recorded(arena: Path, tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    options = ["--columns", "4", "--rows", "4", "--rounds", "10", "--seed", "1", "--quiet"]
    bots = ["--bots", "one=random", "two=random", "--game", "connect_four", "--db", db]
    run(arena, "tournament", *bots, *options)
    records = map(json.loads, run(arena, "export", db, "--format", "jsonl").splitlines()[1:])
    drawn = [record for record in records if record["winner"] is None]
    assert drawn
    assert {record["termination"] for record in drawn} == {"game_over"}
    assert {record["reason"] for record in drawn} == {"the board is full"}
    assert run(arena, "export", db).count("\n1/2-1/2\n") == len(drawn)


def view(arena: Path, db: Path, launch: Launch) -> str:
    """Serve a database; return the URL of its first match."""
    process = launch(arena, "view", db, "--port", "0")
    return wait_for_line(process, r"(http://\S+/)") + "#/match/1"


def moves_of(arena: Path, db: Path) -> list[int]:
    """Return the moves of the first match of a database."""
    records = map(json.loads, run(arena, "export", db, "--format", "jsonl").splitlines()[1:])
    return next(
        [turn["move"] for turn in record["moves"]] for record in records if record["id"] == 1
    )


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_stored_game_of_connect_four_is_shown_on_its_board(
    arena: Path, launch: Launch, visit: Visit, tmp_path: Path, phone: bool
) -> None:
    db = tmp_path / "arena.db"
    options = ["--game", "connect_four", "--seed", "1", "--quiet", "--db", db]
    run(arena, "tournament", "--bots", "random", "spec:2", *options)
    first, *_ = moves_of(arena, db)
    page = visit(view(arena, db, launch) + "/1", phone=phone, dark=phone)
    columns = page.get_by_role("group", name="Columns").get_by_role("button")
    expect(columns).to_have_count(7)
    expect(columns.nth(first - 1)).to_have_accessible_name(f"column {first}, x, legal")
    expect(columns.nth(first - 1).locator("span")).to_have_count(6)
    expect(page.locator(".connect-four .one")).to_have_count(1)
    expect(page.locator(".connect-four .one.last")).to_have_count(1)
    assert not accessibility_violations(page)
    page.keyboard.press("End")
    discs = page.locator(".connect-four .one, .connect-four .two")
    expect(discs).to_have_count(len(moves_of(arena, db)))


ENDING = ".state-line:not(.is-live)"


def test_connect_four_is_played(arena: Path, launch: Launch, visit: Visit, tmp_path: Path) -> None:
    options = ["--game", "connect_four", "--columns", "4", "--rows", "4", "--port", "0"]
    process = launch(arena, "serve", *options, "--db", tmp_path / "arena.db")
    page = visit(wait_for_line(process, r"(http://\S+/)") + "#/play")
    page.get_by_label("Opponent").select_option("random")
    page.get_by_role("button", name="Play").click()
    while is_our_turn(page):
        discs = page.locator(".connect-four .one, .connect-four .two")
        before = discs.count()
        page.locator(".connect-four [aria-disabled=false]").first.click()
        expect(discs).not_to_have_count(before)
    expect(page.locator(ENDING)).to_contain_text(re.compile("four in a row|the board is full"))


def is_our_turn(page: Page) -> bool:
    """Wait for our turn or the end of the match; return whether it is our turn."""
    turn = page.locator(f".connect-four [aria-disabled=false], {ENDING}")
    expect(turn.first).to_be_visible()
    return not page.locator(ENDING).is_visible()


def test_connect_four_has_rules(arena: Path, launch: Launch, visit: Visit, tmp_path: Path) -> None:
    process = launch(arena, "serve", "--port", "0", "--db", tmp_path / "arena.db")
    games = json.loads(run(arena.with_name("python"), "-c", PLAYOUTS))
    page = visit(wait_for_line(process, r"(http://\S+/)"))
    assert page.evaluate(LEGAL_MOVES, games) == [game["legal"] for game in games]


@loop_over(("columns", "rows"), [(21, 4), (4, 21), (100_000, 100_000)])
def test_large_boards_not_studied(columns: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(GAMES / "connect_four")
    game: Game = importlib.import_module("connect_four").GAME
    assert game.study(columns=20, rows=20).legal_moves()
    with pytest.raises(ValueError, match=r"^(columns|rows) must be 4 to 20, not \d+$"):
        game.study(columns=columns, rows=rows)
