"""The search on boards of Isolation, against the reference and on its own."""

import time

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.isolation import GAME, Board
from core.search import Limits, deepen, search
from core.search.generic import search_position
from tests.core.isolation.test_board import board_of
from tests.support.cases import loop_over
from tests.support.games import isolation_reference as reference
from tests.support.games.isolation_reference import Position
from tests.support.games.isolation_strategies import unfinished
from tests.support.games.progress import first_reports

NODES = 1500  # that the reference can visit in a short time


def assert_as_reference(position: Position, depth: int) -> None:
    board = board_of(position)
    assume(search(board, depth, nodes=NODES).stopped is None)
    assert search(board, depth)[:5] == reference.search(position, depth)


# The numbers.


@given(unfinished(st.integers(1, 62)), st.integers(1, 3))
@example(reference.START, 2)
def test_any_board_to_a_depth(position: Position, depth: int) -> None:
    assert_as_reference(position, depth)


@given(unfinished(st.integers(1, 12)))
def test_any_board_to_the_end(position: Position) -> None:
    assert_as_reference(position, 0)


@given(unfinished(st.integers(1, 20)), st.integers(1, 3))
def test_the_value_is_that_of_minimax(position: Position, depth: int) -> None:
    result = search(board_of(position), depth)
    value = result.value if position.mover == "x" else -result.value
    assert value == reference.best(position, position.mover, depth)


@given(unfinished(st.integers(1, 20)), st.integers(1, 3), st.sampled_from((1, 2)))
def test_a_search_that_either_player_began(position: Position, depth: int, player: int) -> None:
    board = board_of(position)
    expected = search_position(GAME, board, Limits(depth), None, player)
    assert search(board, depth, player=player) == expected


def test_a_board_from_rows_is_searched_as_a_game() -> None:
    board = Board([7, 56])
    assert search(Board.from_rows(board.rows), 4) == search(board, 4)


# Limits.


@loop_over("nodes", [1, 2, 1023, 1024, 1025, 5000])
def test_a_search_stops_at_its_number_of_nodes(nodes: int) -> None:
    result = search(Board(), nodes=nodes)
    assert (result.nodes_visited, result.stopped) == (nodes, "nodes")


def test_searches_that_stop_early_name_a_move() -> None:
    assert search(Board(), nodes=1).move == 1
    assert first_reports(lambda report: search(Board(), report=report))[0].move == 1
    result = deepen(Board(), seconds=0.05)
    assert result._replace(stopped=None) == search(Board(), result.max_depth)


# Iterative deepening.


def test_deepening_reaches_its_ply_or_the_end_of_the_game() -> None:
    assert deepen(Board(), 4, seconds=60) == search(Board(), 4)
    board = Board.from_rows(["x--*****", *["********"] * 6, "*****--o"])
    assert deepen(board, seconds=60) == search(board)


@pytest.mark.untraced
def test_five_plies_take_a_small_part_of_a_minute() -> None:
    """Any machine visits so many nodes in that time."""
    assert deepen(Board(), 5, nodes=150_000).stopped is None


@pytest.mark.untraced
@loop_over("seconds", [0, 0.001, 0.05])
def test_deepening_keeps_to_its_time(seconds: float) -> None:
    start = time.thread_time()  # it stands still while a busy machine halts the thread
    deepen(Board(), seconds=seconds)
    assert time.thread_time() - start < seconds + 0.05
