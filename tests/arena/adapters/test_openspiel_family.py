"""Games of OpenSpiel by their names."""

import importlib
import sys

import pyspiel
import pytest

from arena.adapters.openspiel_family import INSTALL, find, names
from core import GAMES
from core.registry import UnknownGame


def test_a_game_is_found_by_its_prefix() -> None:
    game = GAMES["openspiel:hex"]
    assert (game.name, game.title, game.parameters) == ("openspiel:hex", "Hex", {})


def test_games_of_two_players_in_turn_are_listed() -> None:
    listed = names()
    expected = {"breakthrough", "chess", "clobber", "connect_four", "hex", "othello", "tic_tac_toe"}
    assert expected <= {*listed}
    # Players make several moves in a row, roll dice, or play a game with known issues.
    assert not {"amazons", "chinese_checkers", "backgammon", "quoridor"} & {*listed}


def test_games_that_this_process_has_registered_are_not_listed() -> None:
    importlib.import_module("arena.adapters.openspiel")
    assert "python_take_stones" in pyspiel.registered_names()
    assert not [name for name in names() if "take_stones" in name]
    with pytest.raises(ValueError, match=r"^it is not of two players"):
        find("python_take_stones")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("bridge_game", "OpenSpiel has no game 'bridge_game'"),
        ("", "OpenSpiel has no game ''"),
        ("kuhn_poker", "it is not of two players with perfect information, turns, no chance"),
        ("quoridor", "it is not of two players with perfect information, turns, no chance"),
        ("amazons", "its players do not move in turn"),
    ],
)
def test_other_games_are_refused_in_one_line(name: str, reason: str) -> None:
    with pytest.raises(UnknownGame) as error:
        GAMES[f"openspiel:{name}"]
    text = str(error.value)
    assert text.startswith(f"game 'openspiel:{name}' cannot be used: {reason}")
    assert len(text.splitlines()) == 1


def test_without_the_library_the_reason_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ValueError, match=r"^OpenSpiel is not installed") as error:
        find("hex")
    assert str(error.value) == INSTALL
