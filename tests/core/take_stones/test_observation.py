"""Positions of Take-Stones as observations."""

from core.take_stones import Board
from core.take_stones.observation import observe


def test_each_player_gets_a_new_observation_of_the_stones() -> None:
    assert observe(Board(3), 1) == bytes([1, 1, 1, 0, 0, 0])
    assert observe(Board(7, [3, 6]), 1) == bytes([1, 1, 0, 1, 1, 0, 1, *[0] * 5, 1, 0])
    board = Board(100, [49, 98, 1])
    assert observe(board, 1) == observe(board, 2)
    board = Board(3)
    observe(board, 1)[0] = 0
    assert observe(board, 1)[0] == 1
