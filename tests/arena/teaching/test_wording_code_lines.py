"""The pseudocode, and the lines that a search runs through."""

from itertools import pairwise

import pytest
from hypothesis import given

from arena.teaching import VARIANTS, GameTree, Names, SearchedTree, pseudocode, steps, trace
from arena.teaching.events import Cutoff, Enter, Stop, Update
from arena.teaching.notation import parse_tree
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.figure_5_7 import trees

TREE = parse_tree("((3 5) (2 9))")


def texts(variant: str) -> list[str]:
    return [line.text for line in pseudocode(VARIANTS[variant]).lines]


def lines(variant: str, tree: GameTree = TREE) -> list[tuple[int, ...]]:
    chosen = VARIANTS[variant]
    return [step.lines for step in steps(trace(tree, variant=chosen), chosen, Names.of(tree))]


@loop_over("variant", VARIANTS)
def test_lines_are_numbered(variant: str) -> None:
    found = pseudocode(VARIANTS[variant]).lines
    assert [line.number for line in found] == [*range(1, len(found) + 1)]
    assert {line.indentation for line in found} == {0, 1, 2}


def test_variants_differ_where_the_search_differs() -> None:
    assert "if v >= beta: return v" in texts("alpha-beta")
    assert "if v >= beta: return beta" in texts("fail-hard")
    assert "v = beta" in texts("fail-hard")
    assert "for each child of node, the best first:" in texts("best-first")
    assert "if a stored value of an equal node suffices: return it" in texts("transpositions")
    assert not [text for text in texts("minimax") if "alpha" in text or "beta" in text]


def test_the_lines_of_a_search() -> None:
    leaf, max_leaf = [(1,), (2,), (2,)], (13, 15)
    assert lines("alpha-beta") == [
        *[(1,), (3, 4), (9,), (11, 12)],
        *[*leaf, max_leaf, *leaf, max_leaf, (16,), (5, 7)],
        *[(9,), (11, 12), *leaf, (13,), (14,), (14,), (5, 7)],
        (8,),
    ]


@pytest.mark.parametrize("variant", VARIANTS)
@given(tree=trees(max_leaves=15))
def test_every_step_has_lines_of_its_player(variant: str, tree: GameTree) -> None:
    chosen = VARIANTS[variant]
    half = len(pseudocode(chosen).lines) // 2
    searched = SearchedTree()
    for event, _, numbers in steps(trace(tree, variant=chosen), chosen, Names.of(tree)):
        searched.apply(event)
        assert not isinstance(event, Stop)
        is_max = searched.nodes[event.node].is_max
        assert numbers
        assert all((number <= half) == is_max for number in numbers)


def test_a_cutoff_follows_an_update_without_a_bound() -> None:
    chosen = VARIANTS["alpha-beta"]
    found = [*steps(trace(Board(9, [3])), chosen, Names())]
    before = [one.lines for one, two in pairwise(found) if isinstance(two.event, Cutoff)]
    others = [
        one.lines
        for one, two in pairwise(found)
        if isinstance(one.event, Update) and not isinstance(two.event, Cutoff)
    ]
    assert set(before) == {(5,), (13,)}
    assert set(others) == {(5, 7), (13, 15)}


def test_reused_values_have_lines_and_limits_have_none() -> None:
    chosen = VARIANTS["transpositions"]
    found = [*steps(trace(Board(7, [3, 6]), variant=chosen), chosen, Names())]
    [index] = [n for n, step in enumerate(found) if "same position" in step.words]
    assert isinstance(found[index - 1].event, Enter)
    assert [step.lines for step in found[index : index + 2]] == [(11,), (11,)]
    chosen = VARIANTS["alpha-beta"]
    *_, last = steps(trace(TREE, limit=3), chosen, Names.of(TREE))
    assert last.lines == ()
