"""The bot that plays any legal move."""

from hypothesis import given
from hypothesis import strategies as st

from bots.client import Clock
from bots.random_bot import RandomBot
from core.take_stones import Board
from tests.support.reference import Taken, legal_moves
from tests.support.strategies import positions

CLOCK = Clock(remaining=1.0, opponent=1.0, increment=0.0)

seeds = st.integers(0, 2**32)
any_position = positions(st.integers(3, 70), st.integers(0, 12))


def move(seed: int, n: int, taken: Taken) -> int:
    """What a new bot plays."""
    return RandomBot(seed)(Board(n, taken, any_first=True), CLOCK)


@given(seeds, any_position)
def test_a_move_is_legal(seed: int, position: tuple[int, Taken]) -> None:
    assert move(seed, *position) in legal_moves(*position)


@given(seeds, any_position)
def test_the_same_seed_plays_the_same_move(seed: int, position: tuple[int, Taken]) -> None:
    assert move(seed, *position) == move(seed, *position)


@given(seeds, any_position, any_position)
def test_what_else_it_has_played_makes_no_difference(
    seed: int, position: tuple[int, Taken], other: tuple[int, Taken]
) -> None:
    bot = RandomBot(seed)
    bot(Board(other[0], other[1], any_first=True), CLOCK)
    n, taken = position
    assert bot(Board(n, taken, any_first=True), CLOCK) == move(seed, n, taken)


def test_some_seed_plays_each_move() -> None:
    moves = {move(seed, 20, ()) for seed in range(100)}
    assert moves == {1, 3, 5, 7, 9}
