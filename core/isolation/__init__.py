"""Isolation: two queens on 8 by 8 squares, of which each that they leave is gone."""

from core.game import Game
from core.isolation.board import Board
from core.isolation.explanation import explain

__all__ = ["GAME", "Board"]

GAME = Game(
    name="isolation",
    title="Isolation",
    parameters={},
    position=Board,
    board=Board,
    study=Board,
    explain=explain,
)
