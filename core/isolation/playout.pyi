from core.isolation.board import Board
from core.playout import Playouts

def playouts(
    board: Board, games: int, seed: int, players: tuple[str, str] = ("random", "random")
) -> Playouts: ...
