"""The games: rules, evaluation, search. No input, no output, no randomness."""

from core import isolation, take_stones
from core.game import Game, Position, Solver

GAMES: dict[str, Game] = {
    "take_stones": take_stones.GAME,
    "isolation": isolation.GAME,
}


def solver_of(position: Position, seconds: float | None = None) -> Solver | None:
    """A solver that goes on from a position, or None if its game has none.

    Raises MemoryError, and TimeoutError if it is not made in so many seconds.
    """
    game = next(game for game in GAMES.values() if isinstance(position, game.board))
    return game.solver(position, seconds) if game.solver else None
