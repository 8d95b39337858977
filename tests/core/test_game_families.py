"""Families of games, found by their prefix."""

from pathlib import Path

import pytest

from core.game_families import GROUP, GameFamilies, UnknownFamily
from core.registry import Games, UnknownGame
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM, Heap

FAMILY = """
from tests.support.games.toy_games import NIM

calls = []

def find(name):
    calls.append(name)
    if name not in ("nim", "nim()"):
        raise ValueError(f"there is no {name}")
    return NIM._replace(name="toys:nim")

def names():
    return ["nim"]
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a family with the prefix toys, and return the name of its module."""
    monkeypatch.syspath_prepend(tmp_path)
    name = f"family_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(FAMILY)
    info = tmp_path / "toy_family-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-family\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\ntoys = {name}\n")
    return name


def test_a_game_is_found_once_by_its_prefix(module: str) -> None:
    families = GameFamilies()
    game = families.find("toys:nim")
    assert (game.name, game.board) == ("toys:nim", Heap)
    assert families.find("toys:nim") is game
    assert __import__(module).calls == ["nim"]
    assert [*families.games()] == [game]


def test_a_game_with_two_names_is_the_same_game(module: str) -> None:
    families = GameFamilies()
    game = families.find("toys:nim()")
    assert game.name == "toys:nim"
    assert families.find("toys:nim") is game
    assert families.find("toys:nim()") is game
    assert __import__(module).calls == ["nim()"]


@pytest.mark.usefixtures("module")
def test_families_and_their_games_are_listed() -> None:
    families = GameFamilies()
    assert "toys" in [*families]
    assert families.names("toys") == ["toys:nim"]
    with pytest.raises(UnknownFamily):
        families.names("cards")
    games = Games()
    found = games["toys:nim"]
    assert games.of(Heap(3)) is found
    assert [*games] == []
    assert "toys:go" not in games


def test_only_allowed_games_are_found(module: str) -> None:
    games = Games()
    games.families.allow_only(["toys:nim"])
    assert games["toys:nim"].name == "toys:nim"
    with pytest.raises(UnknownGame) as error:
        games["toys:go"]
    assert str(error.value) == "game 'toys:go' cannot be used: this arena does not play it"
    assert __import__(module).calls == ["nim"]


@loop_over(
    "name, text",
    ("toys:go", "game 'toys:go' cannot be used: there is no go"),
    ("cards:poker", "unknown game 'cards:poker' (choose from misere_nim)"),
)
@pytest.mark.usefixtures("module")
def test_unknown_games(name: str, text: str) -> None:
    games = Games()
    games[NIM.name] = NIM
    with pytest.raises(UnknownGame) as error:
        games[name]
    assert str(error.value) == text
