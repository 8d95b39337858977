"""Positions of Isolation as observations."""

from core.isolation import Board
from core.isolation.observation import observe


def test_observations_have_the_players_and_all_squares() -> None:
    board = Board(size=3, moves=[1])
    x, o = [0, 1, *[0] * 7], [*[0] * 8, 1]
    empty = [0, 0, 1, 1, 1, 1, 1, 1, 0]
    assert observe(board, 1) == bytes([*x, *o, *empty])
    assert observe(board, 2) == bytes([*o, *x, *empty])
    board = Board(moves=[27])
    observation = observe(board, 1)
    assert len(observation) == 3 * 64
    assert [index for index in range(64) if observation[index]] == [27]
    assert [index for index in range(64) if observation[64 + index]] == [63]
    assert [index for index in range(64) if not observation[128 + index]] == [0, 27, 63]
