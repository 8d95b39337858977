"""Setups where a match can begin."""

from collections.abc import Mapping, Sequence

from core import GAMES
from core.game import Game


def check_start(game: Game, setup: Mapping[str, int], moves: Sequence[int] = ()) -> None:
    """Check that a match can begin: after the moves of its opening, the game goes on.

    Raises:
        ValueError: No match can be played from there, or the game rejects the setup or a move.
    """
    if not game.position(**setup, moves=moves).is_over:
        return
    if moves:
        raise ValueError(f"the game is over after {len(moves)} moves")
    raise ValueError(f"player 1 cannot move at the start of {game.name}")


def completed(game: str, setup: Mapping[str, int]) -> Mapping[str, int]:
    """Return a setup of a stored plan with the defaults of the parameters that it lacks.

    A parameter that a game has got since then has a default, with which its plans were played. The
    setup of an unknown game is returned as it is.
    """
    known = GAMES.get(game)
    return known.completed(setup) if known else setup


def setup_text(setup: Mapping[str, int]) -> str:
    """Format a setup, such as "size 8"; empty for a game without parameters."""
    return " ".join(f"{name} {number}" for name, number in setup.items())
