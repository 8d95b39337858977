"""Share of openings that player 1 wins under perfect play."""

from collections.abc import Callable, Mapping

from arena.analysis.position import solve
from core import GAMES


def perfect_share(
    game: str,
    setup: Mapping[str, int],
    openings: Mapping[tuple[int, ...], int],
    seconds_left: Callable[[], float],
) -> float | None:
    """Return the share of matches that player 1 would win under perfect play.

    Args:
        game: The name of the game.
        setup: Its setup.
        openings: The number of matches on each opening, at least one.
        seconds_left: Returns the time that is left for the computation.

    Returns:
        The share; None if an opening cannot be solved, or not in time.
    """
    won = 0
    for moves, matches in openings.items():
        try:
            position = GAMES[game].position(**setup, moves=moves)
            winner, _ = solve(position, seconds_left())
        except Exception:  # a package may raise anything, as does a game without it
            winner = None
        if winner is None:
            return None
        won += matches * (winner == 1)
    return won / sum(openings.values())
