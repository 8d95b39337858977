"""The evaluation of Isolation in words, and its value against the compiled evaluator's."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.isolation import Board
from core.isolation.explanation import evaluate
from core.search import search
from tests.core.isolation.test_board import board_of
from tests.core.isolation.test_ending import HARD, PASSING
from tests.support.cases import loop_over
from tests.support.games import isolation_reference as reference
from tests.support.games.isolation_reference import Position
from tests.support.games.isolation_strategies import positions, unfinished


def minimax(board: Board, depth: int, root: int) -> float:
    """Return the value for x of a search by `root` to a depth that ends where a game is decided."""
    evaluation = evaluate(board, root)
    if not depth or evaluation.is_final:
        return evaluation.value
    values = []
    for move in board.legal_moves():
        board.play(move)
        values.append(minimax(board, depth - 1, root))
        board.undo()
    return max(values) if board.player_to_move == 1 else min(values)


def searched(board: Board, depth: int) -> float:
    """As minimax, but that the root is searched even if it is decided."""
    values = []
    for move in board.legal_moves():
        after = board.copy()
        after.play(move)
        values.append(minimax(after, depth - 1, board.player_to_move))
    return max(values) if board.player_to_move == 1 else min(values)


@settings(max_examples=40)
@given(unfinished(st.integers(1, 30)), st.integers(1, 2))
def test_the_search_uses_the_same_values(position: Position, depth: int) -> None:
    board = board_of(position)
    assert search(board, depth).value == searched(board, depth)


@given(positions(st.integers(0, 62)))
def test_the_value_is_that_of_the_reference(position: Position) -> None:
    board, value = board_of(position), reference.evaluate(position, position.mover)
    expected = value if position.mover == "x" else -value
    assert evaluate(board, board.player_to_move).value == expected
    board = board_of(position)
    evaluate(board, board.player_to_move)
    assert board == board_of(position)


@loop_over("rows", [HARD, PASSING])
@loop_over("player", [1, 2])
def test_endings_are_seen_where_the_search_sees_them(rows: list[str], player: int) -> None:
    board = Board.from_rows(rows, player)
    assert searched(board, 2) == search(board, 2).value


def test_what_the_search_cannot_decide_is_not_called_decided() -> None:
    assert "on average" in evaluate(Board.from_rows(HARD), 1).words


APART = "The pieces are apart: neither can come where the other can."


@loop_over(
    "rows, player, value, words",
    (
        ["x-------", *["--------"] * 6, "-------o"],
        1,
        37.5,
        "x, who is to move, has 20 moves and is on average 7.00 king's steps away from the "
        "one square that is not free: 20 + 2.5 * 7.00 = 37.50 for x.",
    ),
    (
        ["*------x", *["--------"] * 6, "-------o"],
        2,
        -36.5,
        "o, who is to move, has 19 moves and is on average 7.00 king's steps away from the "
        "2 other squares that are not free: 19 + 2.5 * 7.00 = 36.50 for o, so -36.50 for x.",
    ),
    (
        ["x*------", "**------", *["--------"] * 5, "-------o"],
        1,
        -1000,
        "x cannot move and has lost, which is worth -1000 for x.",
    ),
    (
        ["x-------", *["--------"] * 5, "------**", "------*o"],
        2,
        1000,
        "o cannot move and has lost, which is worth 1000 for x.",
    ),
    (
        ["x--*****", *["********"] * 6, "******-o"],
        1,
        1000,
        f"{APART} x, who is to move, can still make 2 moves, o fewer, so x wins, "
        "which is worth 1000 for x.",
    ),
    (
        ["x-******", *["********"] * 6, "******-o"],
        2,
        1000,
        f"{APART} o, who is to move, can make at most 1 move, x as many, so x wins, "
        "which is worth 1000 for x.",
    ),
    (
        ["x-******", *["********"] * 6, "*****--o"],
        1,
        -1000,
        f"{APART} x, who is to move, can make at most 1 move, o as many, so o wins, "
        "which is worth -1000 for x.",
    ),
)
def test_each_case_in_words(rows: list[str], player: int, value: float, words: str) -> None:
    assert evaluate(Board.from_rows(rows, player), player)[:2] == (value, words)
