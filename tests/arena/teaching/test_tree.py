"""Written trees."""

from arena.teaching import GameTree, Node


def test_a_node_is_a_leaf_without_value_and_max_is_at_the_root_by_default() -> None:
    tree = GameTree(Node("A"))
    assert tree.root == ("A", None, ())
    assert tree.is_max
