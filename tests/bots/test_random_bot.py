"""Random bot."""

from hypothesis import given
from hypothesis import strategies as st

from bots.client import ClockReading
from bots.random_bot import RandomBot
from core.take_stones import Board
from tests.support.games.reference import Taken, legal_moves
from tests.support.games.strategies import positions

CLOCK = ClockReading(remaining=1.0, opponent=1.0, increment=0.0)

seeds = st.integers(0, 2**32)
any_position = positions(st.integers(3, 70), st.integers(0, 12))


def move(seed: int, n: int, taken: Taken) -> int:
    """Return the move of a new bot."""
    return RandomBot(seed)(Board(n, taken, any_first=True), CLOCK)


@given(seeds, any_position)
def test_moves_are_legal_and_depend_on_the_seed(seed: int, position: tuple[int, Taken]) -> None:
    assert move(seed, *position) in legal_moves(*position)
    assert move(seed, *position) == move(seed, *position)


@given(seeds, any_position, any_position)
def test_move_does_not_depend_on_other_games(
    seed: int, position: tuple[int, Taken], other: tuple[int, Taken]
) -> None:
    bot = RandomBot(seed)
    bot(Board(other[0], other[1], any_first=True), CLOCK)
    n, taken = position
    assert bot(Board(n, taken, any_first=True), CLOCK) == move(seed, n, taken)


def test_every_move_is_played_by_some_seed() -> None:
    moves = {move(seed, 20, ()) for seed in range(100)}
    assert moves == {1, 3, 5, 7, 9}
