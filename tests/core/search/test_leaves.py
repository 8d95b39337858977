"""Leaves of a search in Python."""

import pytest

from core.game import Evaluation
from core.search.leaves import Leaves, NoEvaluation
from tests.support.cases import loop_over
from tests.support.games.toy_games import EVALUATED_NIM, NIM, Heap, evaluate


def test_positions_at_the_depth_limit_or_the_end_are_leaves() -> None:
    leaves = Leaves(EVALUATED_NIM, 1, 2)
    assert leaves.evaluation(Heap(9, [1]), 1) is None
    assert leaves.evaluation(Heap(9, [1, 2]), 2) == evaluate(Heap(9, [1, 2]), 1)
    over = Heap(3, [3])
    assert Leaves(EVALUATED_NIM, 1, 2).evaluation(over, 1) == evaluate(over, 1)


@loop_over("decides_early", [False, True])
def test_a_decided_position_is_a_leaf_where_the_game_has_such(decides_early: bool) -> None:
    decided = Evaluation(5.0, "decided", is_final=True)
    game = EVALUATED_NIM._replace(evaluate=lambda *_: decided, decides_early=decides_early)
    found = Leaves(game, 1, 3).evaluation(Heap(9, [1]), 1)
    assert found == (decided if decides_early else None)


def test_leaves_have_the_value_for_the_root_or_the_outcome() -> None:
    game = EVALUATED_NIM._replace(decides_early=True)
    assert Leaves(game, 1, 3).evaluation(Heap(9, [1]), 1) is None
    game = EVALUATED_NIM._replace(evaluate=lambda _, player: Evaluation(player, "the player"))
    assert Leaves(game, 2, 1).evaluation(Heap(9, [1]), 1) == (2, "the player", False)
    leaves = Leaves(NIM, 1, 0)
    assert leaves.evaluation(Heap(2, [2]), 1) == (-1.0, "player 1 has taken the last one", False)
    assert leaves.evaluation(Heap(2, [1]), 1) is None
    with pytest.raises(NoEvaluation, match="misere_nim has no evaluation"):
        Leaves(NIM, 1, 2)
