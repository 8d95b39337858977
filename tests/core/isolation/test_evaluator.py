"""The evaluation of Isolation: what a search to one ply finds, against the reference."""

from hypothesis import given
from hypothesis import strategies as st

from core.isolation import Board
from core.search import search
from tests.core.isolation.test_board import board_of
from tests.support.cases import loop_over
from tests.support.games import isolation_reference as reference
from tests.support.games.isolation_reference import Position, legal_moves, play, safety
from tests.support.games.isolation_strategies import games, positions, unfinished

random_positions = unfinished(st.integers(1, 62))


def value(board: Board, depth: int) -> float:
    """The value of a position for the player to move."""
    result = search(board, depth)
    return result.value if board.player_to_move == 1 else -result.value


@given(random_positions)
def test_one_and_two_plies_maximise_the_safety_of_the_own_piece(position: Position) -> None:
    after = [play(position, move) for move in legal_moves(position)]
    expected = max(reference.evaluate(child, position.mover) for child in after)
    assert value(board_of(position), 1) == expected
    expected = reference.best(position, position.mover, 2)
    assert value(board_of(position), 2) == expected
    swap = str.maketrans("xo", "ox")
    rows = tuple(row.translate(swap) for row in position.rows)
    swapped = Position(rows, reference.other(position.mover))
    assert value(board_of(swapped), 1) == value(board_of(position), 1)


@given(games(st.integers(0, 60)))
def test_values_that_decide_nothing_are_far_from_a_loss(moves: list[int]) -> None:
    assert safety(reference.after(moves), "x") < 45 < reference.LOSS


@given(positions(st.integers(0, 62)))
def test_no_board_is_as_good_as_a_win(position: Position) -> None:
    assert safety(position, "o") < 45


def test_the_first_moves() -> None:
    # From (1 1) there are the row, the column, and the diagonal but for (8 8), 7 steps away.
    assert safety(reference.START, "x") == 7 + 7 + 6 + 2.5 * 7
    # From (1 8) there are the row, the column but for (8 8), and the diagonal; (1 1) and (8 8)
    # are both 7 away.
    assert (search(Board(), 1).move, value(Board(), 1)) == (7, 6 + 6 + 7 + 2.5 * 7)
    assert search(Board([7]), 1).value < 0


@loop_over(
    "rows, player, expected",
    (["x-******", *["********"] * 6, "*******o"], 1, 1000),
    (["x-******", *["********"] * 6, "******-o"], 1, -1000),
    (["x*******", *["********"] * 6, "******-o"], 2, -1000),
)
def test_who_cannot_move_has_the_least_value(rows: list[str], player: int, expected: float) -> None:
    assert search(Board.from_rows(rows, player)).value == expected
