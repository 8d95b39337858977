"""Perfect bot."""

import itertools
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.client import ClockReading
from bots.perfect_bot import MAX_FOLLOWED, PerfectBot
from bots.resistance import hardest_move, hardest_to_answer
from core import solver_of
from core.game import Position
from core.game import Solver as GameSolver
from core.take_stones import Board
from core.take_stones.solver import Solver, winning_moves
from tests.support.cases import loop_over
from tests.support.games.reference import Taken
from tests.support.games.strategies import positions

AN_HOUR = ClockReading(remaining=3600.0, opponent=3600.0, increment=0.0)
NO_TIME = ClockReading(remaining=0.0, opponent=3600.0, increment=0.0)


def move(board: Board, clock: ClockReading = AN_HOUR) -> int:
    return PerfectBot()(board.copy(), clock)


@given(positions(st.integers(3, 300), st.integers(0, 40)))
def test_won_position_stays_won(position: tuple[int, Taken]) -> None:
    board = Board(*position, any_first=True)
    winning = winning_moves(board)
    assert not winning or move(board) == winning[0]


@given(positions(st.integers(3, 40), st.integers(0, 10)))
def test_lost_position_gets_the_move_that_resists_most(position: tuple[int, Taken]) -> None:
    board = Board(*position, any_first=True)
    if not winning_moves(board):
        assert move(board) == hardest_move(board, Solver(board), inf)


def test_lost_position_without_time_gets_the_first_move() -> None:
    assert (move(Board(16)), move(Board(16), NO_TIME)) == (5, 1)


@loop_over(("per_move", "compared"), [(False, 2), (True, 10)])
def test_clock_per_move_allows_more_comparisons(
    monkeypatch: pytest.MonkeyPatch, per_move: bool, compared: int
) -> None:
    board, ticks = Board(40), itertools.count()
    monkeypatch.setattr("bots.perfect_bot.time.monotonic", lambda: float(next(ticks)))
    clock = ClockReading(remaining=100.0, opponent=100.0, increment=0.0, per_move=per_move)
    played = move(board, clock)
    expected = hardest_to_answer(board, Solver(board), next(ticks) + compared)
    assert played == expected


@loop_over("seed", range(5))
def test_won_game_is_won(seed: int) -> None:
    bot, random, board = PerfectBot(), Random(seed), Board(200)
    assert winning_moves(board)
    while not board.is_over:
        board.take(bot(board.copy(), AN_HOUR))
        if not board.is_over:
            board.take(random.choice(board.legal_moves()))
    assert board.winner == 1


def test_bot_plays_many_games_at_once() -> None:
    bot = PerfectBot()
    boards = [Board(n) for n in range(30, 32 + MAX_FOLLOWED)]
    random = Random(1)
    for _ in range(4):
        for board in boards:
            if not board.is_over:
                winning = winning_moves(board)
                stone = bot(board.copy(), AN_HOUR)
                assert not winning or stone in winning
                board.take(stone)
            if not board.is_over:
                board.take(random.choice(board.legal_moves()))


def test_game_that_cannot_be_solved_in_time_is_played() -> None:
    assert move(Board(10**5), NO_TIME) == 1


def test_only_the_first_position_of_a_game_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []  # how many moves had been made

    def count(position: Position, seconds: float) -> GameSolver | None:
        solved.append(len(position.moves))
        return solver_of(position, seconds)

    monkeypatch.setattr("bots.perfect_bot.solver_of", count)
    bot, board = PerfectBot(), Board(200)
    while not board.is_over:
        board.take(bot(board.copy(), AN_HOUR))
        if not board.is_over:
            board.take(board.legal_moves()[-1])
    assert solved == [0]
