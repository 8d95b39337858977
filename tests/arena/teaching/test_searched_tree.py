"""The tree that events build: what is known of each node, and the totals so far."""

from itertools import islice
from math import inf

from arena.teaching import VARIANTS, SearchedTree, Totals, trace
from arena.teaching.notation import parse_tree
from core.search import search
from core.take_stones import Board
from tests.support.cases import loop_over

TREE = parse_tree("((3 5) (2 9))")  # A(B(D E) C(F G))


def tree_after(count: int) -> SearchedTree:
    return SearchedTree.after(islice(trace(TREE), count))


def test_trees_that_begin_or_were_stopped() -> None:
    [root] = tree_after(0).nodes
    assert (root.is_visited, root.value, root.move, root.parent) == (False, None, None, None)
    assert tree_after(0).totals == Totals(None, None, 0, 0, 0)
    tree = SearchedTree.after(trace(TREE, limit=10))
    assert (tree.limit, tree.nodes[0].is_finished) == (10, False)


def test_generated_children_are_not_visited() -> None:
    tree = tree_after(2)
    assert [node.move for node in tree.nodes] == [None, "B", "C"]
    assert [node.is_visited for node in tree.nodes] == [True, False, False]
    assert [(node.parent, node.depth, node.is_max) for node in tree.nodes[1:]] == [
        (0, 1, False)
    ] * 2


def test_a_finished_tree() -> None:
    tree = tree_after(24)
    facts = [
        (node.value, node.alpha, node.beta, node.bound, node.is_finished) for node in tree.nodes
    ]
    assert facts == [
        (3.0, 3.0, inf, None, True),
        (3.0, -inf, 3.0, None, True),
        (2.0, 3.0, inf, 3.0, True),
        (3.0, -inf, inf, None, True),
        (5.0, -inf, 3.0, None, True),
        (2.0, 3.0, inf, None, True),
        (None, -inf, inf, None, False),
    ]
    assert tree.totals == Totals("B", 3.0, 6, 3, 2)
    assert tree.totals.branching_factor == 5 / 3
    assert tree.limit is None


def test_the_branching_factor_is_that_of_the_search() -> None:
    board = Board(12, [3])
    found = SearchedTree.after(trace(board, 4)).totals
    assert found.branching_factor == search(board, 4).branching_factor
    assert Totals(None, 1.0, 1, 1, 0).branching_factor == 0.0


def test_a_node_that_uses_the_value_of_another() -> None:
    tree = SearchedTree.after(trace(Board(7, [3, 6]), variant=VARIANTS["transpositions"]))
    [node] = [node for node in tree.nodes if node.same_as is not None]
    assert node.same_as is not None
    assert node.value == tree.nodes[node.same_as].value


@loop_over("is_max", [True, False])
def test_the_player_at_the_root(is_max: bool) -> None:
    tree = SearchedTree.after(trace(TREE._replace(is_max=is_max)))
    assert [tree.nodes[number].is_max for number in (0, 1, 3)] == [is_max, not is_max, is_max]
