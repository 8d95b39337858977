"""Written trees."""

from core.alpha_beta import GameTree, Node


def test_nodes_come_depth_first() -> None:
    inner = Node("B", None, (Node("C", 1.0), Node("D", 2.0)))
    tree = GameTree(Node("A", None, (inner, Node("E", 3.0))))
    assert [node.name for node in tree.nodes()] == ["A", "B", "C", "D", "E"]
