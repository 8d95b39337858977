"""The board of Take-Stones, in one word (up to 64 stones) and in many."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game import IllegalMove
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games import reference
from tests.support.games.reference import Taken
from tests.support.games.strategies import games

# Around the seams between words, and far beyond.
SIZES = [3, 4, 7, 10, 63, 64, 65, 66, 127, 128, 129, 1000, 10**6]

EXAMPLE = [3, 6, 2, 4, 1, 7]  # the assignment's own game, which player 2 wins

random_games = games(st.integers(1, 200), st.integers(0, 100))
tiny_games = games(st.integers(3, 6), st.integers(0, 6))


# The start of a game.


@loop_over("n", [1, 2])
def test_without_a_first_move_player_1_has_lost(n: int) -> None:
    board = Board(n)
    assert (board.legal_moves(), board.is_over, board.winner) == ([], True, 2)


@loop_over(("n", "moves"), [(3, [1]), (6, [1]), (7, [1, 3]), (10, [1, 3])])
def test_first_moves(n: int, moves: list[int]) -> None:
    assert Board(n).legal_moves() == moves


@loop_over("n", SIZES)
def test_first_moves_of_any_size(n: int) -> None:
    assert Board(n).legal_moves() == [s for s in range(1, n) if s % 2 == 1 and 2 * s < n]
    assert Board(n, [1]).legal_moves() == list(range(2, n + 1))
    assert Board(n, [1, 2]).legal_moves() == list(range(4, n + 1, 2))
    assert Board(n, [1, n]).last == n
    assert Board(n, [n], any_first=True).legal_moves()[0] == 1
    assert Board(n, [2], any_first=True).taken == [2]


def test_a_board_shows_how_to_make_it() -> None:
    board = Board(7, [3, 6])
    assert (board.n, repr(board)) == (7, "Board(7, taken=[3, 6])")


@loop_over(
    "n, taken, text",
    (7, [], "Remaining: 1-7\nLast taken: none"),
    (7, [3, 6], "Remaining: 1-2 4-5 7\nLast taken: 6"),
    (1, [1], "Remaining: none\nLast taken: 1"),
    (6, [2, 1, 3, 6], "Remaining: 4-5\nLast taken: 6"),
    (10**9, [1], "Remaining: 2-1000000000\nLast taken: 1"),
)
def test_a_board_as_text(n: int, taken: list[int], text: str) -> None:
    assert str(Board(n, taken, any_first=True)) == text


# Bad numbers of stones.


@loop_over("n", [0, -1, -(10**30)])
def test_less_than_one_stone_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match=f"n must be at least 1, not {n}"):
        Board(n)


@loop_over("n", [10**15, 1 << 62, 1 << 64, 10**30])
def test_more_stones_than_memory_are_refused(n: int) -> None:
    with pytest.raises(MemoryError, match="too many stones"):
        Board(n)


@loop_over("n", [7.0, "7", None])
def test_n_must_be_a_whole_number(n: int) -> None:
    with pytest.raises(TypeError):
        Board(n)


@loop_over("stone", [1.5, 1.0, "1", None])
def test_a_stone_must_be_a_whole_number(stone: int) -> None:
    with pytest.raises(TypeError):
        Board(7).take(stone)


# The rules.


def test_the_example_is_a_game_that_player_2_wins() -> None:
    board = Board(7)
    for stone in EXAMPLE:
        board.take(stone)
    assert (board.taken, Board(7, EXAMPLE).winner) == (EXAMPLE, 2)
    board = Board(7, EXAMPLE[:-1])
    assert (board.is_over, board.winner, board.legal_moves()) == (False, None, [5, 7])


@loop_over(
    "taken, stone, rule",
    ([], 0, "stone 0 does not exist, the stones are 1 to 7"),
    ([], -1, "stone -1 does not exist, the stones are 1 to 7"),
    ([], 8, "stone 8 does not exist, the stones are 1 to 7"),
    ([1], 10**30, f"stone {10**30} does not exist, the stones are 1 to 7"),
    ([], 2, "stone 2 cannot be the first, which must be odd and below n/2 = 3.5"),
    ([], 5, "stone 5 cannot be the first, which must be odd and below n/2 = 3.5"),
    ([3], 3, "stone 3 has already been taken"),
    ([3, 6, 2], 6, "stone 6 has already been taken"),
    ([3, 6, 2], 5, "stone 5 is neither a factor nor a multiple of the last stone, 2"),
    ([3, 6], 4, "stone 4 is neither a factor nor a multiple of the last stone, 6"),
)
def test_an_illegal_stone_names_the_rule(taken: list[int], stone: int, rule: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        Board(7, taken).take(stone)
    assert caught.value.rule == rule


@loop_over(
    "n, history, any_first, message",
    (6, [3], False, r"must be odd and below n/2 = 3$"),  # half of an even number is whole
    (7, [3, 4, 4, 99], False, "illegal move 2: stone 4 is neither"),
    (10, [11], True, "illegal move 1: stone 11 does not exist"),
    (10, [4, 6], True, "illegal move 2: stone 6 is neither"),
)
def test_the_first_illegal_stone_of_a_history_is_named(
    n: int, history: list[int], any_first: bool, message: str
) -> None:
    with pytest.raises(IllegalMove, match=message):
        Board(n, history, any_first=any_first)


def test_any_first_does_not_stay() -> None:
    board = Board(10, [4], any_first=True)
    board.undo()
    with pytest.raises(IllegalMove, match="stone 4 cannot be the first"):
        board.take(4)


@given(random_games)
def test_games_are_those_of_the_reference(game: tuple[int, Taken]) -> None:
    n, taken = game
    assert Board(n, taken, any_first=True).legal_moves() == reference.legal_moves(n, taken)
    assert Board(n, taken, any_first=True).is_over == (reference.legal_moves(n, taken) == [])


@given(random_games, st.integers(-1, 201))
def test_exactly_the_legal_moves_can_be_taken(game: tuple[int, Taken], stone: int) -> None:
    n, taken = game
    board = Board(n, taken, any_first=True)
    try:
        board.take(stone)
    except IllegalMove:
        assert stone not in reference.legal_moves(n, taken)
    else:
        assert stone in reference.legal_moves(n, taken)


# Equality: the same stones taken, in whatever order, and the same last stone.


@loop_over("n", [12, 100])
def test_another_order_is_the_same_position_with_the_same_hash(n: int) -> None:
    board, other = Board(n, [1, 6, 3, 12]), Board(n, [3, 6, 1, 12])
    assert board == other
    assert hash(board) == hash(other)


@loop_over(
    "other",
    Board(13, [1, 6, 3]),
    Board(12, [3, 6, 1]),  # another last stone
    Board(12, [1, 9, 3]),  # other stones
    Board(12, [1, 3]),
    Board(12),
)
def test_other_positions_differ(other: Board) -> None:
    assert Board(12, [1, 6, 3]) != other


def test_a_set_holds_a_position_once() -> None:
    assert len({Board(12, [1, 6, 3, 12]), Board(12, [3, 6, 1, 12]), Board(12)}) == 2
    assert Board(7) != 7


@given(tiny_games, tiny_games)
def test_equal_boards_have_equal_futures(game: tuple[int, Taken], other: tuple[int, Taken]) -> None:
    same = (game[0], set(game[1]), game[1][-1:]) == (other[0], set(other[1]), other[1][-1:])
    assert (Board(*game, any_first=True) == Board(*other, any_first=True)) == same


# A history that begins with any stone is copied and pickled like every other.


@loop_over("n", [10, 100])
def test_any_history_can_be_copied_and_pickled(n: int) -> None:
    board = Board(n, [4, 2, 6], any_first=True)
    assert copy.copy(board).taken == [4, 2, 6]
    assert pickle.loads(pickle.dumps(board)) == board
