"""Playouts: many games at once between players that do not search, for every compiled game.

A compiled game instantiates the template playout.pxi for its own types and brings a function
`playouts(board, games, seed, players)`: core.take_stones.playout and core.isolation.playout.
"""

from core.playout.result import PLAYERS, Playouts

__all__ = ["PLAYERS", "Playouts"]
