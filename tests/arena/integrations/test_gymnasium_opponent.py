"""Opponents of agents."""

from pathlib import Path

import pytest

from arena.integrations.gymnasium import Opponent
from core.take_stones import Board
from tests.support.cases import loop_over


@loop_over("spec", ["random", "greedy", "spec:2", "perfect"])
def test_bots_of_the_project_play(spec: str) -> None:
    board = Board(20, [3])
    move = Opponent(spec, 1)(board)
    assert move in board.legal_moves()
    assert board == Board(20, [3])


def test_seeds_decide_and_unknown_bots_are_refused() -> None:
    board = Board(100)
    found = {Opponent("random", seed)(board) for seed in range(20)}
    assert len(found) > 1
    assert Opponent("random", 5)(board) == Opponent("random", 5)(board)
    with pytest.raises(ValueError, match="unknown bot 'deep'"):
        Opponent("deep", 1)


def test_a_users_bot_may_change_its_position_and_resign(tmp_path: Path) -> None:
    (tmp_path / "quitter_bot.py").write_text(
        "class Quitter:\n"
        "    def choose(self, position, clock):\n"
        "        assert clock.remaining == float('inf')\n"
        "        position.play(position.legal_moves()[0])\n"
    )
    board = Board(20)
    assert Opponent("python:quitter_bot:Quitter", 1, tmp_path)(board) is None
    assert board == Board(20)
