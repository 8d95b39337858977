"""The bot that leaves the fewest replies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.client import Clock
from bots.greedy_bot import GreedyBot
from core.take_stones import Board
from tests.support.reference import Taken, legal_moves
from tests.support.strategies import positions

CLOCK = Clock(remaining=1.0, opponent=1.0, increment=0.0)

any_position = positions(st.integers(3, 70), st.integers(0, 12))


def move(n: int, taken: Taken) -> int:
    return GreedyBot()(Board(n, taken, any_first=True), CLOCK)


def obvious_move(n: int, taken: Taken) -> int:
    """The same from the reference's rules."""
    moves = legal_moves(n, taken)
    fewest = min(len(legal_moves(n, (*taken, stone))) for stone in moves)
    return next(s for s in moves if len(legal_moves(n, (*taken, s))) == fewest)


@pytest.mark.parametrize(
    ("n", "taken", "best"),
    [
        pytest.param(7, (), 3, id="two replies rather than six"),
        pytest.param(7, (3, 6, 2, 4, 1), 5, id="none, twice: the smaller"),
        pytest.param(10, (4, 2, 6), 3, id="two, twice: the smaller"),
        pytest.param(65, (33,), 11, id="more than a word"),
    ],
)
def test_it_leaves_the_fewest_replies(n: int, taken: Taken, best: int) -> None:
    assert move(n, taken) == best


@given(any_position)
def test_it_plays_the_obvious_move(position: tuple[int, Taken]) -> None:
    assert move(*position) == obvious_move(*position)


@given(any_position)
def test_it_leaves_the_board_as_it_was(position: tuple[int, Taken]) -> None:
    board = Board(position[0], position[1], any_first=True)
    GreedyBot()(board, CLOCK)
    assert board.taken == [*position[1]]
