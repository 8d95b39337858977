"""Minimax values and counts, against plain recursion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.teaching import GameTree, Minimax, Node, Subtree, TooManyPositions, space_of
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games import reference
from tests.support.games.figure_5_7 import Plain, trees


@given(trees(), st.integers(0, 4))
def test_it_is_plain_minimax(tree: GameTree, depth: int) -> None:
    plain = Plain(depth)
    value = plain.search(tree)
    found = Minimax(space_of(tree, depth)).current()
    assert found == Subtree(value, len(plain.visits), plain.evaluated)


@loop_over("depth", [1, 2, 3, 4, 5])
@loop_over("n", [7, 9, 11])
def test_positions_have_the_value_of_the_reference(n: int, depth: int) -> None:
    found = Minimax(space_of(Board(n, [3]), depth)).current()
    assert found.value == reference.minimax(n, (3,), depth)


def test_the_current_node_counts() -> None:
    space = space_of(GameTree(Node("A", None, (Node("B", None, (Node("C", 3.0),)),))))
    minimax = Minimax(space)
    space.play("B")
    assert minimax.current() == Subtree(3.0, 2, 1)
    space.undo()
    assert minimax.current() == Subtree(3.0, 3, 1)


def test_equal_positions_are_searched_once_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 4500)
    assert Minimax(space_of(Board(16, [3]))).current().visited == 9266
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 1000)
    with pytest.raises(TooManyPositions, match="the tree has more than 1,000 different positions"):
        Minimax(space_of(Board(16))).current()
