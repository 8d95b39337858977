"""Names of nodes, and values as text."""

from math import inf

from arena.teaching import Names, SearchedTree, format_value, trace
from arena.teaching.notation import parse_tree
from core.take_stones import Board
from tests.support.cases import loop_over

TREE = parse_tree("Top(Left(1 2) (3))")


def test_nodes_of_a_written_tree_have_its_names() -> None:
    tree, names = SearchedTree.after(trace(TREE)), Names.of(TREE)
    full = [names.full(tree, node) for node in tree.nodes]
    assert full == [names.short(node) for node in tree.nodes] == ["Top", "Left", "A", "B", "C", "D"]


def test_nodes_of_a_position_are_named_by_the_moves() -> None:
    board = Board(7, [3, 6])
    tree, names = SearchedTree.after(trace(board, 2)), Names.of(board)
    assert [names.full(tree, node) for node in tree.nodes][:5] == ["Root", "1", "2", "1-2", "1-4"]
    assert [names.short(node) for node in tree.nodes][:5] == ["Root", "1", "2", "2", "4"]
    tree, names = SearchedTree.after(trace(board, 2)), Names.of(board, "abcdefg".__getitem__)
    assert names.full(tree, tree.nodes[4]) == "b-e"


@loop_over(
    "value, text",
    (3.0, "3"),
    (-0.5, "-0.5"),
    (-0.0, "0"),
    (inf, "infinity"),
    (-inf, "-infinity"),
    (33.214285714285715, "33.2143"),
    (1234567.25, "1234567.25"),
    (1e300, "1e+300"),
)
def test_values_as_text(value: float, text: str) -> None:
    assert format_value(value) == text
