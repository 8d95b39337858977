"""The exact endings of Isolation: what the search sees of them, against the reference."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from core.isolation import Board
from core.isolation.search import plain_search
from core.search import deepen, search
from tests.core.isolation.test_board import board_of
from tests.core.isolation.test_evaluator import value
from tests.support.games import isolation_reference as reference
from tests.support.games.isolation_reference import Position, can_win, legal_moves, longest, play
from tests.support.games.isolation_strategies import unfinished

WIN = reference.LOSS

# On its way to (3 3), x can pass over (2 2), and come back to it to reach (1 3): three moves. Step
# by step it has but two, as many as o.
PASSING = ["x*-*****", "*-******", "**-*****", *["********"] * 4, "*****--o"]

# Both have 15 squares, and none of their many paths uses them all.
HARD = [
    "--****--",
    "*-****-*",
    "x*-**-*o",
    "-*-**-*-",
    "---**---",
    "--****--",
    "-*-**-*-",
    "-*-**-*-",
]


def moves_left(position: Position, piece: str) -> int:
    """How many moves a piece can make if the other never moves."""
    return longest(position.place(piece), reference.empty(position))


@given(unfinished(st.integers(1, 12)))
def test_pieces_that_are_apart_count_their_moves(position: Position) -> None:
    assume(reference.are_apart(position))
    mover = position.mover
    wins = moves_left(position, mover) > moves_left(position, reference.other(mover))
    assert value(board_of(position), 1) == (WIN if wins else -WIN)


def test_moves_and_values_of_endings() -> None:
    assert search(Board.from_rows(PASSING))[:2] == (18, WIN)
    board = Board.from_rows([*PASSING[:7], "****---o"])
    assert search(board).value == -WIN
    result = deepen(Board.from_rows(PASSING), seconds=60)
    assert (result.max_depth, result.stopped) == (1, None)


@given(unfinished(st.integers(1, 9)))
def test_a_search_to_the_end_finds_who_wins_the_game(position: Position) -> None:
    assert value(board_of(position), 0) == (WIN if can_win(position) else -WIN)


@given(unfinished(st.integers(1, 9)))
def test_the_move_of_a_won_position_wins(position: Position) -> None:
    assume(can_win(position))
    move = search(board_of(position)).move
    assert not can_win(play(position, reference.SQUARES[move]))


@given(unfinished(st.integers(1, 12)))
def test_pieces_that_are_apart_are_not_searched(position: Position) -> None:
    assume(reference.are_apart(position))
    assert search(board_of(position)).nodes_visited == 1 + len(legal_moves(position))


def test_where_paths_are_hard_to_find_the_search_looks_ahead() -> None:
    result = search(Board.from_rows(HARD), 2)
    assert result.max_depth == 2
    assert result[:5] == reference.search(Position(tuple(HARD), "x"), 2)


# Without exact endings


@given(unfinished(st.integers(1, 62)), st.integers(1, 3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_ending_sought(monkeypatch: pytest.MonkeyPatch, position: Position, depth: int) -> None:
    board = board_of(position)
    found = search(board, depth, nodes=1500, compiled=plain_search)
    assume(found.stopped is None)
    with monkeypatch.context() as patch:
        patch.setattr(reference, "MOST_FREE", -1)
        assert found[:5] == reference.search(position, depth)


def test_a_plain_search_deepens_to_the_end_of_the_game() -> None:
    found = deepen(Board.from_rows(PASSING), compiled=plain_search)
    assert (found.move, found.value, found.stopped) == (18, WIN, None)
    assert found.max_depth > 1
