"""What is searched: positions and written trees, with a current node."""

import pytest

from arena.teaching import GameTree, Node, space_of
from core import GAMES
from core.take_stones import Board
from tests.support.games.toy_games import NIM, Heap

TREE = GameTree(Node("A", 7.0, (Node("B", 1.0), Node("C", 2.0, (Node("D", 3.0),)))), is_max=False)


def test_a_node_is_a_leaf_without_value_and_max_is_at_the_root_by_default() -> None:
    tree = GameTree(Node("A"))
    assert tree.root == ("A", None, ())
    assert tree.is_max


def test_a_tree_is_walked_by_names() -> None:
    space = space_of(TREE)
    assert (space.is_max, space.leaf(), [*space.moves()]) == (False, None, ["B", "C"])
    space.play("C")
    assert (space.is_max, space.leaf(), [*space.moves()]) == (True, None, ["D"])
    space.play("D")
    assert (space.is_max, space.leaf()) == (False, (3.0, "it is a leaf", False))
    space.undo()
    space.undo()
    space.play("B")
    assert space.leaf() == (1.0, "it is a leaf", False)


def test_a_depth_makes_leaves_of_inner_nodes() -> None:
    space = space_of(TREE, 1)
    assert space.leaf() is None
    space.play("C")
    assert space.leaf() == (2.0, "it is at the depth limit", False)


def test_a_position_is_walked_by_moves() -> None:
    space = space_of(Board(7, [3, 6]))
    assert (space.is_max, space.leaf(), [*space.moves()]) == (True, None, [1, 2])
    before = space.key()
    space.play(2)
    assert (space.is_max, space.key() == before) == (False, False)
    space.undo()
    assert space.key() == before


def test_the_root_is_not_evaluated_at_a_depth() -> None:
    space = space_of(Board(7, [3, 6]), 1)
    assert space.leaf() is None
    space.play(2)
    evaluation = space.leaf()
    assert evaluation
    assert evaluation.words.startswith("Stone 1 has not been taken")


def test_without_an_evaluation_the_outcome_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    space = space_of(Heap(2))
    space.play(2)
    assert space.leaf() == (-1.0, "player 1 has taken the last one", False)
    space.undo()
    space.play(1)
    assert space.leaf() is None
