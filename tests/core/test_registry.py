"""The registry of games: ours, registered ones, and those of installed packages."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core import GAMES, game_of, isolation, register, solver_of
from core.game import Parameter
from core.registry import Games, UnknownGame
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.installed_games import TOY_GAMES, environment_with, install
from tests.support.games.toy_games import NIM, Heap

UNUSABLE = """
from tests.support.games.toy_games import NIM

no_game = 7
capital = NIM._replace(name="Misere-Nim")
flag = NIM._replace(parameters={"heap size": NIM.parameters["heap"]})
listed = NIM._replace(parameters=["heap"])
numbers = NIM._replace(parameters={"heap": 10})
moves = NIM._replace(parameters={"moves": NIM.parameters["heap"]})
board = NIM._replace(board=None)
number = NIM._replace(name=5)
digit = NIM._replace(parameters={"2d": NIM.parameters["heap"]})
text = NIM._replace(parameters={"heap": NIM.parameters["heap"]._replace(minimum="1")})
empty = NIM._replace(parameters={"heap": NIM.parameters["heap"]._replace(usual=())})
maximum = NIM._replace(parameters={"heap": NIM.parameters["heap"]._replace(maximum="9")})
default = NIM._replace(parameters={"heap": NIM.parameters["heap"]._replace(default=1.5)})
study = NIM._replace(study=None)
solver = NIM._replace(solver=7)
strong = NIM._replace(strong_search=7)
drawn = NIM._replace(position_svg=7)
viewed = NIM._replace(search_for_player=7)
encoded = NIM._replace(encoding=7)
page = NIM._replace(page="web")
taken = NIM._replace(name="isolation")
"""
NAMES = "names of games and parameters consist of lower-case letters, digits and underscores, got"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder on sys.path."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def installed(folder: Path) -> Games:
    """Return a registry with a package that has a game."""
    install(folder, "nim-arena", {"misere_nim": f"{TOY_GAMES}:NIM"})
    return Games()


def test_our_games_come_first() -> None:
    assert [*GAMES][:2] == ["take_stones", "isolation"]
    assert len(GAMES) >= 2
    with pytest.raises(ValueError, match="'isolation' is registered already"):
        register(GAMES["isolation"])


def test_the_game_of_a_package_is_found_by_name_and_position(installed: Games) -> None:
    assert installed["misere_nim"] is NIM
    assert [*installed] == ["misere_nim"]
    assert len(installed) == 1
    assert installed.failures == ()
    assert installed.of(Heap(3)) is NIM


def test_the_search_knows_the_positions_of_a_package(tmp_path: Path) -> None:
    install(tmp_path, "nim-arena", {"misere_nim": f"{TOY_GAMES}:NIM"})
    code = f"from {TOY_GAMES} import Heap; from core.search import search; print(search(Heap(7)))"
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=environment_with(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("SearchResult(move=2, value=1.0, ")


def test_unknown_games_and_positions() -> None:
    with pytest.raises(ValueError, match="Heap is the position of no registered game"):
        game_of(Heap(3))
    with pytest.raises(UnknownGame) as caught:
        GAMES["chess"]
    assert str(caught.value).startswith("unknown game 'chess' (choose from take_stones, isolation")


def test_a_game_can_be_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "misere_nim", NIM)
    assert game_of(Heap(3)) is NIM
    monkeypatch.undo()
    assert "misere_nim" not in GAMES


def test_a_solver_is_the_games_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "misere_nim", NIM)
    assert solver_of(Heap(3)) is None
    solver = solver_of(Board(20))
    assert solver
    assert solver.winning_moves() == [3, 5, 7, 9]


@loop_over(
    "module, target, reason",
    ("", "no_such_module:GAME", "ModuleNotFoundError: No module named 'no_such_module'"),
    ("", "unusable:GAME", "AttributeError: module 'unusable' has no attribute 'GAME'"),
    ("raise ValueError('one\\n  two')", "unusable:GAME", "ValueError: one two"),
    ("raise SystemExit(3)", "unusable:GAME", "SystemExit: 3"),
    (UNUSABLE, "unusable:no_game", "expected a core.game.Game, got 7"),
    (UNUSABLE, "unusable:capital", f"{NAMES} 'Misere-Nim'"),
    (UNUSABLE, "unusable:flag", f"{NAMES} 'heap size'"),
    (UNUSABLE, "unusable:listed", "the parameters of a game must be a mapping, got ['heap']"),
    (UNUSABLE, "unusable:numbers", "expected a core.game.Parameter for 'heap', got 10"),
    (UNUSABLE, "unusable:moves", "no parameter can be named 'moves', an argument of Game.position"),
    (UNUSABLE, "unusable:board", "the board of a game must be a class, got None"),
    (UNUSABLE, "unusable:number", "names of games and parameters must be strings, got 5"),
    (UNUSABLE, "unusable:digit", "names of parameters cannot begin with a digit, got '2d'"),
    (UNUSABLE, "unusable:text", "the minimum of heap must be an int, got '1'"),
    (UNUSABLE, "unusable:empty", "expected at least one usual value of heap, got ()"),
    (UNUSABLE, "unusable:maximum", "the maximum of heap must be an int or None, got '9'"),
    (UNUSABLE, "unusable:default", "the default of heap must be an int or None, got 1.5"),
    (UNUSABLE, "unusable:study", "the study of a game must be callable, got None"),
    (UNUSABLE, "unusable:solver", "solver must be callable or None, got 7"),
    (UNUSABLE, "unusable:strong", "strong_search must be callable or None, got 7"),
    (UNUSABLE, "unusable:drawn", "position_svg must be callable or None, got 7"),
    (UNUSABLE, "unusable:viewed", "search_for_player must be callable or None, got 7"),
    (UNUSABLE, "unusable:encoded", "the encoding must be a core.game.Encoding or None, got 7"),
    (UNUSABLE, "unusable:page", "the page must be a folder (Traversable), got 'web'"),
    (UNUSABLE, "unusable:taken", "a game named 'isolation' is registered already"),
)
def test_an_unusable_game_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, target: str, reason: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "unusable", raising=False)
    (tmp_path / "unusable.py").write_text(module)
    install(tmp_path, "nim-arena", {"misere_nim": f"{TOY_GAMES}:NIM"})
    install(tmp_path, "other-arena", {"other": target})
    games = Games()
    games.register(isolation.GAME)
    assert [*games] == ["isolation", "misere_nim"]
    line = f"game 'other' of package 'other-arena' cannot be used: {reason}"
    assert [str(failure) for failure in games.failures] == [line]
    assert "other" not in games
    with pytest.raises(UnknownGame) as caught:
        games["other"]
    assert str(caught.value) == line


def test_of_two_packages_with_a_game_one_is_used(folder: Path) -> None:
    install(folder, "nim-arena", {"misere_nim": f"{TOY_GAMES}:NIM"})
    install(folder, "same-arena", {"misere_nim": f"{TOY_GAMES}:EVALUATED_NIM"})
    games = Games()
    assert games["misere_nim"].board is Heap
    assert [*games] == ["misere_nim"]
    assert [failure.name for failure in games.failures] == ["misere_nim"]


@loop_over(
    "changed, error",
    ({"name": ""}, ValueError),
    ({"parameters": {5: Parameter("size", 1, (1,))}}, TypeError),
    ({"parameters": {"heap": Parameter("size", 1, [1])}}, TypeError),  # type: ignore[arg-type]
    ({"parameters": {"heap": Parameter("size", 1, ("1",))}}, TypeError),  # type: ignore[arg-type]
    ({"parameters": {"heap": Parameter(None, 1, (1,))}}, TypeError),  # type: ignore[arg-type]
    ({"board": Heap(3)}, TypeError),
    ({"title": None}, TypeError),
    ({"position": None}, TypeError),
    ({"evaluate": 7}, TypeError),
    ({"search": "fast"}, TypeError),
)
def test_an_invalid_game_is_not_registered(changed: dict[str, Any], error: type[Exception]) -> None:
    games = Games()
    with pytest.raises(error):
        games.register(NIM._replace(**changed))
    assert "misere_nim" not in games


def test_the_page_of_a_game_is_a_folder(tmp_path: Path) -> None:
    games = Games()
    games.register(NIM._replace(page=tmp_path))
    assert games["misere_nim"].page == tmp_path
