"""Greedy bot."""

from hypothesis import given
from hypothesis import strategies as st

from bots.client import ClockReading
from bots.greedy_bot import GreedyBot
from core.take_stones import Board
from tests.support.games.reference import Taken, legal_moves
from tests.support.games.strategies import positions

CLOCK = ClockReading(remaining=1.0, opponent=1.0, increment=0.0)

any_position = positions(st.integers(3, 70), st.integers(0, 12))


def move(n: int, taken: Taken) -> int:
    return GreedyBot()(Board(n, taken, any_first=True), CLOCK)


def reference_move(n: int, taken: Taken) -> int:
    """Return the move by the reference implementation of the rules."""
    moves = legal_moves(n, taken)
    fewest = min(len(legal_moves(n, (*taken, stone))) for stone in moves)
    return next(s for s in moves if len(legal_moves(n, (*taken, s))) == fewest)


@given(any_position)
def test_move_agrees_with_the_reference(position: tuple[int, Taken]) -> None:
    assert move(*position) == reference_move(*position)
    board = Board(position[0], position[1], any_first=True)
    GreedyBot()(board, CLOCK)
    assert board.taken == [*position[1]]
