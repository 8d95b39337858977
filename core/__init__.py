"""The games: rules, evaluation, search. No input, no output, no randomness."""
# This line tells the package from others of its name.

from core import isolation, take_stones
from core.registry import GAMES, game_of, register, solver_of

__all__ = ["GAMES", "game_of", "register", "solver_of"]

register(take_stones.GAME)
register(isolation.GAME)
