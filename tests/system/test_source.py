"""Rules of the source that no linter checks; `lint-imports` checks the direction of imports."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from core import GAMES
from tests.support.cases import loop_over

pytestmark = pytest.mark.unmeasured

ROOT = Path(__file__).parents[2]

PYTHON = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("core", "arena", "bots")
    for path in (ROOT / folder).rglob("*.py")
)
PAGE = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("arena/web/**/*.*"))
CYTHON = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("core/*/**/*.p[xy][xdi]"))
# Of a game, only its command line, its searches and the counts of a search know the search.
GAME_FILE = re.compile(r"core/(?!search/)[^/]+/(?!__main__|(\w+/)?search\.|counts\.).+")
GAME_FILES = [path for path in PYTHON if GAME_FILE.fullmatch(path)]
COMPILED_GAME_FILES = [path for path in CYTHON if GAME_FILE.fullmatch(path)]
# Of core/, only core/__init__.py knows the games.
GENERIC_FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("setup.py", "core/*.p[xy]*", "core/search/*.p[xy]*")
    for path in ROOT.glob(pattern)
    if path.name != "__init__.py" or path.parent.name != "core"
)


@cache
def imported(path: str) -> set[str]:
    """Return the full names of the modules and of the objects that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports escape these checks"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


COMMON = {"size"}  # a parameter that everything else has, too
NAMES = {name for game in GAMES.values() for name in (game.name, game.title, *game.parameters)}
NAMES -= COMMON
A_NAME = re.compile(rf"\b({'|'.join(NAMES)})\b", re.IGNORECASE)


def names_of_games(text: str) -> list[str]:
    """Return the names, titles and parameters of games that a text contains."""
    return A_NAME.findall(text)


def test_source_files_are_found() -> None:
    assert {"core/game.py", "arena/match/referee.py", "bots/client.py"} <= set(PYTHON)
    assert "core/take_stones/board.pyx" in COMPILED_GAME_FILES
    assert "core/take_stones/explanation.py" in GAME_FILES
    assert {"setup.py", "core/registry.py", "core/search/generic.py"} <= set(GENERIC_FILES)


@loop_over("path", GAME_FILES)
def test_a_game_does_not_know_the_search(path: str) -> None:
    assert not {name for name in imported(path) if name.startswith("core.search")}


@loop_over("path", COMPILED_GAME_FILES)
def test_a_compiled_game_does_not_know_the_search(path: str) -> None:
    assert not re.search(r"\bcore\.search\b|\bcore c?import search\b", (ROOT / path).read_text())


@loop_over("path", GENERIC_FILES)
def test_what_is_generic_names_no_game(path: str) -> None:
    assert not names_of_games((ROOT / path).read_text())


@loop_over("path", PYTHON)
def test_modules_have_names_and_no_main_module_is_imported(path: str) -> None:
    assert not {name for name in imported(path) if "__main__" in name}
    assert Path(path).stem not in {"utils", "helpers", "misc", "common"}


# The assignment that is graded is about one game.
OF_ONE_GAME = ("core/", "arena/grading/")


@loop_over("path", [path for path in [*PYTHON, *PAGE] if not path.startswith(OF_ONE_GAME)])
def test_arena_and_bots_know_no_game_by_name(path: str) -> None:
    assert not names_of_games((ROOT / path).read_text())
