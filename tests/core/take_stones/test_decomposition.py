"""The decomposition of all stones, against a library's matching and against the solver."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.take_stones import Board
from core.take_stones.decomposition import Decomposition
from core.take_stones.solver import Solver
from tests.support.cases import loop_over
from tests.support.games.stone_graph import graph, pairs, without

LETTERS = {"outer": "D", "inner": "A", "other": "C"}

FEWER_DELETED = [8000, 8063]  # the stones up to the cube root are not all in A


def check(n: int) -> None:
    """Compare all facts with those of the solver, which deletes and copies nothing."""
    decomposition, solver = Decomposition(n), Solver(Board(n))
    kinds, solution = solver.kinds(), solver.solution()
    sets = "".join(LETTERS[kinds[stone]] for stone in range(1, n + 1))
    assert decomposition.sets().decode() == sets, f"{n} stones"
    assert decomposition.missed == solution.unmatched
    assert decomposition.winning_openings() == solution.winning_moves


@given(st.integers(1, 40))
def test_d_is_what_a_maximum_matching_may_miss(n: int) -> None:
    stones = graph(n, ())
    matched = pairs(stones)
    outer = {stone for stone in stones if pairs(without(stones, stone)) == matched}
    inner = {other for stone in outer for other in stones[stone]} - outer
    expected = ["D" if s in outer else "A" if s in inner else "C" for s in range(1, n + 1)]
    decomposition = Decomposition(n)
    assert decomposition.sets().decode() == "".join(expected)
    assert decomposition.missed == n - 2 * matched


@loop_over("n", [*range(1, 200), *FEWER_DELETED, 20_000, 30_011])
def test_it_is_that_of_the_solver(n: int) -> None:
    check(n)


@pytest.mark.release
@pytest.mark.untraced
def test_it_is_that_of_the_solver_with_up_to_a_million_stones() -> None:
    draw = random.Random(1)
    for _ in range(500):
        check(draw.randint(2001, 10**6))
