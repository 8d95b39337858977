"""The evaluation of Take-Stones in words, and its value against the compiled evaluator's."""

from hypothesis import given
from hypothesis import strategies as st

from core.search import search
from core.take_stones import Board
from core.take_stones.explanation import evaluate
from tests.support.cases import loop_over
from tests.support.games import reference
from tests.support.games.strategies import games, positions

SIZES = st.integers(3, 200)  # boards of one word and of several
PLIES = st.integers(0, 12)


def board_of(stones: int, taken: reference.Taken) -> Board:
    return Board(stones, taken, any_first=True)


@given(positions(SIZES, PLIES))
def test_the_search_goes_by_the_same_values(position: tuple[int, reference.Taken]) -> None:
    board = board_of(*position)
    values = []
    for move in board.legal_moves():
        board.take(move)
        values.append(evaluate(board).value)
        board.undo()
    best = max(values) if board.player_to_move == 1 else min(values)
    assert search(board, 1).value == best


@given(games(st.integers(1, 80), PLIES))
def test_the_value_is_that_of_the_assignment(position: tuple[int, reference.Taken]) -> None:
    assert evaluate(board_of(*position)).value == reference.evaluate(*position)


@given(games(SIZES, PLIES))
def test_explaining_changes_nothing(position: tuple[int, reference.Taken]) -> None:
    board = board_of(*position)
    evaluate(board)
    assert (board.n, tuple(board.taken)) == position


@loop_over(
    "stones, taken, value, words",
    (
        1,
        [],
        -1.0,
        "The first stone must be odd and below n/2 = 0.5, and there is none. "
        "Max cannot move and has lost, which is worth -1.",
    ),
    (
        2,
        [],
        -1.0,
        "The first stone must be odd and below n/2 = 1, and there is none. "
        "Max cannot move and has lost, which is worth -1.",
    ),
    (
        7,
        [3, 1, 7],
        1.0,
        "No factor and no multiple of the last stone, 7, is left. "
        "Min cannot move and has lost, which is worth 1 for Max.",
    ),
    (
        7,
        [1, 7],
        -1.0,
        "No factor and no multiple of the last stone, 7, is left. "
        "Max cannot move and has lost, which is worth -1.",
    ),
    (7, [], 0.0, "Stone 1 has not been taken, which is worth 0 for both players."),
    (
        3,
        [2, 1],
        0.5,
        "Stone 1 was taken last. There is 1 legal move (3): an odd number, "
        "which is worth 0.5 for Max, who is to move.",
    ),
    (
        13,
        [1],
        0.5,
        "Stone 1 was taken last. "
        "There are 12 legal moves (2, 3, 4, 5, 6, 7, 8, 9, ... 13): an even number, "
        "which is worth -0.5 for Min, who is to move, so 0.5 for Max.",
    ),
    (
        10,
        [1, 3],
        -0.7,
        "Stone 1 is taken. The last stone, 3, is prime. "
        "Of the 2 legal moves, 2 are multiples of 3 (6, 9): an even number, "
        "which is worth -0.7 for Max, who is to move.",
    ),
    (
        10,
        [4, 1, 5],
        -0.7,
        "Stone 1 is taken. The last stone, 5, is prime. "
        "Of the 1 legal move, 1 is a multiple of 5 (10): an odd number, "
        "which is worth 0.7 for Min, who is to move, so -0.7 for Max.",
    ),
    (
        10,
        [5, 1, 10],
        0.6,
        "Stone 1 is taken. The last stone, 10, is composite: its largest prime factor is 5. "
        "Of the 1 legal move, 0 are multiples of 5: an even number, "
        "which is worth -0.6 for Min, who is to move, so 0.6 for Max.",
    ),
)
def test_each_case_of_the_assignment(
    stones: int, taken: list[int], value: float, words: str
) -> None:
    assert evaluate(Board(stones, taken, any_first=True))[:2] == (value, words)
