from core.playout import Playouts
from core.take_stones.board import Board

def playouts(
    board: Board, games: int, seed: int, players: tuple[str, str] = ("random", "random")
) -> Playouts: ...
