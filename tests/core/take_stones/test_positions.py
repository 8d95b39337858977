"""Positions in the arguments of commands; tests of the commands have all errors."""

import pytest

from core.cli import UsageError
from core.take_stones import Board
from core.take_stones.positions import parse_position


def test_positions_their_usage_and_a_game_that_is_over() -> None:
    assert parse_position(["7", "2", "3", "6", "4"], "?") == (Board(7, [3, 6]), 4)
    assert parse_position(["7", "1", "4", "0"], "?")[0].taken == [4]
    with pytest.raises(UsageError, match="at least 3 arguments are needed, not 1; usage: this way"):
        parse_position(["7"], "this way")
    with pytest.raises(UsageError, match=r"the game is over: player 2 .Min. cannot move") as error:
        parse_position(["3", "3", "2", "1", "3", "0"], "?")
    assert error.value.status == 1
