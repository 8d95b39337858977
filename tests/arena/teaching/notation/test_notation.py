"""The notation is recognised by the content."""

import pytest

from arena.teaching import GameTree, Node
from arena.teaching.notation import TreeError, parse_tree
from tests.support.cases import loop_over

LEAVES = (Node("D", 3.0), Node("E", 5.0)), (Node("F", 2.0), Node("G", 9.0))
TREE = GameTree(Node("A", None, (Node("B", None, LEAVES[0]), Node("C", None, LEAVES[1]))))

TEXTS = {
    "brackets": "((3 5) (2 9))",
    "commas": "((3, 5), (2, 9))",
    "lists": "[[3, 5], [2, 9]]",
    "objects": '{"children": [{"children": [3, 5]}, {"children": [2, 9]}]}',
    "lines": "*\n  *\n    3\n    5\n  *\n    2\n    9\n",
}


@loop_over("text", TEXTS.values())
@loop_over("before", ["", "\n\n", "\ufeff"])
def test_notations_mean_the_same(text: str, before: str) -> None:
    assert parse_tree(before + text) == TREE


@loop_over("text", ["", " \n", ", ,", "# nothing\n", "#\n # (3 4)"])
def test_a_text_may_have_no_tree(text: str) -> None:
    with pytest.raises(TreeError, match=r"^the text has no tree$"):
        parse_tree(text)


@loop_over(
    "text",
    ["# of Max\n((3 5) # left\n (2 9)) # right", "# of Max\nA # top\n B\n  3 #\n  5\n C\n  2\n  9"],
)
def test_comments_are_skipped(text: str) -> None:
    assert parse_tree(text) == TREE
