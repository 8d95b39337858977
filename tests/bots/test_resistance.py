"""Resistance in lost positions."""

import itertools
from collections.abc import Sequence
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import resistance
from bots.client import ClockReading, Strategy
from bots.greedy_bot import GreedyBot
from bots.resistance import DEPTHS, hardest_move, hardest_to_answer
from bots.spec_bot import SpecBot
from core import GAMES
from core.take_stones import Board
from core.take_stones.solver import Solver, winning_moves
from tests.support.cases import loop_over
from tests.support.games.defective_games import NimSolver, SoundHeap, sound_game
from tests.support.games.reference import Taken
from tests.support.games.strategies import positions

NO_CLOCK = ClockReading(remaining=inf, opponent=inf, increment=0.0)
PLAYERS: list[Strategy] = [GreedyBot(), *map(SpecBot, DEPTHS)]
LOST = Board(40)
MOVES = LOST.legal_moves()


def move(board: Board, deadline: float = inf) -> int:
    return hardest_move(board, Solver(board), deadline)


def after(board: Board, stone: int) -> Board:
    copy = board.copy()
    copy.take(stone)
    return copy


def winning_share(board: Board) -> float:
    return len(winning_moves(board)) / len(board.legal_moves())


def errors(board: Board, players: Sequence[int], replies: int) -> float:
    """Return how many of the players err in a won position, or after their next reply."""
    answers = {player: PLAYERS[player](board.copy(), NO_CLOCK) for player in players}
    erring = [player for player, reply in answers.items() if reply not in winning_moves(board)]
    total = 1 - winning_share(board) + len(erring)
    for reply in {*answers.values()} & {*winning_moves(board)} if replies > 1 else ():
        assert reply is not None
        others = [player for player in players if answers[player] == reply]
        total += most_errors(after(board, reply), others, replies - 1)
    return total


def most_errors(board: Board, players: Sequence[int], replies: int) -> float:
    return max(
        (errors(after(board, stone), players, replies) for stone in board.legal_moves()), default=0
    )


@settings(max_examples=20)
@given(positions(st.integers(3, 25), st.integers(0, 8)))
def test_most_of_the_players_err_after_the_move(position: tuple[int, Taken]) -> None:
    board = Board(*position, any_first=True)
    if not winning_moves(board):
        everyone = range(len(PLAYERS))
        chosen = errors(after(board, move(board)), everyone, 2)
        assert chosen == pytest.approx(most_errors(board, everyone, 2))


@given(positions(st.integers(3, 100), st.integers(0, 20)))
def test_only_the_replies_are_compared_without_players(position: tuple[int, Taken]) -> None:
    board = Board(*position, any_first=True)
    if not winning_moves(board):
        shares = [winning_share(after(board, stone)) for stone in board.legal_moves()]
        hardest = board.legal_moves()[shares.index(min(shares))]
        assert hardest_to_answer(board, Solver(board), inf) == hardest


@loop_over("most", [0, len(MOVES), len(MOVES) + 1])
def test_too_many_positions_end_the_search(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(resistance, "POSITIONS", most)
    moves = LOST.legal_moves()
    everyone = range(len(PLAYERS))
    values = [
        errors(after(LOST, stone), everyone, 1) if most else -winning_share(after(LOST, stone))
        for stone in moves
    ]
    assert move(LOST) == moves[values.index(max(values))]


@loop_over("compared", [1, 2, 5])
def test_only_moves_compared_in_time_count(monkeypatch: pytest.MonkeyPatch, compared: int) -> None:
    ticks = itertools.count()
    monkeypatch.setattr("bots.resistance.time.monotonic", lambda: float(next(ticks)))
    shares = [winning_share(after(LOST, stone)) for stone in MOVES[:compared]]
    assert move(LOST, compared - 1.0) == MOVES[shares.index(min(shares))]


def test_search_that_takes_too_long_ends_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.resistance.time.monotonic", lambda: 0.0)
    board = after(Board(1000), winning_moves(Board(1000))[0])
    without_search = hardest_to_answer(board, Solver(board), inf)
    assert move(board, 1e-9) == without_search != move(board, inf)


def test_position_and_solver_are_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    for most in range(40):
        monkeypatch.setattr(resistance, "POSITIONS", most)
        board = LOST.copy()
        solver = Solver(board)
        hardest_move(board, solver, inf)
        assert board.moves == solver.board.moves == []


@loop_over("evaluation", [True, False])
def test_any_solved_game_is_played(monkeypatch: pytest.MonkeyPatch, evaluation: bool) -> None:
    game = sound_game() if evaluation else sound_game(evaluate=None)
    monkeypatch.setitem(GAMES, game.name, game)

    def played(size: int) -> int:
        heap = SoundHeap(size)
        return hardest_move(heap, NimSolver(heap, None), inf)

    assert played(1) == 1
    assert played(5) in (1, 2, 3)
