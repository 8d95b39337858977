"""The values of core.game: illegal moves, parameters, and whether a game has a board."""

import pickle
from pathlib import Path

import pytest

from core.game import IllegalMove, Parameter
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM

ERROR = IllegalMove(move=4, number=3, rule="stone 4 has already been taken")


def test_an_illegal_move_tells_place_and_rule_also_pickled() -> None:
    with pytest.raises(ValueError, match="stone 4"):
        raise ERROR
    assert str(ERROR) == "illegal move 3: stone 4 has already been taken"
    assert (ERROR.move, ERROR.number, ERROR.rule) == (4, 3, "stone 4 has already been taken")
    again = pickle.loads(pickle.dumps(ERROR))
    assert (type(again), again.__dict__) == (IllegalMove, ERROR.__dict__)


@loop_over(("value", "limit"), [(2, "at least 3"), (3, None), (8, None), (9, "at most 8")])
def test_a_value_breaks_a_limit(value: int, limit: str | None) -> None:
    assert Parameter("size", 3, (8,), maximum=8).broken_limit(value) == limit


def test_without_a_maximum_no_value_is_too_large() -> None:
    assert Parameter("size", 3, (8,)).broken_limit(10**30) is None


@loop_over(("setup", "completed"), [({}, {"side": 8}), ({"side": 5, "n": 1}, {"side": 5, "n": 1})])
def test_setups_are_completed(setup: dict[str, int], completed: dict[str, int]) -> None:
    parameters = {"side": Parameter("size", 3, (8,), default=8), "n": Parameter("n", 1, (1,))}
    assert NIM._replace(parameters=parameters).completed(setup) == completed


def test_games_have_boards_in_folders_that_have_the_module(tmp_path: Path) -> None:
    game = NIM._replace(page=tmp_path)
    assert not NIM.has_board
    assert not game.has_board
    (tmp_path / "board.js").touch()
    assert game.has_board
    (tmp_path / "web").touch()
    assert not NIM._replace(page=tmp_path / "web").has_board
    assert not NIM._replace(page=tmp_path / "none").has_board


def test_a_game_whose_board_cannot_be_read_has_none(shared_folder: Path) -> None:
    game = NIM._replace(page=shared_folder / "web")
    module = shared_folder / "web" / "board.js"
    module.parent.mkdir()
    module.touch(mode=0)
    assert not game.has_board
    module.chmod(0o400)
    assert game.has_board
    for mode in (0, 0o100, 0o400):  # neither listed nor read, only read, only listed
        module.parent.chmod(mode)
        assert not game.has_board
    module.parent.chmod(0o700)
