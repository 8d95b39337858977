"""Isolation: two queens on 8 by 8 squares; each square that a queen leaves is filled."""

from pathlib import Path

from core.game import Game
from core.isolation.board import Board
from core.isolation.explanation import evaluate
from core.isolation.search import search

__all__ = ["GAME", "Board"]

GAME = Game(
    name="isolation",
    title="Isolation",
    parameters={},
    position=Board,
    board=Board,
    study=Board,
    evaluate=evaluate,
    decides_early=True,
    search=search,
    page=Path(__file__).parent / "web",
)
