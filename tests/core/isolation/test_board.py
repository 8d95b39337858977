"""The board of Isolation."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import IllegalMove, Outcome
from core.isolation import Board
from tests.support.cases import loop_over
from tests.support.games import isolation_reference as reference
from tests.support.games.isolation_reference import Position, number
from tests.support.games.isolation_strategies import SIZES, games, positions

START = ["x-------", *["--------"] * 6, "-------o"]

WALLED = ["x*------", "**------", *["--------"] * 5, "-------o"]  # x cannot move


@st.composite
def random_games(draw: st.DrawFn) -> tuple[Board, Position]:
    """A board of any size after random moves, and the same position of the reference."""
    start = reference.start(draw(SIZES))
    moves = draw(games(st.integers(0, 60), start))
    return Board(moves, size=start.size), reference.after(moves, start)


random_positions = positions(st.integers(0, 62))


def board_of(position: Position) -> Board:
    return Board.from_rows(position.rows, 1 + "xo".index(position.mover))


def with_row(row: int, symbols: str) -> list[str]:
    """The start with another row, counted from 1."""
    rows = START.copy()
    rows[row - 1] = symbols
    return rows


# The start of a game.


def test_the_start_and_numbered_moves() -> None:
    assert Board().rows == START
    row, column, diagonal = range(1, 8), range(8, 57, 8), range(9, 55, 9)
    assert Board().legal_moves() == sorted([*row, *column, *diagonal])
    assert Board([7]).player_to_move == 2
    assert Board([7]).rows[0] == "*------x"
    assert "".join(Board([7]).rows).count("*") == 1
    with pytest.raises(IllegalMove, match=r"^illegal move 2: square \(1 1\) is filled$"):
        Board([7, 0])


# The rules, against the reference.


@given(random_games())
def test_rows_and_moves_are_those_of_the_reference(game: tuple[Board, Position]) -> None:
    board, position = game
    assert tuple(board.rows) == position.rows
    expected = [number(square) for square in reference.legal_moves(position)]
    assert board.legal_moves() == expected


@given(random_positions)
def test_any_board_is_that_of_the_reference(position: Position) -> None:
    expected = [number(square) for square in reference.legal_moves(position)]
    assert board_of(position).legal_moves() == expected
    loser = 2 - "ox".index(position.mover)
    lost = Outcome.no_legal_move(loser)
    assert board_of(position).outcome == (None if reference.legal_moves(position) else lost)
    assert tuple(board_of(position).rows) == position.rows


@given(random_positions, st.integers(-1, 64))
def test_exactly_the_legal_moves_can_be_taken(position: Position, square: int) -> None:
    legal = [number(square) for square in reference.legal_moves(position)]
    try:
        board_of(position).play(square)
    except IllegalMove:
        assert square not in legal
    else:
        assert square in legal


@loop_over("size", [-1, 2, 9, 10**30])
def test_a_board_has_three_to_eight_rows(size: int) -> None:
    with pytest.raises(ValueError, match=f"^size must be from 3 to 8, not {size}$"):
        Board(size=size)


@loop_over("size", range(3, 9))
def test_each_size_has_its_start(size: int) -> None:
    assert tuple(Board(size=size).rows) == reference.start(size).rows
    assert Board(size=size).size == size


def test_sizes_and_equality_of_boards() -> None:
    small = Board(size=7)
    large = Board.from_rows([*[f"{row}*" for row in small.rows], "********"])
    assert large.legal_moves() == small.legal_moves()
    assert large != small
    board = Board([4], size=5)
    again = pickle.loads(pickle.dumps(board.copy()))
    assert (again, again.rows, hash(again)) == (board, board.rows, hash(board))
    assert repr(again) == "Board(moves=[4], size=5)"


# Illegal moves.


@loop_over(
    "moves, square, rule",
    ([], -1, "square -1 does not exist, the squares are 0 to 63"),
    ([], 64, "square 64 does not exist, the squares are 0 to 63"),
    ([], 10**30, f"square {10**30} does not exist, the squares are 0 to 63"),
    ([], 0, "square (1 1) is occupied by x"),
    ([], 63, "square (8 8) is occupied by o"),
    ([7], 0, "square (1 1) is filled"),
    ([], 10, "square (2 3) is not in a queen's line from (1 1)"),
    ([7, 56, 63 - 8, 0 + 8], 0, "square (1 1) is filled"),
    ([54], 0, "square (1 1) is filled"),
    ([54], 45, "square (6 6) is behind (7 7), which is not empty"),
    ([9, 7], 63, "square (8 8) is filled"),
)
def test_illegal_moves_name_square_and_rule(moves: list[int], square: int, rule: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        Board(moves).play(square)
    assert caught.value.rule == rule


@loop_over(("square", "name"), [(5, r"\(1 6\)"), (40, r"\(6 1\)")])
def test_a_small_board_has_squares_of_its_own_only(square: int, name: str) -> None:
    with pytest.raises(IllegalMove, match=f"square {name} is outside the 5 by 5 board$"):
        Board(size=5).play(square)


# Boards from rows.


def test_a_board_from_rows_may_be_over() -> None:
    assert Board.from_rows([list(row) for row in START]) == Board()
    assert Board.from_rows(START, 2).player_to_move == 2
    assert Board.from_rows(Board([7]).rows, 2).moves == []
    assert Board.from_rows(START, 1, [7, 56]) == Board([7, 56])
    assert Board.from_rows(WALLED, 1).outcome == (2, "player 1 cannot move", "no_legal_move")
    assert Board.from_rows(WALLED, 2).outcome is None


def test_undo_leads_back_to_the_rows() -> None:
    board = Board.from_rows(WALLED, 2, [7])
    board.undo()
    assert board.rows == WALLED
    with pytest.raises(IndexError, match="no move has been made"):
        Board().undo()
    again = copy.copy(Board.from_rows(WALLED, 2, [7]))
    again.undo()
    assert again.rows == WALLED


@loop_over(
    "rows, message",
    ([], "the board must have 3 to 8 rows, not 0"),
    (["xo", "--"], "the board must have 3 to 8 rows, not 2"),
    (START[1:], "row 1 must have 7 columns, as there are 7 rows, not 8"),
    ([*START, "--------"], "the board must have 3 to 8 rows, not 9"),
    (with_row(3, "-------"), "row 3 must have 8 columns, as there are 8 rows, not 7"),
    (with_row(3, "---------"), "row 3 must have 8 columns, as there are 8 rows, not 9"),
    (with_row(2, "----#---"), "row 2, column 5: '#' is none of - * x o"),
    (with_row(2, "\xe9-------"), r"row 2, column 1: '\xe9' is none of - * x o"),
    (["12345678", *START], "row 1, column 1: '1' is none of - * x o"),
    (with_row(1, "--------"), "there is no x on the board"),
    (with_row(8, "--------"), "there is no o on the board"),
    (with_row(4, "--x-----"), "row 4, column 3: a second x, the first is at (1 1)"),
    (with_row(8, "-----o-o"), "row 8, column 8: a second o, the first is at (8 6)"),
)
def test_what_is_no_board_is_refused(rows: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        Board.from_rows(rows)
    assert str(caught.value) == message


@loop_over("player", [0, 3, -1])
def test_there_are_two_players(player: int) -> None:
    with pytest.raises(ValueError, match=f"the player to move must be 1 or 2, not {player}"):
        Board.from_rows(START, player)


# Equality: the same squares filled, the same places, the same player to move.


def test_positions_equal_themselves_and_show_how_to_make_them() -> None:
    one = Board([2, 61, 18, 45, 16, 47, 0 + 8, 55])
    assert Board.from_rows(one.rows, 1) == one
    one = Board([2, 61, 18, 45])
    assert hash(Board.from_rows(one.rows, 1)) == hash(one)
    assert Board() != 7
    assert repr(Board([7, 56])) == "Board(moves=[7, 56], size=8)"
    last = ["- - - - - - - -"] * 6
    assert str(Board([7, 56])) == "\n".join(["* - - - - - - x", *last, "o - - - - - - *"])


@loop_over(
    "other",
    Board.from_rows(START, 2),
    Board.from_rows(with_row(5, "---*----")),
    Board(size=7),
    Board.from_rows(["-x------", *START[1:]]),
    Board.from_rows([*START[:-1], "------o-"]),
    Board.from_rows([START[0].replace("x", "o"), *START[1:-1], START[-1].replace("o", "x")]),
)
def test_other_positions_differ(other: Board) -> None:
    assert Board() != other


# What is shown and copied.


def test_a_board_from_rows_shows_how_to_make_it_and_can_be_pickled() -> None:
    board = Board.from_rows(WALLED, 2, [7])
    assert repr(board) == f"Board.from_rows({WALLED}, 2, moves=[7])"
    again = pickle.loads(pickle.dumps(board))
    assert (again, again.moves) == (board, [7])
