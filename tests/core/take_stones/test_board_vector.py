"""Vectors of boards; tests of the environments compare their games with those of single boards."""

import copy
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.take_stones import Board
from core.take_stones.board_vector import BoardVector
from core.take_stones.observation import observe
from tests.support.cases import loop_over


def make_arrays(count: int, n: int) -> dict[str, Any]:
    return {
        "observations": np.zeros((count, 2, n), np.int8),
        "masks": np.zeros((count, n), np.int8),
        "players": np.zeros(count, np.int8),
        "rewards": np.zeros(count),
        "ends": np.zeros(count, np.uint8),
        "final": np.zeros((count, 2, n), np.int8),
    }


class Vector(SimpleNamespace):
    """A vector and its arrays."""

    def __init__(self, count: int, n: int, is_answered: bool, player: int = 0) -> None:
        arrays = make_arrays(count, n)
        vector = BoardVector(**arrays, is_answered=is_answered, player=player)
        super().__init__(**arrays, vector=vector, step=vector.step, reset=vector.reset)

    def take(self, *stones: int) -> list[float]:
        """Take a stone on each board and return the rewards."""
        self.step(np.array(stones) - 1)
        return [*self.rewards]


def seen(n: int, *taken: int) -> np.ndarray:
    return np.frombuffer(observe(Board(n, taken), 1), np.int8).reshape(2, n)


def test_boards_go_their_own_ways() -> None:
    vector = Vector(2, 7, False)
    assert (vector.observations == [seen(7), seen(7)]).all()
    assert vector.masks.tolist() == 2 * [[1, 0, 1, 0, 0, 0, 0]]
    assert vector.take(1, 3) == [0, 0]
    assert (vector.observations == [seen(7, 1), seen(7, 3)]).all()
    assert vector.masks.tolist() == [[0, 1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 1, 0]]
    assert vector.players.tolist() == [2, 2]


def test_a_game_that_ends_is_followed_by_a_new_one() -> None:
    vector = Vector(2, 7, False)
    vector.take(3, 3)
    vector.take(6, 1)
    assert vector.take(1, 5) == [0, 1]  # nothing follows 5 without 1
    assert vector.ends.tolist() == [0, 1]
    assert (vector.final[1] == seen(7, 3, 1, 5)).all()
    assert (vector.observations == [seen(7, 3, 6, 1), seen(7)]).all()
    assert vector.masks[1].tolist() == [1, 0, 1, 0, 0, 0, 0]
    assert vector.players.tolist() == [2, 1]


def test_an_illegal_action_loses() -> None:
    vector = Vector(1, 7, False)
    assert vector.take(2) == [-1]
    assert vector.take(3) == [0]
    assert vector.take(3) == [-1]
    assert (vector.final[0] == seen(7, 3)).all()


@loop_over("player", [1, 2])
def test_a_random_player_answers(player: int) -> None:
    count = 12_000
    vector = Vector(count, 13, True, player)
    vector.reset(1)
    assert (vector.players == player).all()
    if player == 1:
        assert vector.take(*[3] * count) == [0] * count
    answers = Counter((np.argmax(vector.observations[:, 1], axis=1) + 1).tolist())
    expected = [1, 6, 9, 12] if player == 1 else [1, 3, 5]
    assert sorted(answers) == expected
    assert all(abs(answers[stone] * len(expected) / count - 1) < 0.1 for stone in expected)


def test_the_random_player_wins_and_loses() -> None:
    vector = Vector(100, 3, True, 1)
    assert [*vector.take(*[1] * 100)] == [-1] * 100  # 2 or 3 leaves nothing
    assert (vector.final[:, 0].sum(axis=1) == 1).all()
    mixed = Vector(1000, 3, True)
    assert 400 < (mixed.players == 1).sum() < 600
    rewards = mixed.take(*np.where(mixed.players == 1, 1, 2))
    assert rewards == np.where(mixed.ends, rewards, 0).tolist()
    assert {*rewards} == {-1, 1}


def test_seeds_decide_games() -> None:
    def play(seed: int) -> list[Any]:
        vector = Vector(50, 20, True)
        vector.reset(seed)
        found = [vector.observations.tobytes()]
        for _ in range(10):
            vector.step(vector.masks.argmax(axis=1))
            found.append(vector.observations.tobytes())
        return found

    assert play(5) == play(5)
    assert play(5) != play(-6)


def test_boards_may_be_large_and_shared_by_threads() -> None:
    vector = Vector(200, 20, True)
    actions = np.zeros(200, np.int64)
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(vector.step, actions) for _ in range(200)]:
            done.result()
    assert set(np.unique(vector.observations)) == {0, 1}
    vector = Vector(1, 1000, False)
    board = Board(1000, [499, 998, 2, 500])
    for stone in board.moves:
        vector.take(stone)
    assert (np.flatnonzero(vector.masks[0]) + 1).tolist() == board.legal_moves()


def test_bad_arrays_and_actions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^expected 3 to 100000 stones, got 2$"):
        Vector(1, 2, False)
    arrays = make_arrays(2, 7)
    for name in arrays:
        with pytest.raises(ValueError, match=r"^the arrays are of different sizes$"):
            BoardVector(**{**arrays, name: arrays[name][:1]}, is_answered=False)
    vector = Vector(2, 7, False)
    with pytest.raises(ValueError, match=r"^expected 2 actions, got 1$"):
        vector.step(np.array([0]))
    for action in (-1, 7):
        text = f"^expected actions from 0 to 6, got {action} for board 1$"
        with pytest.raises(ValueError, match=text):
            vector.step(np.array([0, action]))
    assert (vector.observations == [seen(7), seen(7)]).all()


def test_it_cannot_be_copied() -> None:
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.copy(Vector(1, 7, False).vector)
