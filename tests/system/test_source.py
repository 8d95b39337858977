"""What no linter says of the source; `lint-imports` checks which way the imports point."""

import ast
import re
from pathlib import Path

import pytest

from core import GAMES

ROOT = Path(__file__).parents[2]

PYTHON = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("core", "arena", "bots")
    for path in (ROOT / folder).rglob("*.py")
)
GAME_FILES = [path for path in PYTHON if re.match("core/.+/(?!__main__)", path)]
CYTHON = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("core/*/*.p[xy][xdi]"))


def imported(path: str) -> set[str]:
    """The full names of the modules, and of what is taken from them, that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports would escape these checks"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_there_is_source_to_read() -> None:
    assert {"core/game.py", "arena/match/referee.py", "bots/client.py"} <= set(PYTHON)
    assert "core/take_stones/board.pyx" in CYTHON


@pytest.mark.parametrize("path", GAME_FILES)
def test_a_game_does_not_know_the_search(path: str) -> None:
    assert not {name for name in imported(path) if name.startswith("core.search")}


@pytest.mark.parametrize("path", CYTHON)
def test_a_compiled_game_does_not_know_the_search(path: str) -> None:
    assert not re.search(r"\bcore\.search\b|\bcore c?import search\b", (ROOT / path).read_text())


@pytest.mark.parametrize("path", PYTHON)
def test_only_the_top_imports_a_main(path: str) -> None:
    assert not {name for name in imported(path) if "__main__" in name}


@pytest.mark.parametrize("path", [path for path in PYTHON if not path.startswith("core/")])
def test_arena_and_bots_know_no_game_by_name(path: str) -> None:
    text = (ROOT / path).read_text()
    names = {name for game in GAMES.values() for name in (game.name, game.title, *game.parameters)}
    assert not [name for name in names if re.search(rf"\b{name}\b", text, re.IGNORECASE)]


@pytest.mark.parametrize("path", PYTHON)
def test_files_are_named_after_what_is_in_them(path: str) -> None:
    assert Path(path).stem not in {"utils", "helpers", "misc", "common"}
