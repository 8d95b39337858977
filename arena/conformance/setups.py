"""Setups of the conformance test: typical values of a game's parameters, and extreme ones."""

from collections.abc import Callable, Mapping
from itertools import islice

from core.game import Game

LARGE = 1000  # a large value of any parameter


def typical_setups(game: Game) -> list[dict[str, int]]:
    """Return setups that together contain each typical value of each parameter."""
    parameters = game.parameters.items()
    count = max((len(parameter.usual) for _, parameter in parameters), default=1)
    return [
        {name: parameter.usual[index % len(parameter.usual)] for name, parameter in parameters}
        for index in range(count)
    ]


def small_to_large_setups(game: Game) -> list[dict[str, int]]:
    """Return the smallest setup in which player 1 can move, a typical one and a large one.

    Those that are equal are returned once; a large setup that the game rejects is left out.
    """
    parameters = game.parameters.items()
    ascending = (
        {name: parameter.minimum + more for name, parameter in parameters} for more in range(LARGE)
    )
    large = {name: max(LARGE, parameter.minimum) for name, parameter in parameters}
    smallest = islice(filter(_is_playable(game), ascending), 1)
    found = [*smallest, typical_setups(game)[0], *filter(_is_playable(game), [large])]
    return [setup for index, setup in enumerate(found) if setup not in found[:index]]


def _is_playable(game: Game) -> Callable[[Mapping[str, int]], bool]:
    def is_playable(setup: Mapping[str, int]) -> bool:
        try:
            return not game.position(**setup).is_over
        except ValueError:  # a game may reject values above the minimum
            return False

    return is_playable
