"""Positions of Take-Stones as observations."""

from core.take_stones import Board
from core.take_stones.observation import observe


def test_stones_are_shown_to_both_players() -> None:
    assert observe(Board(3), 1) == bytes([1, 1, 1, 0, 0, 0])
    assert observe(Board(7, [3, 6]), 1) == bytes([1, 1, 0, 1, 1, 0, 1, *[0] * 5, 1, 0])
    board = Board(100, [49, 98, 1])
    assert observe(board, 1) == observe(board, 2)


def test_each_observation_is_new() -> None:
    board = Board(3)
    observe(board, 1)[0] = 0
    assert observe(board, 1)[0] == 1
