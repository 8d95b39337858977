"""The answer to "same as minimax?"."""

import pytest

from arena.teaching import VARIANTS, Subtree, run
from arena.teaching.comparison import SHOWN, same_as_minimax
from arena.teaching.notation import parse_tree
from core.take_stones import Board

TREE = parse_tree("((3 5) (2 1))")


def test_values_that_are_the_same_or_not() -> None:
    found = same_as_minimax(run(parse_tree("((2 5) (3 9))")))
    assert found == (True, "Yes: both give the root the value 3. All nodes were visited.")
    found = same_as_minimax(run(TREE)._replace(minimax=Subtree(4.0, 7, 4)))
    assert found == (False, "No: minimax gives the root the value 4.")


def test_below_a_cutoff_nothing_counts() -> None:
    found = same_as_minimax(run(TREE))
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
    found = same_as_minimax(run(TREE, limit=9))
    assert found == (None, "Unknown: the trace stops after 9 steps.")
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 2)
    found = same_as_minimax(run(TREE))
    assert found == (None, "Not compared: the tree is too large for minimax.")
