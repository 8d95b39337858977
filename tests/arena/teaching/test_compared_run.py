"""A finished search beside minimax, and the answer to "same as minimax?"."""

import sys

import pytest

from arena.teaching import VARIANTS, Subtree, run
from arena.teaching.compared_run import SHOWN, same_as_minimax
from arena.teaching.notation import parse_tree
from core.take_stones import Board
from tests.support.games import reference

TREE = parse_tree("((3 12 8) (2 (4 1) 6) (14 5 2))")
CUT = parse_tree("((3 5) (2 1))")


def test_every_node_has_its_minimax_value() -> None:
    found = run(TREE)
    values = {node.move: node.minimax for node in found.tree.nodes}
    expected = [3.0, 3.0, 2.0, 2.0, 3.0, 12.0, 8.0, 2.0, 4.0, 6.0, 14.0, 5.0, 2.0, 4.0, 1.0]
    assert values == dict(zip([None, *"BCDEFGHIJKLMNO"], expected, strict=True))
    assert found.minimax == Subtree(3.0, 15, 10)


def test_what_was_cut_off_is_shown_whole() -> None:
    found = run(TREE)
    assert found.is_complete
    nodes = found.tree.nodes
    [pruned] = [node for node in nodes if node.move == "I"]
    assert [nodes[child].move for child in pruned.children] == ["N", "O"]
    assert not any(nodes[child].is_visited for child in pruned.children)


def test_of_a_large_tree_only_what_was_generated_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["arena.teaching.compared_run"], "MAX_COMPLETE", 14)
    found = run(TREE)
    assert {node.move for node in found.tree.nodes} == {None, *"BCDEFGHIJKLM"}
    assert not found.is_complete


def test_minimax_is_that_of_the_reference_and_moves_are_named() -> None:
    found = run(Board(9, [3, 6]), 4)
    assert found.minimax
    assert found.minimax.value == reference.minimax(9, (3, 6), 4) == found.tree.totals.value
    found = run(Board(7, [3, 6]), move_name="stone {}".format)
    assert found.names.short(found.tree.nodes[1]) == "stone 1"
    found = run(TREE, limit=5, variant=VARIANTS["fail-hard"])
    assert (found.tree.limit, found.minimax) == (5, Subtree(3.0, 15, 10))
    assert len(found.tree.nodes) == 15


def test_a_tree_may_be_too_large_for_minimax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 10)
    found = run(TREE)
    assert (found.minimax, found.tree.nodes[0].minimax, found.tree.totals.value) == (None, None, 3)
    assert not found.is_complete


def test_values_that_are_the_same_or_not() -> None:
    found = same_as_minimax(run(parse_tree("((2 5) (3 9))")))
    assert found == (True, "Yes: both give the root the value 3. All nodes were visited.")
    found = same_as_minimax(run(CUT)._replace(minimax=Subtree(4.0, 7, 4)))
    assert found == (False, "No: minimax gives the root the value 4.")


def test_below_a_cutoff_nothing_counts() -> None:
    found = same_as_minimax(run(CUT))
    assert found.is_same is True
    assert found.words == (
        "Yes: both give the root the value 3. 1 of 7 nodes were left out. Below a cutoff no "
        "value can change that of the root, as a player has a choice that is at least as good. "
        "Where a search was cut off, v is only a bound on the minimax value: C."
    )


def test_a_few_bounds_are_listed() -> None:
    tree = parse_tree(f"((3 5) {' '.join(['(2 1)'] * 8)})")
    assert same_as_minimax(run(tree)).words.endswith("value: C, D, E, F, G and 3 more.")
    tree = parse_tree(f"((3 5) {' '.join(['(2 1)'] * SHOWN)})")
    assert same_as_minimax(run(tree)).words.endswith("value: C, D, E, F, G.")


def test_equal_positions_have_equal_values() -> None:
    found = same_as_minimax(run(Board(7, [3, 6]), variant=VARIANTS["transpositions"]))
    assert "Equal positions have equal values." in found.words
    variant = VARIANTS["transpositions"]._replace(prunes=False)
    words = same_as_minimax(run(Board(13, [3]), variant=variant)).words
    assert words.endswith(" nodes were left out. Equal positions have equal values.")


def test_what_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    found = same_as_minimax(run(CUT, limit=9))
    assert found == (None, "Unknown: the trace stops after 9 steps.")
    assert run(Board(16, [3]), limit=9).minimax is None  # which would take long
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 2)
    found = same_as_minimax(run(CUT))
    assert found == (None, "Not compared: the tree is too large for minimax.")
