"""Won positions of random games, and the share of them that is kept won."""

import math

import pytest

from arena.analysis.puzzles import KeptWins, chance, count_kept, draw_positions
from core import GAMES
from core.take_stones import Board
from core.take_stones.solver import winning_moves
from tests.support.games.toy_games import NIM

SETUPS = [{"stones": 20}, {"stones": 30}]


def test_positions_are_won_and_those_of_the_seed() -> None:
    positions = [*draw_positions("take_stones", SETUPS, 40, seed=1)]
    assert positions == [*draw_positions("take_stones", SETUPS, 40, seed=1)]
    assert positions[:9] == [*draw_positions("take_stones", SETUPS, 9, seed=1)]
    assert positions != [*draw_positions("take_stones", SETUPS, 40, seed=2)]
    for setup, puzzle in positions:
        assert setup in SETUPS
        board = Board(setup["stones"], puzzle.moves)
        assert puzzle.winning_moves == winning_moves(board)
        assert len(puzzle.legal_moves) >= 3 * len(puzzle.winning_moves) > 0
    assert {each.puzzle.level for each in positions} == {1, 2, 3}


def test_games_without_such_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"^isolation has no solver, or is too large for it$"):
        next(draw_positions("isolation", [{"size": 8}], 1, seed=1))
    with pytest.raises(ValueError, match=r"^take_stones has no solver, or is too large for it$"):
        next(draw_positions("take_stones", [{"stones": 201}], 1, seed=1))
    with pytest.raises(ValueError, match=r"^random games of take_stones have too few positions"):
        next(draw_positions("take_stones", [{"stones": 3}], 1, seed=1))
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    with pytest.raises(ValueError, match=f"^{NIM.name} has no solver"):
        next(draw_positions(NIM.name, [{"heap": 9}], 1, seed=1))


def test_shares() -> None:
    kept = KeptWins(332, 400)
    assert (kept.share, kept.margin) == pytest.approx((0.83, 0.037), abs=0.0005)
    assert 0.01 < KeptWins(100, 100).margin < 0.03
    positions = [*draw_positions("take_stones", SETUPS, 3, seed=1)]
    right = [(each, each.puzzle.winning_moves[0]) for each in positions]
    assert count_kept([*right[:2], (positions[2], None)]) == KeptWins(2, 3)
    shares = [len(p.puzzle.winning_moves) / len(p.puzzle.legal_moves) for p in positions]
    assert chance(positions) == pytest.approx(math.fsum(shares) / 3)
