"""Games of OpenSpiel by their names."""

import importlib
import random
import sys

import pyspiel
import pytest

from arena.integrations import openspiel_family
from arena.integrations.openspiel_family import INSTALL, find, names
from core import GAMES
from core.registry import UnknownGame
from tests.support.cases import loop_over


def test_games_are_found_by_prefix_and_parameters() -> None:
    game = GAMES["openspiel:hex"]
    assert (game.name, game.title, game.parameters) == ("openspiel:hex", "Hex", {})
    game = GAMES["openspiel:connect_four(rows=5,columns=6)"]
    assert game.name == "openspiel:connect_four(columns=6,rows=5)"
    assert game.title == "Connect Four (columns 6, rows 5)"
    assert game.position().legal_moves() == [*range(6)]
    assert GAMES[game.name] is game
    assert GAMES["openspiel:connect_four()"] is GAMES["openspiel:connect_four"]


def test_games_of_two_players_in_turn_are_listed() -> None:
    listed = names()
    expected = {"breakthrough", "chess", "clobber", "connect_four", "hex", "othello", "tic_tac_toe"}
    assert expected <= {*listed}
    # Players make several moves in a row, roll dice, or play a game with known issues.
    assert not {"amazons", "chinese_checkers", "backgammon", "quoridor"} & {*listed}


def test_games_that_this_process_has_registered_are_not_listed() -> None:
    importlib.import_module("arena.integrations.openspiel")
    assert "python_take_stones" in pyspiel.registered_names()
    assert not [name for name in names() if "take_stones" in name]
    with pytest.raises(ValueError, match=r"^it is not of two players"):
        find("python_take_stones")


@loop_over(
    "name, reason",
    ("bridge_game", "OpenSpiel has no game 'bridge_game'"),
    ("bridge_game(rows=5)", "OpenSpiel has no game 'bridge_game'"),
    ("", "expected NAME or NAME(PARAMETER=VALUE,...)"),
    ("hex(rows=5)", "unknown parameter 'rows' (parameters: board_size=11, num_cols=11, num_r"),
    ("hex(board_size=x)", "parameter board_size: expected a whole number from 1 to 2000, got"),
    ("hex(board_size=1)", "OpenSpiel cannot play it: there is no legal move"),
    ("hex(board_size=500)", "it has 250,000 different moves (at most 20,000)"),
    ("clobber(rows=1)", "OpenSpiel requires bases[i] > 1"),
    ("go(board_size=20)", "OpenSpiel cannot play it: The current Go implementation supports"),
    ("twixt(ansi_color_output=True)", "unknown parameter 'ansi_color_output' (parameters: b"),
    ("kuhn_poker", "it is not of two players with perfect information, turns, no chance"),
    ("amazons", "its players do not move in turn"),
)
def test_one_line_of_refusal(name: str, reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnknownGame) as error:
        GAMES[f"openspiel:{name}"]
    text = str(error.value)
    assert text.startswith(f"game 'openspiel:{name}' cannot be used: {reason}")
    assert len(text.splitlines()) == 1
    assert capfd.readouterr().err == ""


def test_a_game_with_slow_moves_is_tried_only_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel_family, "RANDOM_SECONDS", 0.0)  # it would take minutes
    assert find("connect_four(rows=2000,columns=2000)").position().legal_moves() == [*range(2000)]


def test_standard_error_works_after_a_game_was_refused(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=r"^OpenSpiel requires"):
        find("clobber(rows=1)")
    print("after", file=sys.stderr)
    assert capfd.readouterr().err == "after\n"


def test_an_error_without_a_text_has_its_type(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(random, "Random", fail)
    with pytest.raises(ValueError, match=r"^OpenSpiel cannot play it: MemoryError$"):
        find("hex")


def test_without_the_library_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ValueError, match=r"^OpenSpiel is not installed") as error:
        find("hex")
    assert str(error.value) == INSTALL
