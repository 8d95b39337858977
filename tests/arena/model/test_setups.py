"""Setups in which a match can begin."""

import pytest

from arena.model.setups import check_start, completed
from core import GAMES
from tests.support.cases import loop_over


@loop_over("stones", [3, 4, 100])
def test_a_setup_with_a_first_move(stones: int) -> None:
    check_start(GAMES["take_stones"], {"stones": stones})


@loop_over("stones", [1, 2])
def test_a_setup_without_a_first_move(stones: int) -> None:
    with pytest.raises(ValueError, match=r"^player 1 cannot move at the start of take_stones$"):
        check_start(GAMES["take_stones"], {"stones": stones})


@loop_over(("game", "expected"), [("isolation", {"size": 8}), ("take_stones", {}), ("chess", {})])
def test_stored_setups_are_completed_by_defaults(game: str, expected: dict[str, int]) -> None:
    assert completed(game, {}) == expected


def test_a_setup_that_the_game_rejects() -> None:
    with pytest.raises(ValueError, match=r"^n must be at least 1, not 0$"):
        check_start(GAMES["take_stones"], {"stones": 0})
