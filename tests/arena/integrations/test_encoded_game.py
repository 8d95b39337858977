"""Games as arrays."""

from typing import Any

import numpy as np
import pytest

from arena.integrations.encoded_game import EncodedGame, Result, encoded_games
from core import GAMES
from core.game import Encoding
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM, DrawnHeap, Heap

PLAIN = Encoding(lambda heap: range(1, 4), lambda heap: heap)  # noqa: ARG005


def test_a_setup_is_completed() -> None:
    assert EncodedGame("take_stones", {}).setup == {"stones": 20}
    assert EncodedGame("take_stones", {"stones": 7}).setup == {"stones": 7}
    assert EncodedGame("isolation", {}).setup == {"size": 8}


def test_a_parameter_has_not_the_name_of_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    heap = NIM.parameters["heap"]
    game = NIM._replace(parameters={"heap": heap, "opponent": heap}, encoding=PLAIN)
    monkeypatch.setitem(GAMES, NIM.name, game)
    error = "its parameter 'opponent' has the name of an argument"
    with pytest.raises(ValueError, match=f"^game 'misere_nim' cannot be an environment: {error}$"):
        EncodedGame(NIM.name, {"heap": 3})


@loop_over(
    "name, setup, moves, length, shape",
    ("take_stones", {"stones": 7}, range(1, 8), 7, (2, 7)),
    ("isolation", {}, range(64), 62, (3, 8, 8)),
    ("isolation", {"size": 3}, range(19), 7, (3, 3, 3)),
)
def test_ranges(
    name: str, setup: dict[str, int], moves: range, length: int, shape: tuple[int, ...]
) -> None:
    game = EncodedGame(name, setup)
    assert (game.moves, game.length, game.shape) == (moves, length, shape)


@loop_over(
    "action",
    [3, 3.0, np.int8(3), np.uint64(3), np.float32(3), np.array(3), np.array([[3.0]]), [3]],
)
def test_actions_of_any_type_are_moves(action: Any) -> None:
    assert EncodedGame("take_stones", {}).move(action) == 4


@loop_over(
    "action",
    [-1, 20, 2**70, 0.5, np.nan, np.inf, None, "3", 1j, [], np.array([1, 2]), np.eye(4), object],
)
def test_others_are_no_actions(action: Any) -> None:
    with pytest.raises(ValueError, match=r"^expected an action from 0 to 19, got [^\n]{1,60}$"):
        EncodedGame("take_stones", {}).move(action)


def test_observations_and_masks_are_new_arrays() -> None:
    game = EncodedGame("take_stones", {"stones": 7})
    board = game.start()
    board.play(3)
    seen, mask = game.observe(board, 2), game.mask(board.legal_moves())
    assert seen.tolist() == [[1, 1, 0, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0, 0]]
    assert mask.tolist() == [1, 0, 0, 0, 0, 1, 0]
    assert seen.dtype == mask.dtype == np.int8
    for array in (seen, mask):
        array[...] = 0
    assert game.observe(board, 2).any()
    assert game.mask(board.legal_moves()).any()


def test_games_without_an_observation_show_the_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(encoding=PLAIN))
    game = EncodedGame(NIM.name, {"heap": 9})
    assert (game.moves, game.length, game.shape) == (range(1, 4), 9, (4, 3))
    heap = Heap(9)
    assert not game.observe(heap, 1).any()
    heap.play(2)
    assert game.observe(heap, 1).tolist() == [[0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert game.observe(heap, 2).tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0]]
    for move in (3, 1):
        heap.play(move)
    own, other = [1, 1, 0], [0, 0, 1]
    assert game.observe(heap, 1).tolist() == [own, other, [1, 0, 0], [0, 0, 1]]


@loop_over(
    "name, setup, error, text",
    ("chess", {}, KeyError, "^unknown game 'chess' .choose from take_stones"),
    ("take_stones", {"stone": 3}, TypeError, "^unknown parameter 'stone' of take_stones "),
    ("take_stones", {"stones": 0}, ValueError, "^n must be at least 1, not 0$"),
    ("take_stones", {"stones": 2}, ValueError, "^take_stones with stones=2 is over before the fir"),
    ("take_stones", {"stones": 10**9}, ValueError, r"=1000000000 .* 2000000000 .*most 100000000.$"),
    ("isolation", {"size": 9}, ValueError, "^size must be from 3 to 8, not 9$"),
)
def test_bad_input(name: str, setup: dict[str, int], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text) as raised:
        EncodedGame(name, setup)
    assert len(str(raised.value).splitlines()) == 1


@loop_over("parameters", [NIM.parameters, {}])
def test_games_need_an_encoding(monkeypatch: pytest.MonkeyPatch, parameters: Any) -> None:
    start = {"position": lambda **_: Heap(5), "parameters": parameters}
    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(**start))
    with pytest.raises(ValueError, match=r"^game 'misere_nim' has no encoding"):
        EncodedGame(NIM.name, {})
    if not parameters:
        with pytest.raises(TypeError, match=r"'heap' of misere_nim .parameters: none.$"):
            EncodedGame(NIM.name, {"heap": 1})


def test_only_games_with_an_encoding_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert {"take_stones", "isolation"} <= {*encoded_games()}
    assert NIM.name not in encoded_games()
    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(encoding=PLAIN))
    assert NIM.name in encoded_games()


def test_results() -> None:
    assert Result.of(Board(3, [1, 2])) == ((-1, 1), "player 1 cannot move")
    assert Result.of(Board(5, [1, 2, 4])) == ((1, -1), "player 2 cannot move")
    assert Result.of(DrawnHeap(3, [3])) == ((0, 0), "player 1 has taken the last three")
    assert Result.of_loss(1, "late") == ((-1, 1), "late")
    assert Result.of_loss(2, "late") == ((1, -1), "late")
