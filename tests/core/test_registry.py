"""The registry of games: ours, registered ones, and those of installed packages."""

import pytest

from core import GAMES, game_of, register, registry, solver_of
from core.game import Game
from core.take_stones import Board
from tests.support.toy_games import NIM, Heap


class Entry:
    """An entry point as an installed package declares it."""

    def load(self) -> Game:
        return NIM


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with a game."""
    monkeypatch.setattr(registry, "GAMES", registry.Games())
    entries = {registry.GROUP: [Entry()]}
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries[group])


def test_our_games_come_first() -> None:
    assert [*GAMES][:2] == ["take_stones", "isolation"]
    assert len(GAMES) >= 2


def test_a_game_is_registered_once() -> None:
    with pytest.raises(ValueError, match="'isolation' is registered already"):
        register(GAMES["isolation"])


@pytest.mark.usefixtures("installed")
def test_the_game_of_a_package_is_found_by_name() -> None:
    assert registry.GAMES["misere_nim"] is NIM


@pytest.mark.usefixtures("installed")
def test_the_game_of_a_package_is_listed() -> None:
    assert [*registry.GAMES] == ["misere_nim"]
    assert len(registry.GAMES) == 1


@pytest.mark.usefixtures("installed")
def test_the_game_of_a_position() -> None:
    registry.GAMES["misere_nim"]
    assert game_of(Heap(3)) is NIM


def test_a_position_of_no_game() -> None:
    with pytest.raises(ValueError, match="Heap is the position of no registered game"):
        game_of(Heap(3))


def test_an_unknown_game() -> None:
    with pytest.raises(KeyError):
        GAMES["chess"]


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
