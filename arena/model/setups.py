"""Setups in which a match can begin."""

from collections.abc import Mapping

from core import GAMES
from core.game import Game


def check_start(game: Game, setup: Mapping[str, int]) -> None:
    """Check that player 1 has a move at the start.

    Raises:
        ValueError: No match can be played with this setup, or the game rejects it.
    """
    if game.position(**setup).is_over:
        raise ValueError(f"player 1 cannot move at the start of {game.name}")


def completed(game: str, setup: Mapping[str, int]) -> Mapping[str, int]:
    """Return a setup of a stored plan with the defaults of the parameters that it lacks.

    A parameter that a game has got since then has a default, with which its plans were played. The
    setup of an unknown game is returned as it is.
    """
    known = GAMES.get(game)
    return known.completed(setup) if known else setup
